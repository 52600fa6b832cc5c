//! From an answer to a picture: things with colours and lines, and where a click on each leads.

import { type AtlasResponse, visible } from "portolan";
import { type Asked, edgeWords } from "./asked.ts";
import { type Coloured, type Colours, coloursOf } from "./colours.ts";
import type { Line, Picture, Thing } from "./picture.ts";

/** A thing of the map with its figures, for the table and for words beside the picture. */
export interface Item extends Coloured {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  /** 1-based; 0 if it is no symbol. */
  readonly line: number;
  readonly files: number;
  readonly symbols: number;
  readonly tests: number;
  readonly size: { readonly x: number; readonly y: number; readonly r: number };
}

/** Commits by path; null where they are not known. */
type Churn = ReadonlyMap<string, { readonly n_commits: number }> | null;

/** The finest things of an answer, in its order. */
function itemsOf(answer: AtlasResponse, level: Asked["level"], churn: Churn): Item[] {
  const labels = new Map(answer.areas.map(({ area, label }) => [area, label]));
  if (level === "areas")
    return answer.areas.map((area) => ({
      name: area.label,
      kind: area.is_community ? "area" : "folder",
      path: "",
      line: 0,
      language: "",
      area: area.label,
      complexity: area.complexity,
      lines: area.n_lines,
      isTest: area.n_tests * 2 > area.n_files,
      files: area.n_files,
      symbols: area.n_symbols,
      tests: area.n_tests,
      size: area,
    }));
  if (level === "files")
    return answer.files.map((file) => ({
      name: file.path,
      kind: "file",
      path: file.path,
      line: 0,
      language: file.language,
      area: labels.get(file.area) ?? "",
      complexity: file.complexity,
      lines: file.n_lines,
      isTest: file.is_test,
      churn: churn?.get(file.path)?.n_commits,
      files: 1,
      symbols: file.n_symbols,
      tests: file.is_test ? 1 : 0,
      size: file,
    }));
  const { name, kinds, kind, file, line, complexity, x, y } = answer.symbols;
  return name.map((label, at) => {
    const home = answer.files[file[at] ?? 0];
    return {
      name: label,
      kind: kinds[kind[at] ?? 0] ?? "",
      path: home?.path ?? "",
      line: line[at] ?? 1,
      language: home?.language ?? "",
      area: labels.get(home?.area ?? -1) ?? "",
      complexity: complexity[at] ?? 0,
      // A symbol's own lines are not in the answer: its branches are counted against a function of usual length.
      lines: 12,
      isTest: home?.is_test ?? false,
      churn: churn?.get(home?.path ?? "")?.n_commits,
      files: 0,
      symbols: 1,
      tests: 0,
      size: { x: x[at] ?? 0, y: y[at] ?? 0, r: symbolRadius(home) },
    };
  });
}

/** The picture of an answer. Areas that hold files, and files that hold symbols, are its grounds. */
export function pictureOf(
  answer: AtlasResponse,
  asked: Asked,
  theme: Theme,
  churn: Churn = null,
): { picture: Picture; colours: Colours; items: Item[] } {
  const items = itemsOf(answer, asked.level, churn);
  // Areas have neither a language nor commits of their own; without a history nothing has commits.
  const isMissing = asked.level === "areas" ? asked.by === "language" || asked.by === "churn" : false;
  const by = isMissing ? "area" : asked.by === "churn" && !churn ? "language" : asked.by;
  const colours = coloursOf(items, by, theme.isDark);
  const things: Thing[] = items.map((item) => ({
    ...spot(item.size),
    label: visible(item.name),
    colour: colours.of(item).strong,
  }));
  if (asked.level !== "symbols") shrinkLargest(things);
  // Grounds come last, so that the numbers of the finest things are those of the answer.
  if (asked.level === "symbols")
    for (const file of answer.files)
      things.push({ ...spot(file), label: visible(file.path), colour: theme.ink, isGround: true });
  else if (asked.level === "files" && asked.area === "")
    for (const area of answer.areas)
      things.push({ ...spot(area), label: visible(area.label), colour: theme.ink, isGround: true });
  return {
    picture: { title: titleOf(asked), things, lines: linesOf(answer, theme), ink: theme.ink, ground: theme.ground },
    colours,
    items,
  };
}

/** Discs with more than this many median radii would hide what is around them. */
const mostRadii = 4;

/** Draws the largest discs as a core of limited size on a pale disc of their true size. */
export function shrinkLargest(things: Thing[]): void {
  const radii = things.map(({ r }) => r).sort((a, b) => a - b);
  const cap = (radii[radii.length >> 1] ?? 0) * mostRadii;
  const n = things.length;
  for (let at = 0; at < n; at += 1) {
    const thing = things[at];
    if (!thing || thing.r <= cap) continue;
    things[at] = { ...thing, r: cap };
    things.push({ ...thing, label: "", isGround: true });
  }
}

/** Whether a thing is the pale disc around a core. */
export const isTrueSize = ({ isGround, label }: Thing) => isGround === true && label === "";

export interface Theme {
  readonly isDark: boolean;
  readonly ink: string;
  readonly ground: string;
  readonly line: string;
}

/** One line for all kinds of edges between two things, the wider the more uses. */
function linesOf({ edges }: AtlasResponse, theme: Theme): Line[] {
  const sums = new Map<number, number>();
  const places = 2 ** 20;
  for (const [at, source] of edges.source.entries()) {
    const key = source * places + (edges.target[at] ?? 0);
    sums.set(key, (sums.get(key) ?? 0) + (edges.count[at] ?? 1));
  }
  // The strongest come first: a renderer that draws fewer leaves out the others.
  return [...sums]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([key, n]) => ({
      source: Math.floor(key / places),
      target: key % places,
      width: Math.min(6, 0.6 + Math.log2(n) * 0.6),
      colour: theme.line,
    }));
}

function titleOf({ level, area, file }: Asked): string {
  if (file !== "") return `Definitions of ${file}`;
  const what = { areas: "Areas", files: "Files", symbols: "Definitions" }[level];
  return area === "" ? `${what} of the repository` : `${what} of ${area}`;
}

// Symbols fill their file's disc evenly; a third of the distance to the next one is theirs.
function symbolRadius(file: { r: number; n_symbols: number } | undefined): number {
  return file ? Math.max(2, (file.r * 0.55) / Math.sqrt(file.n_symbols + 1)) : 2;
}

function spot({ x, y, r }: { x: number; y: number; r: number }) {
  return { x, y, r };
}

/** A neighbour of a thing on the picture, in words; those that it uses come first. */
export interface Neighbour {
  readonly at: number;
  readonly words: string;
  readonly count: number;
}

/** The neighbours of a thing, the most used first. */
export function neighboursOf({ edges }: AtlasResponse, at: number): Neighbour[] {
  const found: Neighbour[] = [];
  for (const [edge, source] of edges.source.entries()) {
    const target = edges.target[edge] ?? 0;
    if (source !== at && target !== at) continue;
    const kind = edges.kinds[edges.kind[edge] ?? 0] ?? "";
    const words = edgeWords[kind] ?? kind.toLowerCase();
    const count = edges.count[edge] ?? 1;
    found.push(source === at ? { at: target, words, count } : { at: source, words: `${words} this`, count });
  }
  return found.sort((a, b) => b.count - a.count || a.at - b.at);
}
