/**
 * Tells an agent at its start what the repository is: size and languages, folders, functional areas with their central symbols, entry
 * points, and conventions that the names of its files show. Nothing of it is a text of the repository.
 */

import type { CommunitiesResponse, FileEntry, FileList, ProcessesResponse } from "../answers.js";
import { quantity } from "../quantity.js";
import { asked, type Ask } from "./ask.js";
import { framed, short } from "./frame.js";

const MAX_TOKENS = 400;
const MAX_AREAS = 6;
const MAX_ENTRIES = 6;
const MAX_FOLDERS = 8;
const MAX_LANGUAGES = 5;
/** Kinds of entry points that a person means by the word. */
const ENTRY_KINDS = ["main", "route", "handler", "exported"];
/** A folder of fewer files is no part of the layout. */
const MIN_FILES = 2;

/** Languages in which programs are not written. */
const NO_CODE = new Set(["markdown", "json", "yaml", "toml", "text", "plain", "html", "css", "xml", "ini", "csv"]);

/** Files that say how a repository is built and checked, at its top. */
const MANIFEST =
  /^(package\.json|Cargo\.toml|pyproject\.toml|setup\.py|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|CMakeLists\.txt|Makefile|justfile|deno\.json|tsconfig\.json|biome\.json|ruff\.toml|rustfmt\.toml|Dockerfile)$/;
const GUIDE = /^(README|CONTRIBUTING|ARCHITECTURE|AGENTS|CLAUDE|GEMINI|CHANGELOG)(\.\w+)?$/i;

/** Names of test files, from the commonest; the first that fits is the convention's. */
const TEST_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.(test)\.[cm]?[jt]sx?$/, "*.test.*"],
  [/\.(spec)\.[cm]?[jt]sx?$/, "*.spec.*"],
  [/_test\.go$/, "*_test.go"],
  [/(^|\/)test_[^/]+\.py$/, "test_*.py"],
  [/_test\.py$/, "*_test.py"],
  [/_spec\.rb$/, "*_spec.rb"],
  [/_test\.(rb|exs|dart|c|cc|cpp)$/, "*_test.*"],
  [/(Test|Tests|Spec)\.(java|kt|scala|cs|php|swift)$/, "*Test.*"],
  [/(^|\/)tests?\/.*\.rs$/, "tests/*.rs"],
];

/** Describes the repository at the start of a session or of a sub-agent; empty for an index without code. */
export function orientation(ask: Ask): string {
  const { files } = asked<FileList>(ask, "files", {}) ?? { files: [] };
  if (files.length === 0) return "";
  const areas = areasOf(ask);
  const entries = entriesOf(ask);
  const folders = foldersOf(files);
  return framed({
    head: "About this repository, from its index.",
    maxTokens: MAX_TOKENS,
    noun: ["group of facts", "groups of facts"],
    blocks: [
      [sizeOf(files)],
      [`Folders: ${folders.shown.map(([name, n]) => `${short(name)}/ (${quantity(n, "file")})`).join(", ")}`],
      areas.lines,
      entries.lines,
      conventionsOf(files),
    ].filter((block) => block.length > 0 && !/: $/.test(block[0] ?? "")),
    leftOut: [
      ...some(folders.n_more, "folder"),
      ...some(areas.n_more, "functional area"),
      ...some(entries.n_more, "entry point"),
    ],
  });
}

export function some(n: number, noun: string): string[] {
  return n > 0 ? [quantity(n, noun)] : [];
}

function sizeOf(files: readonly FileEntry[]): string {
  const lines = new Map<string, number>();
  for (const { language, n_lines } of files) lines.set(language, (lines.get(language) ?? 0) + n_lines);
  const code = [...lines].filter(([language]) => !NO_CODE.has(language)).sort((a, b) => b[1] - a[1]);
  const total = files.reduce((sum, { n_lines }) => sum + n_lines, 0);
  const named = code.slice(0, MAX_LANGUAGES).map(([language, n]) => `${language} ${Math.round((100 * n) / total)} %`);
  return `Size: ${quantity(files.length, "file")}, ${quantity(total, "line")}${named.length > 0 ? `; ${named.join(", ")}` : ""}`;
}

/** Folders by files; one that holds nearly all is shown by those within it. */
function foldersOf(files: readonly FileEntry[]): { shown: [string, number][]; n_more: number } {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { path } of files) {
    const [first, second, ...rest] = path.split("/");
    if (second !== undefined)
      add(rest.length > 0 && isContainer(first ?? "", files) ? `${first}/${second}` : `${first}`);
  }
  const all = [...counts].filter(([, n]) => n >= MIN_FILES).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { shown: all.slice(0, MAX_FOLDERS), n_more: Math.max(0, all.length - MAX_FOLDERS) };
}

function isContainer(folder: string, files: readonly FileEntry[]): boolean {
  return /^(packages|crates|apps|libs|modules|services|src)$/.test(folder) && files.length > MAX_FOLDERS;
}

function areasOf(ask: Ask): { lines: string[]; n_more: number } {
  const { communities, page } = asked<CommunitiesResponse>(ask, "communities", { limit: MAX_AREAS }) ?? {
    communities: [],
    page: { total: 0 },
  };
  const lines = communities.map(({ label, central }) => {
    const names = [...new Set(central.map(({ qualified_name }) => short(qualified_name)))].slice(0, 3);
    return `  ${short(label)}: ${names.join(", ")}`;
  });
  return {
    lines: lines.length > 0 ? ["Areas, with their most used symbols", ...lines] : [],
    n_more: page.total - lines.length,
  };
}

function entriesOf(ask: Ask): { lines: string[]; n_more: number } {
  const { processes } = asked<ProcessesResponse>(ask, "processes", {
    entry_kinds: ENTRY_KINDS,
    limit: 10 * MAX_ENTRIES,
  }) ?? {
    processes: [],
  };
  const named = new Map(
    processes.map(({ entry, entry_kind }) => [
      `${entry.path}#${entry.qualified_name}`,
      `  ${entry_kind} ${short(entry.qualified_name)} (${short(entry.path)}:${entry.line})`,
    ]),
  );
  const lines = [...named.values()];
  return {
    lines: lines.length > 0 ? ["Entry points", ...lines.slice(0, MAX_ENTRIES)] : [],
    n_more: Math.max(0, lines.length - MAX_ENTRIES),
  };
}

/** Conventions that names of files show. */
function conventionsOf(files: readonly FileEntry[]): string[] {
  const top = files.map(({ path }) => path).filter((path) => !path.includes("/"));
  const manifests = top.filter((path) => MANIFEST.test(path)).slice(0, 8);
  const guides = top.filter((path) => GUIDE.test(path)).slice(0, 6);
  const tests = TEST_NAMES.map(([name, shown]) => [shown, files.filter(({ path }) => name.test(path))] as const)
    .filter(([, found]) => found.length > 0)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, 2)
    .map(([shown, found]) => `${shown} in ${placeOf(found)} (${quantity(found.length, "file")})`);
  return [
    ...(manifests.length > 0 ? [`Build and checks: ${manifests.join(", ")}`] : []),
    ...(guides.length > 0 ? [`Guides: ${guides.map(short).join(", ")}`] : []),
    ...(tests.length > 0 ? [`Tests: ${tests.join("; ")}`] : []),
  ];
}

/** The folder in which most of these files are. */
function placeOf(files: readonly FileEntry[]): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.includes("/") ? `${path.split("/").slice(0, -1).slice(0, 2).join("/")}/` : "the top folder";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [[most = ""] = []] = [...counts].sort((a, b) => b[1] - a[1]);
  return short(most);
}
