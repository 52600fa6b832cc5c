/** Colours for people: paths, lines, added and removed lines. Answers are made without any; they are painted on the way out. */

/** Whether text for this stream is painted: `--color`, then FORCE_COLOR, then NO_COLOR, then whether it is a terminal. */
export function wantsColour(
  when: string | undefined,
  stream: { isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  if (when === "always" || when === "never") return when === "always";
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

const RESET = "\x1b[0m";
const STYLES = {
  path: "\x1b[36m",
  line: "\x1b[32m",
  weak: "\x1b[2m",
  added: "\x1b[32m",
  removed: "\x1b[31m",
  hunk: "\x1b[35m",
  error: "\x1b[31m",
} as const;

export function paint(style: keyof typeof STYLES, text: string): string {
  return text === "" ? "" : `${STYLES[style]}${text}${RESET}`;
}

/** `path:12-14` or `path:12` at the beginning of a line, and what follows. */
const PLACE = /^(\s*(?:\d+\. )?)([^\s:()]+):(\d+(?:-\d+)?)(?=[\s:]|$)(.*)$/;
/** Something in brackets at the end. */
const LAST_BRACKETS = /^(.*?)( {2}\([^()]*\))$/;
const DIFF_HEAD = /^(---|\+\+\+) /;

/** An answer as text, painted line by line. */
export function painted(text: string): string {
  let inDiff = false;
  const lines = text.split("\n").map((line) => {
    if (DIFF_HEAD.test(line)) inDiff = true;
    else if (inDiff && !/^[ +\-@\\]/.test(line)) inDiff = false;
    return inDiff ? diffLine(line) : answerLine(line);
  });
  return lines.join("\n");
}

function answerLine(line: string): string {
  const [, indent = "", path = "", place = "", rest = ""] = PLACE.exec(line) ?? [];
  if (path !== "") return `${indent}${paint("path", path)}:${paint("line", place)}${ending(rest)}`;
  return ending(line);
}

function ending(text: string): string {
  const [, before, brackets] = LAST_BRACKETS.exec(text) ?? [];
  return brackets === undefined ? text : `${before}${paint("weak", brackets)}`;
}

function diffLine(line: string): string {
  if (DIFF_HEAD.test(line)) return paint("path", line);
  if (line.startsWith("@@")) return paint("hunk", line);
  if (line.startsWith("+")) return paint("added", line);
  return line.startsWith("-") ? paint("removed", line) : line;
}
