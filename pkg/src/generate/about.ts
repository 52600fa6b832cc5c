/** A repository's words about itself: the first paragraph of its README, the description in its manifest, its commands. */

import type { CodeIndex } from "../code-index.js";

/** A statement of the repository about itself, with its place. */
export interface Told {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** A command that a manifest declares, and the line that says so. */
export interface CommandOf extends Told {
  readonly does: "test" | "build" | "start";
}

/** The statements of README and manifests. */
export interface About {
  readonly readme: string | undefined;
  /** The first paragraph of the README. */
  readonly paragraph: Told | undefined;
  readonly description: Told | undefined;
  readonly commands: readonly CommandOf[];
}

/** Reads README and manifests of the index. */
export async function aboutOf(index: Pick<CodeIndex, "text">, paths: readonly string[], name: string): Promise<About> {
  const readme = paths
    .filter((path) => /^readme(\.(md|markdown|mkd|rst|rdoc|txt))?$/i.test(path))
    .sort((a, b) => a.length - b.length)[0];
  const paragraph = readme === undefined ? undefined : paragraphOf(readme, await textOf(index, readme), name);
  const manifests = await Promise.all(
    MANIFESTS.flatMap(({ name, ...rest }) =>
      paths
        .filter((path) => name.test(path) && (!path.includes("/") || rest.anywhere === true))
        .slice(0, 1)
        .map(async (path) => ({ ...rest, path, text: await textOf(index, path) })),
    ),
  );
  const description = manifests
    .map(({ path, text, description }) => description && toldAt(path, text, description))
    .find((told) => told !== undefined && told.text.length > 8);
  return {
    readme,
    paragraph,
    description,
    commands: manifests.flatMap(({ path, text, commands }) => commands(path, text)),
  };
}

const textOf = async (index: Pick<CodeIndex, "text">, path: string) =>
  (await index.text(path).catch(() => ({ text: "" }))).text;

/** The first text that a pattern captures, and its line. */
function toldAt(path: string, text: string, pattern: RegExp): Told | undefined {
  const found = pattern.exec(text);
  const value = found?.[1]?.trim();
  if (!found || !value) return undefined;
  const line = text.slice(0, found.index + found[0].indexOf(value)).split("\n").length;
  return { path, line, text: value.replaceAll('\\"', '"').replace(/\s+/g, " ") };
}

interface Manifest {
  readonly name: RegExp;
  /** Also below the top folder. */
  readonly anywhere?: boolean;
  readonly description?: RegExp;
  commands(path: string, text: string): CommandOf[];
}

/** A command that holds wherever the manifest is there. */
const fixed =
  (does: CommandOf["does"], command: string, where: RegExp = /\S[^\n]*/) =>
  (path: string, text: string): CommandOf[] => {
    const found = where.exec(text);
    return found ? [{ does, path, line: text.slice(0, found.index).split("\n").length, text: command }] : [];
  };

const MANIFESTS: readonly Manifest[] = [
  { name: /^package\.json$/, description: /"description"\s*:\s*"((?:[^"\\]|\\.)*)"/, commands: scripts },
  {
    name: /^Cargo\.toml$/,
    description: /^description\s*=\s*"([^"]*)"/m,
    commands: fixed("test", "cargo test", /^\[(workspace|package)\]/m),
  },
  {
    name: /^pyproject\.toml$/,
    description: /^description\s*=\s*"([^"]*)"/m,
    commands: fixed("test", "pytest", /^.*\bpytest\b.*$/m),
  },
  { name: /^go\.mod$/, commands: fixed("test", "go test ./...", /^module /m) },
  {
    name: /^pom\.xml$/,
    description: /<description>([^<]*)<\/description>/,
    commands: fixed("test", "mvn test", /<project/),
  },
  { name: /^build\.gradle(\.kts)?$/, commands: fixed("test", "gradle test") },
  {
    name: /^composer\.json$/,
    description: /"description"\s*:\s*"((?:[^"\\]|\\.)*)"/,
    commands: fixed("test", "vendor/bin/phpunit", /^.*phpunit\/phpunit.*$/m),
  },
  { name: /^mix\.exs$/, commands: fixed("test", "mix test", /defmodule/) },
  { name: /^Rakefile$/, commands: fixed("test", "rake test", /^.*\btest\b.*$/m) },
  {
    name: /^[^/]+\.gemspec$/,
    description: /\.(?:description|summary)\s*=\s*(?:<<[-~]?\w+\n\s*)?["']?([^"'\n]+)/,
    commands: () => [],
  },
  { name: /^[^/]+\.(sln|slnx)$/, commands: fixed("test", "dotnet test") },
  {
    name: /^CMakeLists\.txt$/,
    commands: fixed("build", "cmake -B build && cmake --build build", /^\s*project\s*\(/im),
  },
];

/** Scripts that package.json names. */
function scripts(path: string, text: string): CommandOf[] {
  return (["test", "build", "start"] as const).flatMap((does) => {
    const found = new RegExp(`^\\s*"${does}"\\s*:\\s*"`, "m").exec(text);
    if (!found) return [];
    const line = text.slice(0, found.index + found[0].length).split("\n").length;
    return [{ does, path, line, text: does === "build" ? "npm run build" : `npm ${does}` }];
  });
}

const MOST_PARAGRAPHS = 12;

/** The paragraph of a README that introduces it: the first that has the name in it, else the first. No heading, badge, list, table or code. */
function paragraphOf(path: string, text: string, name = ""): Told | undefined {
  const lines = text.slice(0, 20_000).split("\n");
  const found: { line: number; words: string[] }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    const plain = plainText(line);
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const isProse =
      !isCode &&
      !/^(\s*([#>|]|[-*+]\s|\d+[.)]\s|\.\. |:\w+:|={1,}|-{3,})|\s{4,}|\t)/.test(line) &&
      !/^[=\-~^]{3,}$/.test(lines[at + 1]?.trim() ?? "") &&
      /[a-z]{2,}.*\s.*[a-z]{2,}/i.test(plain);
    if (isProse && !isOpen) found.push({ line: at + 1, words: [] });
    if (isProse) found.at(-1)?.words.push(plain);
    isOpen = isProse;
  }
  const told = found
    .map(({ line, words }) => ({ path, line, text: words.join(" ").replace(/\s+/g, " ").trim() }))
    .filter(({ text: words }) => words.replace(/https?:\S+/g, "").length >= 40 && !/[:]$|https?:\S+\.?$/.test(words))
    .slice(0, MOST_PARAGRAPHS);
  const chosen =
    told.find(({ text: words }) => name.length > 1 && words.toLowerCase().includes(name.toLowerCase())) ?? told[0];
  if (!chosen) return undefined;
  const short = chosen.text.length > 500 ? `${chosen.text.slice(0, chosen.text.lastIndexOf(" ", 500))}…` : chosen.text;
  return { ...chosen, text: short };
}

/** A line of Markdown without its marks. */
function plainText(line: string): string {
  return line
    .replace(/\[!\[[^\]]*\]\([^)]*\)\](\([^)]*\)|\[[^\]]*\])?/g, "")
    .replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?/g, "")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[*_]{2}([^*_]+)[*_]{2}/g, "$1")
    .replace(/(^|\s)[*_]([^*_]+)[*_](?=\W|$)/g, "$1$2")
    .replace(/`([^`]*)`/g, "$1")
    .replace(/^\s*\[[^\]]+\]:.*$/, "")
    .trim();
}
