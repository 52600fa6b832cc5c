/** A generated document as Markdown. Everything from the repository is escaped, so that none of it becomes markup. */

import { visible } from "../visible.js";
import type { Block, Citation, GeneratedDocument, Part, Sentence } from "./document.js";

/** How Markdown is written. */
export interface MarkdownOptions {
  /** The address of a place (default `path#Lline`, which GitHub and editors follow from the repository's root). */
  readonly linkOf?: (at: Citation) => string;
}

/** A document as Markdown. Texts of the repository are escaped, so that none becomes markup. */
export function markdownOf(document: GeneratedDocument, { linkOf = defaultLink }: MarkdownOptions = {}): string {
  const parts = [
    `# ${escaped(document.title)}`,
    ...document.sections.flatMap((section) => [
      `${"#".repeat(section.level)} ${escaped(section.title)}`,
      ...section.blocks.map((block) => blockOf(block, linkOf)),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `./src/a.ts#L10`, with what an address needs: without the dot, `a:b.ts` would be read as one of another scheme. */
function defaultLink({ path, line, holds }: Citation): string {
  const address = path
    .split("/")
    .map((name) => encodeURIComponent(name).replace(/[()'*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`))
    .join("/");
  return "file" in holds && line === 1 ? `./${address}` : `./${address}#L${line}`;
}

function blockOf(block: Block, linkOf: (at: Citation) => string): string {
  const text = (sentence: Sentence) => sentence.map((part) => partOf(part, linkOf)).join("");
  switch (block.kind) {
    case "paragraph":
      return block.sentences.map(text).join(" ");
    case "list":
      return block.items.map((item, at) => `${block.ordered ? `${at + 1}.` : "-"} ${text(item)}`).join("\n");
    case "table": {
      const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
      return [
        row(block.head.map(escaped)),
        row(block.head.map(() => "---")),
        ...block.rows.map((cells) => row(cells.map(text))),
      ].join("\n");
    }
    case "quote":
      return `> ${escaped(block.text)}\n>\n> ([${escaped(block.at.path)}](${linkOf(block.at)}))`;
    case "diff":
      return fenced(block.text, "diff");
    case "note":
      return `*${escaped(block.text)}*`;
  }
}

function partOf(part: Part, linkOf: (at: Citation) => string): string {
  if (typeof part === "string") return escaped(part);
  if ("words" in part) return `[${escaped(part.words)}](${linkOf(part.at)})`;
  return part.at ? `[${code(part.code)}](${linkOf(part.at)})` : code(part.code);
}

/** Text in which no sign is markup. */
export function escaped(text: string): string {
  return (
    visible(text.replace(/\s+/g, " "))
      .replace(/[\\`*[\]<>|]|!(?=\[)/g, (sign) => `\\${sign}`)
      // Within a word it is none.
      .replace(/(?<!\w)_|_(?!\w)/g, "\\_")
      .replace(/&(?=[a-z0-9#]+;)/gi, "\\&")
      // Addresses of the repository lead nowhere: GitHub would make links of them.
      .replace(/\b(https?|ftp)(?=:\/\/)/gi, "$1\\")
      .replace(/\b(www)(?=\.)/gi, "$1\\")
      .replace(/^(#{1,6}\s|[-+]\s|\d+[.)]\s|~{3}|={3})/, (start) => `\\${start}`)
  );
}

function code(text: string): string {
  // In a table a bar ends the cell, even within code.
  const plain = visible(text.replace(/\s+/g, " ")).replaceAll("|", "\\|");
  const ticks = longestRun(plain) + 1;
  const fence = "`".repeat(ticks);
  const pad = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

const longestRun = (text: string) => text.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
