//! Replacements: a template with the captures of a structural match, or with the groups of a regular expression.

import type { RegexMatch, StructuralMatch } from "portolan";
import { lineStarts } from "../views/lines.ts";
import type { Edit } from "../write/plan.ts";

type Found = Edit & { readonly sort: string; readonly chosen: boolean };

/** Edits of one file, and the matches that cannot be replaced, by reason. */
export interface Replaced {
  readonly edits: readonly Found[];
  readonly left: readonly { readonly line: number; readonly reason: string }[];
}

interface Place {
  readonly line: number;
  readonly character: number;
}

function offsetOf(starts: readonly number[], length: number, { line, character }: Place): number {
  return Math.min(length, (starts[line] ?? length) + character);
}

/** Names in a template of structural search: `$A` and `$$$ARGS`. */
const hole = /\$(?:\$\$)?([A-Z_][A-Z0-9_]*)/g;

/** Names that the template uses and that no match can fill: those that the pattern does not have. */
export function unknownNames(pattern: string, template: string): string[] {
  const known = new Set([...pattern.matchAll(hole)].map((match) => match[1]));
  const captures = new Set([...pattern.matchAll(/@([\w.-]+)/g)].map((match) => match[1]));
  const used = [...template.matchAll(hole)].map((match) => match[1] ?? "");
  return [...new Set(used)].filter((name) => name.startsWith("_") || !(known.has(name) || captures.has(name)));
}

/** Replaces the matches of a structural search in one file; `matches` are those of this file. */
export function structuralEdits(text: string, matches: readonly StructuralMatch[], template: string): Replaced {
  const starts = lineStarts(text);
  const offset = (place: Place) => offsetOf(starts, text.length, place);
  const edits = matches.map(({ range, captures }): Found => {
    const start = offset(range.start);
    const values = new Map<string, string>();
    for (const capture of captures)
      if (!values.has(capture.name))
        values.set(capture.name, text.slice(offset(capture.range.start), offset(capture.range.end)));
    // Further lines of the template begin where the match's line begins; captures stay as they are.
    const indent = /^[ \t]*/.exec(text.slice(starts[range.start.line] ?? 0, start))?.[0] ?? "";
    const placed = template.replaceAll("\n", () => `\n${indent}`);
    return {
      start,
      end: offset(range.end),
      text: placed.replaceAll(hole, (_, name: string) => values.get(name) ?? ""),
      sort: "",
      chosen: true,
    };
  });
  return { edits, left: [] };
}

const groupName = /\$(?:\$|(\d+)|\{(\w+)\})/g;

/** Whether the template names groups. */
function hasGroups(template: string): boolean {
  return [...template.matchAll(groupName)].some((match) => match[0] !== "$$");
}

/** The pattern as JavaScript reads it; null where it cannot. */
export function scriptPattern(pattern: string, ignoreCase: boolean): RegExp | null {
  const [, flags = "", rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  try {
    const all = new Set(`${flags}${ignoreCase ? "i" : ""}yu`);
    return new RegExp(rest.replaceAll("(?P<", "(?<"), [...all].join(""));
  } catch {
    return null;
  }
}

/** Replaces the matches of a regular expression in one file; `matches` are those of this file. */
export function regexEdits(
  text: string,
  matches: readonly RegexMatch[],
  { pattern, ignoreCase, template }: { pattern: string; ignoreCase: boolean; template: string },
): Replaced {
  const lines = text.split("\n");
  const starts = lineStarts(text);
  const script = hasGroups(template) ? scriptPattern(pattern, ignoreCase) : null;
  const edits: Found[] = [];
  const left: { line: number; reason: string }[] = [];
  for (const { line, text: shown, marks } of matches) {
    const whole = (lines[line - 1] ?? "").replace(/\r$/, "");
    // Of a very long line only a part comes with the match: its offsets are not those of the line.
    if (whole !== shown) {
      left.push({ line, reason: "the line is too long" });
      continue;
    }
    for (const [start, end] of marks) {
      const fresh = hasGroups(template) ? filledByGroups(whole, start, end, script, template) : plain(template);
      if (fresh === null) left.push({ line, reason: "its groups cannot be told" });
      else
        edits.push({
          start: (starts[line - 1] ?? 0) + start,
          end: (starts[line - 1] ?? 0) + end,
          text: fresh,
          sort: "",
          chosen: true,
        });
    }
  }
  return { edits, left };
}

function plain(template: string): string {
  return template.replaceAll("$$", "$");
}

/** The engine says where a match is, not its groups: the same pattern must match the same stretch here. */
function filledByGroups(
  line: string,
  start: number,
  end: number,
  script: RegExp | null,
  template: string,
): string | null {
  if (!script) return null;
  script.lastIndex = start;
  const match = script.exec(line);
  if (!match || match.index !== start || match[0].length !== end - start) return null;
  const known = match.groups ?? {};
  let isKnown = true;
  const filled = template.replaceAll(groupName, (all: string, number?: string, name?: string) => {
    if (all === "$$") return "$";
    const at = number ?? (name !== undefined && /^\d+$/.test(name) ? name : undefined);
    if (at !== undefined ? Number(at) >= match.length : !(name !== undefined && name in known)) isKnown = false;
    return (at !== undefined ? match[Number(at)] : known[name ?? ""]) ?? "";
  });
  return isKnown ? filled : null;
}
