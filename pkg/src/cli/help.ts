/** The help texts, made from the lists of commands and options. */

import { COMMAND_LIST } from "../commands/command-list.js";
import { EVERYWHERE, GROUPS, type CommandSpec } from "../commands/command-spec.js";
import { OPTIONS, type OptionAbout, type OptionName } from "../commands/option-list.js";

const WIDTH = 100;

const ENDING = `Every command has --help, with its options and examples. Settings: portolan.toml, PORTOLAN_… in the environment, options;
later ones override earlier ones; \`portolan config\` shows them all.

Exit codes: 0 answered (even if nothing was found), 1 failed, 2 wrong command line or setting, 130 interrupted.
Only the answer goes to stdout. Progress and notes go to stderr, progress only on a terminal. Colours appear on a
terminal only; NO_COLOR, FORCE_COLOR and --color change that.
`;

/** The help page of all commands. */
export function help(): string {
  const width = Math.max(...COMMAND_LIST.map((command) => usage(command).length)) + 2;
  const groups = GROUPS.map((group) => {
    const commands = COMMAND_LIST.filter((command) => command.group === group);
    return commands.length === 0
      ? ""
      : `${group}\n${commands.map((command) => `  ${usage(command).padEnd(width)}${command.summary}\n`).join("")}\n`;
  });
  return `portolan: code search and code intelligence\n\n${groups.join("")}${ENDING}`;
}

/** One command: what it does, its options, examples. */
export function helpOf(command: CommandSpec): string {
  const { summary, more, options, examples } = command;
  const parts = [`${usage(command)}\n\n  ${summary}\n`];
  if (more !== undefined) parts.push(`${wrapped(more)}\n`);
  if (options.length > 0) parts.push(`Options\n${options.map((name) => option(name, command)).join("")}`);
  parts.push(`Options of every command\n${EVERYWHERE.map((name) => option(name)).join("")}`);
  parts.push(`Examples\n${examples.map(([line, what]) => `  # ${what}\n  ${line}\n`).join("")}`);
  return parts.join("\n");
}

function usage({ name, operands }: CommandSpec): string {
  return `portolan ${name}${operands === "" ? "" : ` ${operands}`}`;
}

function option(name: OptionName, command?: CommandSpec): string {
  const { short, value, about, type, ...given } = OPTIONS[name] as OptionAbout & { short?: string; type: string };
  const here = command?.here?.[name];
  const choices = command?.choices?.[name] ?? given.choices;
  const head = `  ${short === undefined ? "   " : `-${short},`} --${name}${type === "string" ? ` ${value ?? "X"}` : ""}`;
  const words = here ?? about;
  const text = choices && !words.includes(choices[0] as string) ? `${words}: ${choices.join(", ")}` : words;
  const [first = "", ...rest] = wrapped(text, WIDTH - 32, "").split("\n");
  const lines = [
    head.length < 31 ? `${head.padEnd(32)}${first}` : `${head}\n${" ".repeat(32)}${first}`,
    ...rest.map((line) => `${" ".repeat(32)}${line}`),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function wrapped(text: string, width = WIDTH, indent = "  "): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line !== "" && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
}
