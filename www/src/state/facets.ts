//! Facets: by what the results shown differ, and how the link narrows the search to one of them.

import type { FileEntry } from "portolan";
import type { Link } from "./link.ts";
import type { Answer } from "./search.ts";

export type FacetGroup = "language" | "kind" | "folder" | "tests";

/** A value that the results can be narrowed to. */
export interface Facet {
  readonly group: FacetGroup;
  readonly value: string;
  /** Number of results shown that have it. */
  readonly count: number;
  readonly on: boolean;
}

const mostOfGroup = 5;
const withoutTests = "!test !spec";
const isTest = (path: string) => /test|spec/i.test(path);

/** The facets of an answer, by group, the most frequent first; those that are on are always among them. */
export function facetsOf(answer: Answer, files: readonly FileEntry[], link: Link): Facet[] {
  const wanted = new Set(answer.files.map(({ path }) => path));
  const languages = new Map(files.filter(({ path }) => wanted.has(path)).map(({ path, language }) => [path, language]));
  const counts: Record<FacetGroup, Map<string, number>> = {
    language: new Map(),
    kind: new Map(),
    folder: new Map(),
    tests: new Map(),
  };
  const add = (group: FacetGroup, value: string, n: number) =>
    value !== "" && counts[group].set(value, (counts[group].get(value) ?? 0) + n);
  for (const { path, passages } of answer.files) {
    const n = passages.length;
    add("language", languages.get(path) ?? "", n);
    add("folder", folderOf(path), n);
    if (isTest(path)) add("tests", "tests", n);
    for (const { kind } of passages) add("kind", kind, 1);
  }
  return (Object.keys(counts) as FacetGroup[]).flatMap((group) => groupOf(group, counts[group], link));
}

function groupOf(group: FacetGroup, counts: ReadonlyMap<string, number>, link: Link): Facet[] {
  const all = [...counts]
    .map(([value, count]) => ({ group, value, count, on: isOn(group, value, link) }))
    .sort((a, b) => Number(b.on) - Number(a.on) || b.count - a.count || (a.value < b.value ? -1 : 1));
  const chosen = group === "language" ? link.language : group === "kind" ? link.kind : "";
  if (chosen !== "" && !counts.has(chosen)) all.unshift({ group, value: chosen, count: 0, on: true });
  if (group === "tests") {
    const isLeftOut = link.within.includes(withoutTests);
    return isLeftOut ? [{ group, value: "tests", count: 0, on: true }] : all;
  }
  // One value is no choice.
  return all.length > 1 || all.some(({ on }) => on) ? all.slice(0, mostOfGroup) : [];
}

/** The top folder of a path, with its slash; empty for a file of the root. */
function folderOf(path: string): string {
  return path.slice(0, path.indexOf("/") + 1);
}

function isOn(group: FacetGroup, value: string, { language, kind, within }: Link): boolean {
  if (group === "language") return language === value;
  if (group === "kind") return kind === value;
  return group === "folder" && within.split(" ").includes(`${value}**`);
}

/** The change of the link that turns a facet on or off. Paths stay in the field "In paths", where they can be edited. */
export function toggled({ group, value, on }: Facet, { within }: Link): Partial<Link> {
  if (group === "language") return { language: on ? "" : value };
  if (group === "kind") return { kind: on ? "" : value };
  const glob = group === "tests" ? withoutTests : `${value}**`;
  const rest = within.replace(glob, "").replaceAll(/\s+/g, " ").trim();
  return { within: on ? rest : `${rest} ${glob}`.trim() };
}
