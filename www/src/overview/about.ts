//! The description of a repository by its manifest and its README.

/** A manifest's or README's facts. Everything may be missing. */
export interface About {
  readonly description: string;
  /** `npm package shop 1.4.0`. */
  readonly what: string;
  readonly licence: string;
  /** Files that begin the program or the package, as the manifest names them. */
  readonly entries: readonly string[];
}

type Reader = (text: string) => About;

const none: About = { description: "", what: "", licence: "", entries: [] };

/** Manifests that are read, the most telling first. */
const readers: readonly [name: string, read: Reader][] = [
  ["package.json", npm],
  ["Cargo.toml", cargo],
  ["pyproject.toml", python],
  ["composer.json", composer],
  ["go.mod", go],
  ["setup.cfg", setup],
  ["pubspec.yaml", pubspec],
];

/** Manifests of the top folder among paths, in the order in which they are asked. */
export function manifestsAmong(paths: readonly string[]): readonly string[] {
  const there = new Set(paths);
  return readers.map(([name]) => name).filter((name) => there.has(name));
}

/** Joins what manifests and the README say: the first that says something wins. */
export function aboutOf(files: readonly { path: string; text: string }[], readme: string): About {
  const read = files.map(({ path, text }) => readers.find(([name]) => name === path)?.[1](text) ?? none);
  const first = (of: (about: About) => string) => read.map(of).find((text) => text !== "") ?? "";
  return {
    description: first(({ description }) => description) || firstParagraph(readme),
    what: read
      .map(({ what }) => what)
      .filter(Boolean)
      .join(" · "),
    licence: first(({ licence }) => licence),
    entries: [...new Set(read.flatMap(({ entries }) => entries))].slice(0, 6),
  };
}

function npm(text: string): About {
  const { name, version, description, license, main, module, bin, exports } = objectOf(text);
  const program = typeof bin === "string" ? [bin] : Object.values(recordOf(bin));
  const root = recordOf(exports)["."] ?? exports;
  const entries = [main, module, ...program, ...addressesIn(root)];
  return {
    description: textOf(description),
    what: joined(bin === undefined ? "npm package" : "npm package with a command", name, version),
    licence: textOf(license),
    entries: entries.filter((path) => typeof path === "string").map((path) => path.replace(/^\.\//, "")),
  };
}

function composer(text: string): About {
  const { name, description, license, type } = objectOf(text);
  return {
    ...none,
    description: textOf(description),
    what: joined(`PHP ${textOf(type) || "package"}`, name),
    licence: textOf(license),
  };
}

function cargo(text: string): About {
  const own = tableOf(text, "package");
  const shared = tableOf(text, "workspace.package");
  const value = (key: string) => own.get(key) ?? shared.get(key) ?? "";
  const isWorkspace = own.size === 0 && /^\[workspace\]/m.test(text);
  return {
    description: value("description"),
    what: isWorkspace ? "Cargo workspace" : own.size > 0 ? joined("Rust crate", value("name"), value("version")) : "",
    licence: value("license"),
    entries: own.size > 0 ? ["src/main.rs", "src/lib.rs"] : [],
  };
}

function python(text: string): About {
  const project = tableOf(text, "project");
  const poetry = tableOf(text, "tool.poetry");
  const value = (key: string) => project.get(key) ?? poetry.get(key) ?? "";
  return {
    ...none,
    description: value("description"),
    what: value("name") === "" ? "" : joined("Python package", value("name"), value("version")),
    licence: value("license"),
  };
}

function setup(text: string): About {
  const value = (key: string) => new RegExp(`^${key}\\s*=\\s*(.+)$`, "m").exec(text)?.[1]?.trim() ?? "";
  return {
    ...none,
    description: value("description"),
    what: joined("Python package", value("name"), ""),
    licence: value("license"),
  };
}

function go(text: string): About {
  const name = /^module\s+(\S+)/m.exec(text)?.[1] ?? "";
  return { ...none, what: joined("Go module", name), entries: ["main.go"] };
}

function pubspec(text: string): About {
  const value = (key: string) =>
    new RegExp(`^${key}:\\s*(.+)$`, "m")
      .exec(text)?.[1]
      ?.trim()
      .replace(/^["']|["']$/g, "") ?? "";
  return { ...none, description: value("description"), what: joined("Dart package", value("name"), value("version")) };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The files that an entry of `exports` names, whatever its conditions are; types are no entry. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.entries(recordOf(value)).flatMap(([key, inner]) => (key === "types" ? [] : addressesIn(inner)));
}

function joined(...words: unknown[]): string {
  return words.map(textOf).filter(Boolean).join(" ");
}

/** Texts of one table of TOML, key by key. Values that are no plain text are not read: nothing here needs them. */
function tableOf(toml: string, name: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isIn = false;
  for (const line of toml.split("\n")) {
    const head = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1];
    if (head !== undefined) isIn = head.trim() === name;
    const [, key, double, single] = /^\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(line) ?? [];
    if (isIn && key !== undefined) values.set(key, (double ?? single ?? "").replaceAll('\\"', '"'));
  }
  return values;
}

const longest = 320;

const entities: Readonly<Record<string, string>> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The first paragraph of prose in Markdown, as plain text: no headings, badges, rows of links, lists, tables or code, in HTML neither. */
export function firstParagraph(markdown: string): string {
  const plain = markdown
    .slice(0, 20_000)
    .replaceAll(/```[\s\S]*?(```|$)/g, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<(h[1-6]|pre|table|ul|ol)\b[\s\S]*?<\/\1>/gi, "\n\n")
    .replaceAll(/<\/?(p|div|center|section|details|hr)\b[^>]*>/gi, "\n\n");
  for (const block of plain.split(/\n\s*\n/)) {
    if (/^\s*([#>|\-*+=]|\d+\.|\[[^\]]*\]:)/.test(block) || /\n[=-]{3,}\s*$/.test(block)) continue;
    const pictureless = block.replaceAll(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/g, "");
    // A line of words, not a row of links or what is left of one of badges.
    const own = pictureless.replaceAll(linkOfMarkdown, "").replaceAll(/<a\b[\s\S]*?<\/a>/gi, "");
    if (wordsOf(own).filter((word) => /[\p{L}\p{N}]/u.test(word)).length < 4) continue;
    const text = wordsOf(pictureless.replaceAll(linkOfMarkdown, "$1")).join(" ");
    return text.length > longest ? `${text.slice(0, longest).replace(/\s\S*$/, "")} …` : text;
  }
  return "";
}

const linkOfMarkdown = /\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g;

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/[*_`]+/g, "")
    .split(/\s+/)
    .filter((word) => word !== "");
}
