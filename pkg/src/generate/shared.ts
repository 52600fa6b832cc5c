/** Blocks that several documents have: purpose, folders, flows, packages, tests. */

import { type Block, fileLink, lineLink, list, note, paragraph, type Sentence } from "./document.js";
import { definitionLink, type Facts, type Flow } from "./facts.js";
import { sourcesOf } from "./parts.js";
import { docOf, folderOf, foldersOf, grouped, isNamed, sorted, unique } from "./select.js";
import type { TestCase } from "./tests.js";
import { capital, inWords, joined, plural } from "./words.js";

/** In the words of its authors, then in figures. */
export function purposeOf({ about, status, files, definitions, tests }: Facts): Block[] {
  const { paragraph: told, description } = about;
  const quotes: Block[] = [];
  const inReadme = told && description && similar(told.text, description.text);
  for (const said of inReadme ? [told] : [description, told])
    if (said)
      quotes.push({ kind: "quote", text: said.text, at: { path: said.path, line: said.line, holds: { file: true } } });
  const product = sourcesOf(files);
  const largest = [...product].sort((a, b) => b.n_symbols - a.n_symbols || b.n_lines - a.n_lines)[0];
  if (!largest) return quotes;
  const n_tests = new Set(tests.map(({ path }) => path)).size;
  const languages = [...grouped(product, ({ language }) => language)]
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, 3)
    .map(([name]) => languageName(name));
  const size: Sentence = [
    `The product consists of ${plural(product.length, "source file")} in ${languages.length === 1 ? languages[0] : `${languages.slice(0, -1).join(", ")} and ${languages.at(-1)}`}`,
    ` with ${plural(definitions.length, "definition")}; the file with the most is `,
    fileLink(largest.path),
    n_tests > 0 ? `. ${capital(inWords(n_tests, "file has", "files have"))} test cases.` : ".",
  ];
  return [...quotes, paragraph(size), ...(status.n_files === 0 ? [note("The index has no files.")] : [])];
}

function similar(a: string, b: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, " ")
      .trim();
  return plain(a).includes(plain(b)) || plain(b).includes(plain(a));
}

const NAMES: Record<string, string> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "TypeScript",
  csharp: "C#",
  cpp: "C++",
  php: "PHP",
  html: "HTML",
  css: "CSS",
};

function languageName(name: string): string {
  return NAMES[name] ?? capital(name);
}

/** A row for each folder, then what folders use of each other. */
export function foldersBlocks({ files, definitions, links }: Facts): Block[] {
  const product = sourcesOf(files);
  const folders = foldersOf(product.map(({ path }) => path));
  const inside = [...grouped(product, ({ path }) => folderOf(path, folders))].sort((a, b) => b[1].length - a[1].length);
  const rows = inside.slice(0, 20).map(([folder, own]): Sentence[] => {
    const largest = [...own].sort((a, b) => b.n_lines - a.n_lines)[0] as (typeof own)[number];
    const central = sorted(definitions.filter((one) => isNamed(one) && folderOf(one.path, folders) === folder)).slice(
      0,
      3,
    );
    const n_lines = own.reduce((sum, file) => sum + file.n_lines, 0);
    return [
      [folder === "" ? "(top)" : { code: `${folder}/` }],
      [plural(own.length, "file")],
      [n_lines.toLocaleString("en")],
      [fileLink(largest.path, largest.path.slice(folder === "" ? 0 : folder.length + 1))],
      central.length === 0 ? ["–"] : joined(central.map((one) => definitionLink(one, one.name))),
    ];
  });
  const uses = usesBetween(links, folders);
  return [
    { kind: "table", head: ["Folder", "Files", "Lines", "Largest file", "Most used definitions"], rows },
    ...(uses.length > 0 ? [list(uses)] : []),
  ];
}

const MOST_USES = 14;

function usesBetween(links: Facts["links"], folders: ReadonlySet<string>): Sentence[] {
  const named = (folder: string) => (folder === "" ? "the top folder" : { code: `${folder}/` });
  const uses = grouped(
    links.flatMap((link) => {
      const [from, to] = [folderOf(link.from, folders), folderOf(link.to, folders)];
      return from === to ? [] : [{ ...link, pair: `${from}\n${to}` }];
    }),
    ({ pair }) => pair,
  );
  return [...uses]
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MOST_USES)
    .map(([pair, all]): Sentence => {
      const [from = "", to = ""] = pair.split("\n");
      const { from: path, line } = all[0] as (typeof all)[number];
      return [
        ...capitalFirst(named(from)),
        " uses ",
        named(to),
        ` in ${inWords(all.length, "place")}, the first in `,
        { words: `${path}:${line}`, at: { path, line, holds: { file: true } } },
        ".",
      ];
    });
}

const capitalFirst = (part: string | { code: string }): Sentence => [typeof part === "string" ? capital(part) : part];

/** Flows worth telling: every step has a name, no two begin alike, surer entries first as the index orders them. */
export function toldFlows(flows: readonly Flow[]): Flow[] {
  const named = flows.filter(({ steps }) => steps.length >= 3 && steps.every(({ definition }) => isNamed(definition)));
  return unique(named, ({ steps }) => steps[0]?.definition.qualified ?? "");
}

/** The definitions of a flow, each with the line that leads to it. */
export function stepsOf({ steps }: Flow): Sentence[] {
  return steps.map(({ definition, line }, at): Sentence => {
    const doc = docOf(definition);
    const before = steps[at - 1]?.definition;
    const call: Sentence =
      before && line !== undefined
        ? [
            " (called in ",
            { words: `${before.path}:${line}`, at: { path: before.path, line, holds: { file: true } } },
            ")",
          ]
        : [];
    return [definitionLink(definition), ...call, doc === "" ? "." : `: ${doc}`];
  });
}

const MOST_PACKAGES = 12;

/** Packages that others made, by how many files import them. */
export function reliesOn({ packages }: Facts): Block[] {
  const own = packages.filter(({ standard }) => !standard);
  const items = own
    .slice(0, MOST_PACKAGES)
    .map(
      ({ name, files: [path = "", ...more], line }): Sentence => [
        { code: name },
        ": imported by ",
        { words: path, at: { path, line, holds: { file: true } } },
        more.length > 0 ? ` and ${inWords(more.length, "other file")}.` : ".",
      ],
    );
  if (items.length === 0) return [];
  const n = own.length - items.length;
  const standard = packages.length - own.length;
  const more = [
    ...(n > 0 ? [`${capital(inWords(n, "more package is", "more packages are"))} imported by fewer files.`] : []),
    ...(standard > 0
      ? [
          `${capital(inWords(standard, "module"))} of the language's standard library ${standard === 1 ? "is" : "are"} used, too.`,
        ]
      : []),
  ];
  return [list(items), ...(more.length > 0 ? [note(more.join(" "))] : [])];
}

/** A test case as its words, linked to its line. */
export function caseLink({ path, line, name, says }: TestCase) {
  return lineLink(path, line, name, `“${says}”`);
}

/** How the tests are run, and how many there are. */
export function testsBlocks({ tests, about }: Facts): Block[] {
  const commands = about.commands.filter(({ does }) => does === "test");
  const run = commands.map(
    ({ path, line, text }): Sentence => [
      { code: text },
      " runs the tests, as ",
      { words: `${path}:${line}`, at: { path, line, holds: { file: true } } },
      " says.",
    ],
  );
  const most = [...grouped(tests, ({ path }) => path)].sort((a, b) => b[1].length - a[1].length)[0];
  const size: Sentence[] = most
    ? [
        [
          `The index has ${plural(tests.length, "test case")}; the file with the most is `,
          lineLink(most[0], most[1][0]?.line ?? 1, most[1][0]?.name ?? "", most[0]),
          ".",
        ],
      ]
    : [];
  return run.length + size.length === 0 ? [] : [paragraph(...run, ...size)];
}
