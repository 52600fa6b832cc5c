/** The smallest parts of the texts that agents read. */

import type { Candidate, CoChanged, FileEntry, Page, SymbolRef } from "../answers.js";
import { quantity } from "../quantity.js";
import type { KeptIndex } from "./keeper.js";

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Lines of code: no line of a file can look like a line of ours. */
export function numbered(lines: readonly string[], first: number): string[] {
  return lines.map((line, place) => `${first + place}\t${line}`);
}

export function cell(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "null" : JSON.stringify(value);
}

export function firstLine(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length > 0 ? `${first} …` : first;
}

/** The files of an index, a line each. */
export function fileLines({ files, total }: { files: FileEntry[]; total: number }): string[] {
  const line = ({ path, language, n_lines, n_symbols }: FileEntry) =>
    `${path}  ${language}, ${quantity(n_lines, "line")}, ${quantity(n_symbols, "symbol")}`;
  return [quantity(total, "file"), ...files.map(line)];
}

/** An index that was built or brought up to date. */
export function indexLines({ root, n_files, n_symbols, seconds, changes }: KeptIndex): string[] {
  const counts = Object.entries(changes ?? {}).map(([what, n]) => `${n} ${what}`);
  const symbols = n_symbols === undefined ? "" : `, ${quantity(n_symbols, "symbol")}`;
  return [
    `${root}: ${quantity(n_files, "file")}${symbols}, ${seconds} s`,
    ...(counts.length > 0 ? [counts.join(", ")] : []),
  ];
}

/** A symbol: where it is and what. */
export function place({ path, line, qualified_name, kind }: SymbolRef): string {
  return `${path}:${line} ${kind} ${qualified_name}`;
}

/** A list below its title, which says how many more there are. */
export function section(title: string, lines: readonly string[], page?: Page): string[] {
  if (lines.length === 0) return [];
  const total = page && page.total > lines.length ? ` (${lines.length} of ${page.total})` : "";
  return [`${title}${total}`, ...lines.map((line) => `  ${line}`)];
}

/** The files that usually change together with the one that an answer is about. */
export function changesWithLines(files: readonly CoChanged[] = []): string[] {
  const lines = files.map(
    ({ path, support, confidence }) => `${path}: ${quantity(support, "commit")}, ${percent(confidence)}`,
  );
  return section("its file usually changes with", lines);
}

/** Says that a name has several definitions, and how to choose one. */
export function ambiguity(status: string, candidates: readonly Candidate[]): string[] {
  if (status !== "ambiguous") return [];
  return [
    `${quantity(candidates.length, "definition")} have this name; this is about the likeliest. To choose one: ${candidates
      .slice(0, 6)
      .map(({ selector }) => selector)
      .join(", ")}`,
  ];
}
