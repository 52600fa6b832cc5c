/**
 * Finds what a shell command searches for: cuts the command line into words as a shell would, then takes the first `rg`, `grep`, `git grep`
 * … in it, and of that the pattern, past flags and their values. Nothing is run and nothing can fail: what is not understood
 * searches for nothing.
 */

/** A word, or what parts commands. */
type Token = { readonly word: string } | { readonly operator: string };

/** `bash -c "…"` within `bash -c "…"`, so deep. */
const MAX_DEPTH = 3;

/** The target of a search: patterns as `grep` takes them, or name patterns as `find -name` does. */
export interface ShellSearch {
  readonly pattern: string;
  readonly isGlob: boolean;
}

/** The first search for contents in a command line, or else the first one for file names. */
export function searchOf(commandLine: string, depth = 0): ShellSearch | undefined {
  let forFiles: ShellSearch | undefined;
  for (const command of commandsOf(tokensOf(commandLine))) {
    const found = searchOfCommand(command, depth);
    if (found?.isGlob === false) return found;
    forFiles ??= found;
  }
  return forFiles;
}

const OPERATORS = [
  "&&",
  "||",
  "|&",
  ";;",
  "<<<",
  "<<",
  ">>",
  "&>",
  ">&",
  "<&",
  "|",
  "&",
  ";",
  "<",
  ">",
  "(",
  ")",
  "`",
  "\n",
];

/** Words without their quotes; operators apart. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) tokens.push({ word });
    word = undefined;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "'" || char === '"') {
      const [quoted, next] = quotedAt(text, at);
      word = (word ?? "") + quoted;
      at = next;
    } else if (char === "\\") {
      if (text[at + 1] !== "\n") word = (word ?? "") + (text[at + 1] ?? "");
      at++;
    } else if (char === "#" && word === undefined) {
      at = endOfLine(text, at) - 1;
    } else if (char === " " || char === "\t" || char === "\r") {
      end();
    } else {
      const operator = OPERATORS.find((known) => text.startsWith(known, at));
      if (operator === undefined) word = (word ?? "") + char;
      else {
        // `$(` and `2>` belong to the operator, not to a word.
        if (word !== undefined && (word === "$" || (/^\d$/.test(word) && /[<>]/.test(operator)))) word = undefined;
        end();
        tokens.push({ operator });
        at += operator.length - 1;
      }
    }
  }
  end();
  return tokens;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Returns the text in quotes, and where they end. In single quotes nothing is special, in double quotes a backslash before some. */
function quotedAt(text: string, start: number): [string, number] {
  const quote = text[start];
  let quoted = "";
  let at = start + 1;
  for (; at < text.length && text[at] !== quote; at++) {
    if (quote === '"' && text[at] === "\\" && /["\\$`\n]/.test(text[at + 1] ?? "")) at++;
    quoted += text[at];
  }
  return [quoted, at];
}

/** Words between operators; a word after `<` or `>` is a file. */
function commandsOf(tokens: readonly Token[]): string[][] {
  const commands: string[][] = [[]];
  let isFile = false;
  for (const token of tokens) {
    if ("word" in token) {
      if (!isFile) commands.at(-1)?.push(token.word);
      isFile = false;
    } else if (/^[<>]|[<>]$/.test(token.operator)) isFile = true;
    else commands.push([]);
  }
  return commands.filter((command) => command.length > 0);
}

/** Words that run the words behind them. */
const WRAPPERS = new Set([
  "sudo",
  "time",
  "nice",
  "command",
  "builtin",
  "env",
  "nohup",
  "timeout",
  "stdbuf",
  "xargs",
  "then",
  "do",
  "else",
  "if",
  "while",
  "!",
  "exec",
  "ionice",
  "-exec",
  "-execdir",
  "{",
]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "fish"]);

function searchOfCommand(words: readonly string[], depth: number): ShellSearch | undefined {
  const [place, name] = commandAt(words);
  const rest = words.slice(place + 1);
  if (SHELLS.has(name)) {
    const flag = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
    const script = flag < 0 ? undefined : rest[flag + 1];
    return script === undefined || depth >= MAX_DEPTH ? undefined : searchOf(script, depth + 1);
  }
  if (name === "git") {
    const grep = afterGitFlags(rest);
    return grep === undefined ? undefined : patternOf(rest.slice(grep), GREP);
  }
  if (name === "find") return searchOfFind(rest, depth);
  const tool = TOOLS[name];
  return tool && patternOf(rest, tool);
}

/** Finds the command's name, past `FOO=1`, `sudo`, `timeout 5`, and the name without its folder. */
function commandAt(words: readonly string[]): [number, string] {
  let place = 0;
  let isWrapped = false;
  for (; place < words.length; place++) {
    const word = words[place] as string;
    const name = nameOf(word);
    if (WRAPPERS.has(name)) isWrapped = true;
    else if (name in TOOLS || SHELLS.has(name) || name === "git" || name === "find") break;
    else if (!/^\w+=/.test(word) && !isWrapped) break;
  }
  return [place, nameOf(words[place] ?? "")];
}

function nameOf(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? "").replace(/\.exe$/i, "");
}

/** The place behind `grep` in `git -C dir --no-pager grep …`. */
function afterGitFlags(words: readonly string[]): number | undefined {
  let place = 0;
  while (words[place]?.startsWith("-")) place += /^-[cC]$/.test(words[place] as string) ? 2 : 1;
  return words[place] === "grep" ? place + 1 : undefined;
}

function searchOfFind(words: readonly string[], depth: number): ShellSearch | undefined {
  const exec = words.findIndex((word) => /^-(exec|execdir|ok)$/.test(word));
  const inner = exec < 0 ? undefined : searchOfCommand(words.slice(exec + 1), depth + 1);
  if (inner) return inner;
  const name = words.findIndex((word) => /^-i?(name|path|wholename|regex)$/.test(word));
  const pattern = name < 0 ? undefined : words[name + 1];
  return pattern === undefined ? undefined : { pattern, isGlob: true };
}

/** Flags of each tool that take a value. */
interface Tool {
  /** Letters. */
  readonly short: string;
  /** Names. */
  readonly long: ReadonlySet<string>;
  /** Flags that turn it into a list of files. */
  readonly listing?: ReadonlySet<string>;
}

const GREP: Tool = {
  short: "efABCmdDO",
  long: new Set(
    "regexp file after-context before-context context max-count directories devices include exclude exclude-dir exclude-from label binary-files group-separator max-depth threads open-files-in-pager".split(
      " ",
    ),
  ),
};
const RIPGREP: Tool = {
  short: "efgtTABCmMjrEd",
  long: new Set(
    (
      "regexp file glob iglob type type-not type-add type-clear after-context before-context context max-count max-columns max-depth maxdepth max-filesize threads replace " +
      "encoding engine sort sortr color colors context-separator field-context-separator field-match-separator path-separator pre pre-glob ignore-file dfa-size-limit " +
      "regex-size-limit hostname-bin hyperlink-format generate"
    ).split(" "),
  ),
  listing: new Set(["files", "type-list"]),
};
const AG: Tool = {
  short: "ABCmGpW",
  long: new Set(
    "after before context max-count depth file-search-regex ignore ignore-dir path-to-ignore width workers color-match color-path".split(
      " ",
    ),
  ),
};
const TOOLS: Record<string, Tool> = {
  __proto__: null as never,
  rg: RIPGREP,
  ripgrep: RIPGREP,
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  ag: AG,
  ack: AG,
};

/** Of a tool's words the pattern: what `-e` gives, else the first word that is no flag and no value of one. */
function patternOf(words: readonly string[], tool: Tool): ShellSearch | undefined {
  const given: string[] = [];
  const globs: string[] = [];
  const operands: string[] = [];
  let isListing = false;
  let hasFile = false;
  const take = (flag: string, value: string | undefined) => {
    if (value === undefined) return;
    if (flag === "e" || flag === "regexp") given.push(value);
    else if (flag === "f" || flag === "file") hasFile = true;
    else if (flag === "g" || flag === "glob" || flag === "iglob") globs.push(value);
  };
  for (let place = 0; place < words.length; place++) {
    const word = words[place] as string;
    if (word === "--") {
      operands.push(...words.slice(place + 1));
      break;
    }
    const long = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(word);
    if (long) {
      const name = long[1] as string;
      isListing ||= tool.listing?.has(name) === true;
      if (tool.long.has(name)) take(name, long[2] ?? words[++place]);
    } else if (/^-[^\d-]/.test(word)) {
      const [flag, value] = shortFlag(word, tool);
      if (flag !== undefined) take(flag, value === "" ? words[++place] : value);
    } else if (!/^-\d*$/.test(word)) operands.push(word);
  }
  if (isListing) return globs[0] === undefined ? undefined : { pattern: globs[0], isGlob: true };
  const pattern = given.length > 0 ? given.join("|") : hasFile ? undefined : operands[0];
  return pattern === undefined ? undefined : { pattern, isGlob: false };
}

/** In `-rnA3` the first letter that takes a value, and the rest as its value. */
function shortFlag(word: string, tool: Tool): [string | undefined, string] {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    if (tool.short.includes(letter)) return [letter, word.slice(at + 1)];
  }
  return [undefined, ""];
}
