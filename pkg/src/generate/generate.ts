/** Makes a document about an indexed repository from its graph: `generate(index, "guide")`. */

import { Citations, checked } from "./check.js";
import { developerSpec } from "./developer.js";
import type { DocumentKind, GeneratedDocument, Section } from "./document.js";
import { type Asked, factsOf, type Facts } from "./facts.js";
import { guideFor } from "./guide.js";
import { productSpec } from "./product.js";
import { refactorings, type Reparse } from "./refactor.js";
import { userStories } from "./stories.js";
import { filled, type Writer } from "./fill.js";

/** How a document is made. */
export interface GenerateOptions {
  readonly signal?: AbortSignal;
  /** A language model that puts each chapter into prose. Its sentences are kept only where they cite places that the outline cites. */
  readonly writer?: Writer;
  /** Tells which of the edited texts do not parse any more; without it diffs are marked as unchecked. */
  readonly reparse?: Reparse;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The title of each kind. */
export const TITLES: Readonly<Record<DocumentKind, string>> = {
  product: "product specification",
  developer: "developer specification",
  stories: "user stories",
  guide: "guide for newcomers",
  refactor: "refactoring proposals",
};

/** Makes a document. Every statement cites a place, and each citation is checked against the index. */
export async function generate(
  index: Asked,
  kind: DocumentKind,
  { signal, writer, reparse, onProgress }: GenerateOptions = {},
): Promise<GeneratedDocument> {
  const facts = await factsOf(index, signal);
  const citations = new Citations(index);
  const outline = await sectionsOf(kind, facts, citations, reparse);
  signal?.throwIfAborted();
  const { sections, n_dropped } = await checked(outline, citations);
  const document = { kind, title: `${facts.status.name}: ${TITLES[kind]}`, sections, n_dropped };
  return writer ? filled(document, citations, writer, { signal, onProgress }) : document;
}

function sectionsOf(kind: DocumentKind, facts: Facts, citations: Citations, reparse?: Reparse): Promise<Section[]> {
  switch (kind) {
    case "product":
      return productSpec(facts);
    case "developer":
      return developerSpec(facts);
    case "stories":
      return userStories(facts);
    case "guide":
      return guideFor(facts);
    case "refactor":
      return refactorings(facts, citations, reparse);
  }
}
