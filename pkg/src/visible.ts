/**
 * Names and texts of a repository, as they may be shown: nothing in them moves the cursor, colours or renames a terminal, turns the
 * direction of a line, or hides from people what a program reads.
 */

// Control characters but for tab and line feed; marks and overrides of direction; separators that end a line for some and not for
// others; tag characters, which show nothing and which language models read.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)|\udb40[\udc00-\udc7f]/g;

/** Shows each such character as JSON writes it, `\u001b`, so that JSON stays JSON of the same value. All else stays as it is. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (found) => {
    let escaped = "";
    for (let at = 0; at < found.length; at++) escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

/** Fields of answers whose texts have several lines by nature; each is shown with a mark of its own before its lines. */
const OF_MANY_LINES = new Set([
  "text",
  "texts",
  "code",
  "snippet",
  "diff",
  "doc",
  "before",
  "after",
  "old_text",
  "new_text",
  "embedding_text",
]);

/** A copy of an answer in which each name is on one line: a file whose name has a line feed must not look like two results. */
export function onOneLine<T>(answer: T): T {
  return copied(answer, "") as T;
}

function copied(value: unknown, key: string): unknown {
  if (typeof value === "string") return OF_MANY_LINES.has(key) ? value : value.replace(/\r?\n/g, "\\u000a");
  if (Array.isArray(value)) return value.map((entry) => copied(entry, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copied(entry, name)]));
}
