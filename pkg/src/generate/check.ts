/** Checks citations against the index: the file is there, the line is in it, and it holds what is cited. */

import type { CodeIndex } from "../code-index.js";
import { type Block, type Citation, citationsOf, type Section, type Sentence } from "./document.js";

/** Looks places up in an index, each file once. */
export class Citations {
  private readonly symbols = new Map<string, Promise<ReadonlyMap<string, readonly [first: number, last: number][]>>>();
  private readonly lines = new Map<string, Promise<readonly string[] | null>>();

  constructor(private readonly index: Pick<CodeIndex, "outline" | "text">) {}

  async holds({ path, line, holds }: Citation): Promise<boolean> {
    if (!Number.isInteger(line) || line < 1) return false;
    if ("symbol" in holds) {
      const places = (await this.symbolsOf(path)).get(holds.symbol) ?? [];
      return places.some(([first, last]) => line >= first && line <= last);
    }
    const lines = await this.linesOf(path);
    if (!lines || line > lines.length) return false;
    return "file" in holds || (lines[line - 1] as string).includes(holds.text);
  }

  /** Lines of a file of the index; null where it has none of this path. */
  linesOf(path: string): Promise<readonly string[] | null> {
    return kept(this.lines, path, () =>
      this.index.text(path).then(
        ({ text }) => text.split(/\r\n|\r|\n/),
        () => null,
      ),
    );
  }

  private symbolsOf(path: string): Promise<ReadonlyMap<string, readonly [number, number][]>> {
    return kept(this.symbols, path, async () => {
      const places = new Map<string, [number, number][]>();
      const { symbols } = await this.index.outline(path).catch(() => ({ symbols: [] }));
      for (const { symbol } of symbols)
        places.set(symbol.qualified_name, [
          ...(places.get(symbol.qualified_name) ?? []),
          [symbol.start_line, symbol.end_line],
        ]);
      return places;
    });
  }
}

function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** The sections without statements that the index does not support: each needs a citation, and all of its citations must hold. */
export async function checked(
  sections: readonly Section[],
  citations: Citations,
): Promise<{ sections: Section[]; n_dropped: number }> {
  let n_dropped = 0;
  const supported = async (sentence: Sentence): Promise<boolean> => {
    const cited = citationsOf(sentence);
    const holds = cited.length > 0 && (await Promise.all(cited.map((one) => citations.holds(one)))).every(Boolean);
    if (!holds) n_dropped += 1;
    return holds;
  };
  const kept: Section[] = [];
  for (const section of sections) {
    const blocks: Block[] = [];
    for (const block of section.blocks) {
      const left = await supportedPart(block, supported, citations);
      if (left) blocks.push(left);
      else if (block.kind === "quote") n_dropped += 1;
    }
    if (blocks.length > 0) kept.push({ ...section, blocks });
  }
  return { sections: kept, n_dropped };
}

async function supportedPart(
  block: Block,
  supported: (sentence: Sentence) => Promise<boolean>,
  citations: Citations,
): Promise<Block | undefined> {
  if (block.kind === "note" || block.kind === "diff") return block;
  if (block.kind === "quote") return (await citations.holds(block.at)) ? block : undefined;
  if (block.kind === "table") {
    const rows = await filtered(block.rows, (row) => supported(row.flat()));
    return rows.length > 0 ? { ...block, rows } : undefined;
  }
  if (block.kind === "list") {
    const items = await filtered(block.items, supported);
    return items.length > 0 ? { ...block, items } : undefined;
  }
  const sentences = await filtered(block.sentences, supported);
  return sentences.length > 0 ? { ...block, sentences } : undefined;
}

async function filtered<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if (await test(item)) kept.push(item);
  return kept;
}
