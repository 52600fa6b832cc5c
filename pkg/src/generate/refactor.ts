/** Proposals to improve the code, each with its evidence. Nothing is changed: edits are diffs for people to read and apply. */

import type { Citations } from "./check.js";
import {
  type Block,
  type Citation,
  fileLink,
  list,
  note,
  paragraph,
  section,
  type Section,
  type Sentence,
} from "./document.js";
import { definitionLink, type Definition, type Facts, rows } from "./facts.js";
import { partOf } from "./parts.js";
import { areaTitle, grouped, isCallable, isNamed, unique } from "./select.js";
import { unusedOf, unusedSentence } from "./unused.js";
import { capital, inWords, joined } from "./words.js";

/** Texts that edits would leave; gives the paths of those that do not parse any more. */
export type Reparse = (
  edited: readonly { readonly path: string; readonly text: string }[],
) => Promise<ReadonlySet<string>>;

/** The proposals to clean up. */
export async function refactorings(facts: Facts, citations: Citations, reparse?: Reparse): Promise<Section[]> {
  const sections = [
    ...section("unused", "Remove what nothing uses", await unusedBlocks(facts, citations, reparse)),
    ...section("duplicates", "Merge functions with the same body", await duplicatesBlocks(facts, citations)),
    ...section("cycles", "Break import cycles", await cyclesBlocks(facts, citations)),
    ...section("functions", "Split long functions", await longFunctions(facts, citations)),
    ...section("files", "Split long files", longFiles(facts)),
  ];
  if (sections.length === 0) return [];
  const intro = note(
    "Proposals from the graph and the texts of the index. A diff is shown where an edit is mechanical; nothing has been changed. Read each one before you apply it: reflection, generated code and files outside the index are not visible here.",
  );
  return [{ id: "about", title: "About these proposals", level: 2, blocks: [intro] }, ...sections];
}

async function unusedBlocks(facts: Facts, citations: Citations, reparse: Reparse | undefined): Promise<Block[]> {
  const unused = await unusedOf(facts, citations);
  const bad = reparse
    ? await brokenBy(
        unused.map(({ definition, text }) => ({ path: definition.path, text })),
        reparse,
      )
    : undefined;
  return unused.flatMap((one, at): Block[] =>
    bad?.has(at)
      ? []
      : [
          paragraph(unusedSentence(one)),
          { kind: "diff", path: one.definition.path, text: one.diff, checked: bad !== undefined },
        ],
  );
}

/** Numbers of the edits whose files do not parse. Two edits of one file are tried one after the other. */
async function brokenBy(edits: readonly { path: string; text: string }[], reparse: Reparse): Promise<Set<number>> {
  const broken = new Set<number>();
  let left = edits.map((edit, at) => ({ ...edit, at }));
  while (left.length > 0) {
    const round = unique(left, ({ path }) => path);
    const paths = await reparse(round);
    for (const { path, at } of round) if (paths.has(path)) broken.add(at);
    left = left.filter((edit) => !round.includes(edit));
  }
  return broken;
}

const LEAST_LINES = 8;
const MOST_GROUPS = 10;

async function duplicatesBlocks(facts: Facts, citations: Citations): Promise<Block[]> {
  const long = facts.definitions.filter(
    (one) => isCallable(one) && one.kind !== "macro" && one.end - one.start + 1 >= LEAST_LINES,
  );
  const bodies = await Promise.all(
    long
      .slice(0, 6_000)
      .map(async (definition) => ({ definition, body: bodyOf(definition, await citations.linesOf(definition.path)) })),
  );
  const groups = [
    ...grouped(
      bodies.filter(({ body }) => body !== ""),
      ({ body }) => body,
    ).values(),
  ]
    .map((group) => group.map(({ definition }) => definition))
    .filter((group) => group.length > 1)
    .sort((a, b) => size(b) - size(a));
  return [
    list(
      groups.slice(0, MOST_GROUPS).map((group): Sentence => {
        const [first] = group as [Definition];
        return [
          ...joined(group.slice(0, 5).map((one) => definitionLink(one, `${one.qualified} in ${one.path}`))),
          group.length > 5 ? ` and ${inWords(group.length - 5, "more", "more")}` : "",
          ` have the same ${inWords(first.end - first.start + 1, "line")} of code: `,
          group.every(({ kind }) => kind === "function")
            ? group.every(({ name }) => name === first.name)
              ? "a file that all of them use could hold it once."
              : "keep one and call it from the others."
            : "a function that all of them call could hold it.",
        ];
      }),
    ),
  ];
}

const size = (group: readonly Definition[]) => group.length * ((group[0]?.end ?? 0) - (group[0]?.start ?? 0));

/** The text of a function without its name, white space at the edges of lines, and comments that are lines of their own. */
function bodyOf({ name, start, end }: Definition, lines: readonly string[] | null): string {
  if (!lines) return "";
  const own = lines
    .slice(start - 1, end)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(\/\/|\/\*|\*|#(?!\w)|--)/.test(line));
  return own.length < LEAST_LINES
    ? ""
    : own.join("\n").replace(new RegExp(`\\b${name.replace(/\W/g, "\\$&")}\\b`, "g"), "_");
}

/** Where a file runs when it is first imported, so that a cycle can meet a name before it is defined. */
const LOADED_IN_ORDER = new Set(["javascript", "typescript", "tsx", "python", "ruby", "c", "cpp"]);
/** An import that is erased, delayed, or of a package by its own part. */
const HARMLESS = /^\s*(import|export)\s+type\b|^\s+(import|from)\b|^from\s+\.+\s+import\b/;

async function cyclesBlocks({ index, links, files }: Facts, citations: Citations): Promise<Block[]> {
  const { cycles } = await index.cycles({ edges: ["IMPORTS"], nodes: ["file"], limit: 20, max_bytes: 400_000 });
  const languages = new Map(files.map(({ path, language }) => [path, language]));
  const own = cycles.filter(({ members }) =>
    members.every(({ path }) => partOf(path) === "product" && LOADED_IN_ORDER.has(languages.get(path) ?? "")),
  );
  const items: Sentence[] = [];
  for (const { n_members, path } of own.slice(0, 6)) {
    const steps = path.edges.map((edge, at) => {
      const [from, to] = [path.nodes[at]?.path ?? "", path.nodes[at + 1]?.path ?? ""];
      return { from, to, line: edge.use_line, n: links.filter((link) => link.from === from && link.to === to).length };
    });
    const texts = await Promise.all(
      steps.map(async ({ from, line }) => (await citations.linesOf(from))?.[line - 1] ?? ""),
    );
    // A Python package imports its own parts by its own name; declarations of TypeScript do not run.
    if (texts.some((text) => HARMLESS.test(text)) || steps.some(({ to }) => /\/__init__\.py$|\.d\.[cm]?ts$/.test(to)))
      continue;
    const [weakest] = [...steps].sort((a, b) => a.n - b.n);
    if (!weakest) continue;
    const { from, to, line } = weakest;
    const used = await rows(
      index,
      "MATCH (a)-[:CALLS|REFERENCES]->(b:Symbol) WHERE a.path = $from AND b.path = $to RETURN DISTINCT b.qualified_name, b.line LIMIT 4",
      { from, to },
    );
    const names = (used as [string, number][]).map(([name, at]) => ({
      code: name,
      at: { path: to, line: at, holds: { symbol: name } } as Citation,
    }));
    items.push([
      `${capital(inWords(n_members, "file"))} import one another (`,
      ...steps.flatMap((step) => [fileLink(step.from), " → "]),
      fileLink(steps[0]?.from ?? from),
      "). The weakest link is the import at ",
      { words: `${from}:${line}`, at: { path: from, line: Math.max(1, line), holds: { file: true } } },
      ...(names.length > 0
        ? [", for ", ...joined(names), ": move that to a file that neither imports."]
        : [": it can go where its names move to a third file."]),
    ]);
  }
  return [list(items)];
}

const LONG = 80;
const COMPLEX = 15;

async function longFunctions({ definitions }: Facts, citations: Citations): Promise<Block[]> {
  const n_lines = ({ start, end }: Definition) => end - start + 1;
  const long = definitions
    .filter(
      (one) =>
        isCallable(one) && isNamed(one) && n_lines(one) >= 30 && (one.complexity >= COMPLEX || n_lines(one) >= LONG),
    )
    .sort((a, b) => b.complexity * n_lines(b) - a.complexity * n_lines(a))
    .slice(0, 10);
  const items = await Promise.all(
    long.map(async (one): Promise<Sentence> => {
      const pieces = piecesOf(one, await citations.linesOf(one.path));
      const points: Sentence = pieces.flatMap(
        ({ from, to, says }, at): Sentence => [
          at === 0 ? " It could be split at " : "; ",
          { words: `lines ${from}–${to}`, at: { path: one.path, line: from, holds: { file: true } } },
          says === "" ? "" : ` (“${says}”)`,
        ],
      );
      return [
        definitionLink(one),
        ` has ${inWords(n_lines(one), "line")} and a cyclomatic complexity of ${one.complexity}.`,
        ...points,
        ...(points.length > 0 ? ["."] : []),
      ];
    }),
  );
  return [list(items)];
}

const LEAST_PIECE = 8;

/** The largest paragraphs at the level of a function's body: they begin after an empty line, or with a comment. */
export function piecesOf(
  { start, end, line }: Pick<Definition, "start" | "end" | "line">,
  lines: readonly string[] | null,
): { from: number; to: number; says: string }[] {
  if (!lines) return [];
  const indent = (text: string) => text.length - text.trimStart().length;
  const body = Array.from({ length: Math.max(0, end - line - 1) }, (_, at) => line + 1 + at);
  const filled = body.filter((at) => lines[at - 1]?.trim());
  const level = Math.min(
    ...filled.map((at) => indent(lines[at - 1] as string)).filter((n) => n > indent(lines[start - 1] ?? "")),
  );
  const starts = filled.filter((at) => {
    const before = lines[at - 2]?.trim() ?? "";
    return indent(lines[at - 1] as string) === level && before === "" && !/^[})\]]/.test(lines[at - 1]?.trim() ?? "");
  });
  return starts
    .map((from, at) => {
      let to = (starts[at + 1] ?? end) - 1;
      while (to > from && !lines[to - 1]?.trim()) to -= 1;
      const comment = /^\s*(?:\/\/+|#+|\/\*+|--)\s*(.*?)\s*(?:\*\/)?$/.exec(lines[from - 1] ?? "")?.[1] ?? "";
      return { from, to, says: /[a-z]{3}/i.test(comment) ? shortened(comment) : "" };
    })
    .filter(({ from, to }) => to - from + 1 >= LEAST_PIECE && to - from + 1 < (end - start + 1) * 0.75)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, 3)
    .sort((a, b) => a.from - b.from);
}

const LONG_FILE = 800;

const shortened = (text: string) => (text.length <= 80 ? text : `${text.slice(0, text.lastIndexOf(" ", 80))}…`);

/** Long files whose definitions belong to several areas. */
function longFiles({ files, areas }: Facts): Block[] {
  const long = files
    .filter(({ path, n_lines }) => n_lines >= LONG_FILE && partOf(path) === "product")
    .sort((a, b) => b.n_lines - a.n_lines);
  const items = long.flatMap(({ path, n_lines }): Sentence[] => {
    const own = areas
      .map((area) => ({ area, members: area.members.filter((one) => one.path === path && isNamed(one)) }))
      .filter(({ members }) => members.length >= 3);
    if (own.length < 2) return [];
    return [
      [
        fileLink(path),
        ` has ${n_lines.toLocaleString("en")} lines, and its definitions belong to ${inWords(own.length, "area")}: `,
        ...own
          .slice(0, 4)
          .flatMap(
            ({ area, members }, at): Sentence => [
              at === 0 ? "" : "; ",
              `${areaTitle(area)} with `,
              ...joined(members.slice(0, 2).map((one) => definitionLink(one, one.name))),
            ],
          ),
        ". Each could be a file.",
      ],
    ];
  });
  return [list(items.slice(0, 8))];
}
