//! Doc comments as blocks to draw: paragraphs, code, lists and tags, as Markdown, JSDoc, Javadoc, Python and Rust write them. The result
//! holds plain text only, so whatever a repository writes stays text.

/** A part of a line: plain text, or code between backquotes. */
export interface Span {
  readonly text: string;
  readonly isCode: boolean;
}

export type Block =
  | { readonly kind: "text"; readonly spans: readonly Span[] }
  | { readonly kind: "heading"; readonly spans: readonly Span[] }
  | { readonly kind: "item"; readonly spans: readonly Span[] }
  | { readonly kind: "tag"; readonly tag: string; readonly name: string; readonly spans: readonly Span[] }
  | { readonly kind: "code"; readonly text: string };

const mostBlocks = 60;
const tagLine = /^[@:\\](\w+):?\s*(?:\{[^}\n]*\})?\s*(.*)$/;
const named = new Set(["param", "arg", "argument", "property", "prop", "throws", "exception", "raises", "template"]);

/** Reads the blocks of a doc comment. */
export function blocksOf(doc: string): Block[] {
  const blocks: Block[] = [];
  let open: { kind: "text" | "item" | "tag"; tag: string; name: string; lines: string[] } | null = null;
  const close = () => {
    if (open) blocks.push(blockOf(open));
    open = null;
  };
  const lines = doc.replaceAll("\r", "").split("\n");
  for (let at = 0; at < lines.length && blocks.length < mostBlocks; at += 1) {
    const line = lines[at] ?? "";
    const text = line.trim();
    const fence = /^(```|~~~)/.exec(text)?.[1];
    if (fence) {
      close();
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence));
      const last = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: unindented(lines.slice(at + 1, last)) });
      at = last;
      continue;
    }
    const tag = tagLine.exec(text);
    const item = /^(?:[-*+•]|\d+[.)])\s+(.*)$/.exec(text);
    const heading = /^#{1,6}\s+(.*)$/.exec(text) ?? /^([A-Z][A-Za-z ]{2,30}):$/.exec(text);
    if (text === "") close();
    else if (tag) {
      close();
      open = tagOf(tag[1] ?? "", tag[2] ?? "");
    } else if (item) {
      close();
      open = { kind: "item", tag: "", name: "", lines: [item[1] ?? ""] };
    } else if (heading) {
      close();
      blocks.push({ kind: "heading", spans: spansOf(heading[1] ?? "") });
    } else if (open) open.lines.push(text);
    else open = { kind: "text", tag: "", name: "", lines: [text] };
  }
  close();
  return blocks.slice(0, mostBlocks);
}

function tagOf(tag: string, rest: string) {
  const name = named.has(tag) ? (/^\[?([\w$.]+)[^\s\]]*\]?\s*(?:-\s*)?/.exec(rest) ?? null) : null;
  return { kind: "tag" as const, tag, name: name?.[1] ?? "", lines: [rest.slice(name?.[0].length ?? 0)] };
}

function blockOf(open: { kind: "text" | "item" | "tag"; tag: string; name: string; lines: string[] }): Block {
  const spans = spansOf(open.lines.join(" ").trim());
  if (open.kind === "tag") return { kind: "tag", tag: open.tag, name: open.name, spans };
  return { kind: open.kind, spans };
}

function unindented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(shared)).join("\n");
}

/** Cuts a line at its code; links become their words. */
function spansOf(line: string): Span[] {
  const plain = (text: string) =>
    text
      .replaceAll(/!?\[([^\]\n]{1,200})\](?:\([^)\s]{0,500}\)|\[[^\]\n]{0,200}\])/g, "$1")
      .replaceAll(/\{@(?:link|linkplain|code|literal)\s+([^}\n]{1,200})\}/g, "$1")
      .replaceAll(/(\*\*|__)(?=\S)([^*_\n]{1,300})\1/g, "$2");
  return line
    .split(/(``?[^`\n]+``?)/)
    .filter((part) => part !== "")
    .map((part) => {
      const isCode = part.startsWith("`") && part.endsWith("`") && part.length > 2;
      return { text: isCode ? part.replaceAll(/^`+|`+$/g, "") : plain(part), isCode };
    });
}
