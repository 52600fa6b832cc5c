//! The list of a peek: places in files with the line of each, product code first.

import type { CodeIndex, Reference, Target } from "portolan";
import { lineAt, matchesOf } from "../hover/facts.ts";
import { countLines, type Meaning } from "../hover/meaning.ts";
import type { OpenFile } from "../state/file.ts";
import { selectorOf } from "../state/symbol.ts";
import { byPart } from "./product.ts";

export interface PeekItem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Its line, or the name of a definition. */
  readonly text: string;
}

export interface PeekList {
  readonly title: string;
  /** A caution about the list; empty where there is none. */
  readonly note: string;
  readonly groups: readonly { readonly title: string; readonly items: readonly PeekItem[] }[];
}

const mostUses = 500;

/** The definitions or the uses of a meaning as a list. */
export async function peekOf(
  index: CodeIndex,
  file: OpenFile,
  meaning: Meaning,
  what: "definitions" | "references",
): Promise<PeekList> {
  if (meaning.kind === "local") return localList(file, meaning);
  if (meaning.kind === "text") {
    const { matches, isCut } = await matchesOf(index, meaning.name);
    const items = matches.map(({ path, line, text }) => ({ path, line, text: text.trim() }));
    return {
      title: `Lines with the word ${meaning.name}`,
      note: `Matches of the text, not of a definition${isCut ? "; the first are shown" : ""}`,
      groups: grouped(items),
    };
  }
  if (what === "definitions") return definitionList(meaning.name, meaning.targets);
  const best = meaning.targets[0] as Target;
  const { references, total } = await index.references({ symbol: selectorOf(best.symbol), limit: mostUses });
  return {
    title: `Uses of ${best.symbol.qualified_name}`,
    note: total > references.length ? `The first ${references.length} of ${total}` : "",
    groups: grouped(references.map(itemOf)),
  };
}

function localList(file: OpenFile, meaning: Extract<Meaning, { kind: "local" }>): PeekList {
  const items = meaning.uses.map(({ from }) => ({
    path: file.path,
    line: countLines(file.text, from) + 1,
    text: lineAt(file, from)
      .pieces.map(({ text }) => text)
      .join(""),
  }));
  return { title: `${meaning.name} in this file`, note: "", groups: [{ title: "", items }] };
}

function definitionList(name: string, targets: readonly Target[]): PeekList {
  const items = targets.map(({ symbol: { path, line, qualified_name } }) => ({ path, line, text: qualified_name }));
  return {
    title: targets.length === 1 ? `Definition of ${targets[0]?.symbol.qualified_name}` : `Definitions of ${name}`,
    note: targets.length === 1 ? "" : "The likeliest comes first",
    groups: [{ title: "", items }],
  };
}

const itemOf = ({ path, line, text }: Reference): PeekItem => ({ path, line, text });

/** Groups by part of the repository; one part alone needs no title. */
function grouped(items: readonly PeekItem[]) {
  const groups = byPart(items, ({ path }) => path);
  return groups.length === 1 ? groups.map((group) => ({ ...group, title: "" })) : groups;
}
