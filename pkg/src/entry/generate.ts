/** `portolan/generate`: documents about an indexed repository, made from its graph; every sentence links to code that supports it. */

export {
  type Block,
  type Citation,
  citationsOf,
  type DocumentKind,
  type GeneratedDocument,
  KINDS,
  type Part,
  type Section,
  type Sentence,
  wordsOf,
} from "../generate/document.js";
export { generate, type GenerateOptions, TITLES } from "../generate/generate.js";
export { markdownOf, type MarkdownOptions } from "../generate/markdown.js";
export type { ChapterRequest, Message, Writer } from "../generate/fill.js";
export type { Reparse } from "../generate/refactor.js";
export { reparseWith } from "../generate/reparse.js";
