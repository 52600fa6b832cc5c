/** A generated document: sections of sentences, each of which links to code that supports it. */

/** A place in the code that supports a sentence. */
export interface Citation {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The qualified name of the definition there, or a text that the line holds. Checked against the index. */
  readonly holds: { readonly symbol: string } | { readonly text: string } | { readonly file: true };
}

/** Plain words, a name in the code, or words that link to code. */
export type Part =
  | string
  | { readonly code: string; readonly at?: Citation }
  | { readonly words: string; readonly at: Citation };

export type Sentence = readonly Part[];

export type Block =
  | { readonly kind: "paragraph"; readonly sentences: readonly Sentence[] }
  | { readonly kind: "list"; readonly ordered?: boolean; readonly items: readonly Sentence[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly Sentence[])[] }
  | { readonly kind: "quote"; readonly text: string; readonly at: Citation }
  /** A unified diff that is shown and never applied automatically. */
  | { readonly kind: "diff"; readonly path: string; readonly text: string; readonly checked: boolean }
  /** Says how the document was made. Claims nothing about the code, so it needs no citation. */
  | { readonly kind: "note"; readonly text: string };

/** A section of a document. */
export interface Section {
  /** Stable within a kind of document: `purpose`, `areas`. */
  readonly id: string;
  readonly title: string;
  /** 2 for a chapter, 3 within one. */
  readonly level: 2 | 3;
  readonly blocks: readonly Block[];
}

/** The kinds of documents. */
export const KINDS = ["product", "developer", "stories", "guide", "refactor"] as const;
export type DocumentKind = (typeof KINDS)[number];

/** A document whose citations were checked. */
export interface GeneratedDocument {
  readonly kind: DocumentKind;
  readonly title: string;
  readonly sections: readonly Section[];
  /** Statements that were left out, because their citation is not in the index. */
  readonly n_dropped: number;
}

export const paragraph = (...sentences: readonly Sentence[]): Block => ({ kind: "paragraph", sentences });
export const list = (items: readonly Sentence[], ordered = false): Block => ({ kind: "list", items, ordered });
export const note = (text: string): Block => ({ kind: "note", text });

/** A section, or nothing where there is nothing to say. */
export function section(id: string, title: string, blocks: readonly Block[], level: 2 | 3 = 2): Section[] {
  return blocks.some(says) ? [{ id, title, level, blocks }] : [];
}

function says(block: Block): boolean {
  if (block.kind === "paragraph") return block.sentences.length > 0;
  if (block.kind === "list") return block.items.length > 0;
  return block.kind !== "table" || block.rows.length > 0;
}

/** A link to a whole file. */
export function fileLink(path: string, words = path): Part {
  return { words, at: { path, line: 1, holds: { file: true } } };
}

/** A link to a line, whose text holds `text`. */
export function lineLink(path: string, line: number, text: string, words = `line ${line}`): Part {
  return { words, at: { path, line, holds: { text } } };
}

/** The citations of a sentence. */
export function citationsOf(sentence: Sentence): Citation[] {
  return sentence.flatMap((part) => (typeof part !== "string" && part.at ? [part.at] : []));
}

/** The words of a sentence without its links. */
export function wordsOf(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : "code" in part ? part.code : part.words)).join("");
}
