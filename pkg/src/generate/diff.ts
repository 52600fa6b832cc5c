/** Unified diffs of removed lines. */

const CONTEXT = 3;

/** Removes lines, 1-based and both included, with the empty line that would be left twice. Returns the text after it and the diff. */
export function removal(
  path: string,
  lines: readonly string[],
  from: number,
  to: number,
): { text: string; diff: string } {
  const isEmpty = (at: number) => at < 1 || at > lines.length || (lines[at - 1] as string).trim() === "";
  let last = to;
  if (isEmpty(from - 1) && isEmpty(to + 1) && to < lines.length) last += 1;
  const first = Math.max(1, from - CONTEXT);
  // A text that ends with a line feed has an empty piece after it, which is no line.
  const n_lines = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  last = Math.min(last, n_lines);
  const end = Math.min(n_lines, last + CONTEXT);
  const [n_before, n_removed, n_after] = [from - first, last - from + 1, end - last];
  const part = (start: number, stop: number, mark: string) =>
    lines.slice(start - 1, stop).map((line) => `${mark}${line}`);
  const n_left = n_before + n_after;
  const diff = [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${first},${n_before + n_removed + n_after} +${n_left === 0 ? first - 1 : first},${n_left} @@`,
    ...part(first, from - 1, " "),
    ...part(from, last, "-"),
    ...part(last + 1, end, " "),
  ].join("\n");
  return { text: [...lines.slice(0, from - 1), ...lines.slice(last)].join("\n"), diff: `${diff}\n` };
}
