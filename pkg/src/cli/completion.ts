/** Completion scripts for shells, made from the lists of commands and options: `portolan completion SHELL`. */

import { COMMAND_LIST, optionsOf } from "../commands/command-list.js";
import type { CommandSpec } from "../commands/command-spec.js";
import { OPTIONS, type OptionAbout, type OptionName } from "../commands/option-list.js";
import { operand, UsageError, type Command } from "../commands/options.js";

const SHELLS: Record<string, () => string> = { bash, zsh, fish };

export function completion(command: Command): string {
  const shell = operand(command, "SHELL");
  const script = SHELLS[shell];
  if (!script)
    throw new UsageError(`completion: there is one for ${Object.keys(SHELLS).join(", ")}, not for "${shell}"`);
  return script();
}

type Option = OptionAbout & { readonly type: "string" | "boolean"; readonly short?: string };
const about = (name: OptionName): Option => OPTIONS[name] as Option;
const names = () => COMMAND_LIST.map(({ name }) => name);

function bash(): string {
  const options = COMMAND_LIST.map(
    (command) =>
      `    ${command.name}) options="${optionsOf(command)
        .map((name) => `--${name}`)
        .join(" ")}" ;;`,
  );
  const words = COMMAND_LIST.filter(({ complete }) => Array.isArray(complete)).map(
    ({ name, complete }) => `    ${name}) words="${(complete as readonly string[]).join(" ")}" ;;`,
  );
  const choices = optionsOfAll()
    .filter((name) => about(name).choices)
    .map(
      (name) => `    --${name}) COMPREPLY=($(compgen -W "${about(name).choices?.join(" ")}" -- "$current")); return ;;`,
    );
  const own = COMMAND_LIST.flatMap(({ name, choices = {} }) =>
    Object.entries(choices).map(
      ([option, words]) =>
        `    "${name} --${option}") COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current")); return ;;`,
    ),
  );
  const values = optionsOfAll().filter((name) => about(name).type === "string" && !about(name).choices);
  const folders = values.filter((name) => about(name).complete === "folder").map((name) => `--${name}`);
  const files = values.filter((name) => about(name).complete === "file").map((name) => `--${name}`);
  const others = values.filter((name) => !about(name).complete).map((name) => `--${name}`);
  return `# portolan completion for bash: source <(portolan completion bash)
_portolan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" options="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command $before" in
${own.join("\n")}
  esac
  case "$before" in
${choices.join("\n")}
    ${folders.join("|")}) COMPREPLY=($(compgen -d -- "$current")); return ;;
    ${files.join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${others.join("|")}) COMPREPLY=(); return ;;
  esac
  case "$command" in
    "") words="${names().join(" ")}" ;;
${words.join("\n")}
    help) words="${names().join(" ")}" ;;
  esac
  case "$command" in
${options.join("\n")}
    *) options="--help --version" ;;
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _portolan portolan
`;
}

function zsh(): string {
  const commands = COMMAND_LIST.map(({ name, summary }) => `    '${name}:${zshText(summary)}'`);
  const cases = COMMAND_LIST.map(
    (command) =>
      `    ${command.name})\n      _arguments \\\n${zshArguments(command)
        .map((line) => `        ${line}`)
        .join(" \\\n")} ;;`,
  );
  return `#compdef portolan
# portolan completion for zsh: portolan completion zsh > a folder of $fpath, as _portolan
_portolan() {
  local context state line
  local -a commands
  commands=(
${commands.join("\n")}
  )
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe 'command' commands ;;
    argument)
  case $line[1] in
${cases.join("\n")}
  esac ;;
  esac
}
if [ "$funcstack[1]" = "_portolan" ]; then _portolan "$@"; else compdef _portolan portolan; fi
`;
}

function zshArguments(command: CommandSpec): string[] {
  const options = optionsOf(command).map((name) => {
    const { type, value, complete, about: text, ...given } = about(name);
    const choices = command.choices?.[name] ?? given.choices;
    const repeated = "multiple" in OPTIONS[name] ? "*" : "";
    const action = choices
      ? `(${choices.join(" ")})`
      : complete === "folder"
        ? "_files -/"
        : complete === "file"
          ? "_files"
          : " ";
    return `'${repeated}--${name}${type === "string" ? "=" : ""}[${zshText(command.here?.[name] ?? text)}]${type === "string" ? `:${zshText(value ?? "value")}:${action}` : ""}'`;
  });
  const { complete, operands } = command;
  if (operands === "" && command.name !== "help") return options;
  const action = Array.isArray(complete)
    ? `(${complete.join(" ")})`
    : command.name === "help"
      ? `(${names().join(" ")})`
      : complete === "folder"
        ? "_files -/"
        : "_files";
  return [...options, `'*:${zshText(operands || "operand")}:${action}'`];
}

function zshText(text: string): string {
  return text.replaceAll("'", "’").replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
}

function fish(): string {
  const lines = [
    "# portolan completion for fish: portolan completion fish > ~/.config/fish/completions/portolan.fish",
    "complete -c portolan -n __fish_use_subcommand -f -l version -d 'the version'",
  ];
  for (const command of COMMAND_LIST) {
    const { name, summary, complete } = command;
    lines.push(`complete -c portolan -n __fish_use_subcommand -f -a ${name} -d '${fishText(summary)}'`);
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    const words = name === "help" ? names() : complete;
    if (Array.isArray(words)) lines.push(`complete -c portolan ${seen} -f -a '${words.join(" ")}'`);
    for (const option of optionsOf(command)) lines.push(`complete -c portolan ${seen} ${fishOption(option, command)}`);
  }
  return `${lines.join("\n")}\n`;
}

function fishOption(name: OptionName, command: CommandSpec): string {
  const { type, short, complete, about: text, ...given } = about(name);
  const choices = command.choices?.[name] ?? given.choices;
  const parts = [...(short === undefined ? [] : [`-s ${short}`]), `-l ${name}`];
  if (choices) parts.push(`-x -a '${choices.join(" ")}'`);
  else if (type === "string")
    parts.push(complete === "folder" ? "-x -a '(__fish_complete_directories)'" : complete === "file" ? "-r -F" : "-x");
  return `${parts.join(" ")} -d '${fishText(command.here?.[name] ?? text)}'`;
}

function fishText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
}

function optionsOfAll(): OptionName[] {
  return Object.keys(OPTIONS) as OptionName[];
}
