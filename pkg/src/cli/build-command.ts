/**
 * `portolan build`: the explorer page and an index in one folder, for any static host. Every address in it is relative, so it works
 * under any path.
 */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join, relative, resolve, sep } from "node:path";

import { PortolanError } from "../errors.js";
import { writeSnapshot } from "../node/file-store.js";
import { wholeIndex } from "../node/overlay.js";
import { findRoot } from "../node/root.js";
import { readRegular, unwritable } from "../node/safe-files.js";
import { openIndex } from "./open-index.js";
import { cardOf, type FirstPage, forTeam, withContent, withHead } from "./first-page.js";
import { type Card, givenCard, siteUrl } from "./site-card.js";
import { nameParts } from "./site-parts.js";
import { UsageError, type Command } from "../commands/options.js";
import { cleared, type Mark } from "./output-folder.js";

/** Folder of the package, seen from the bundle in `dist/node/`. */
const PACKAGE = new URL("../../", import.meta.url);
/** Where the page looks for the index that came with it. */
const INDEX = "sample/portolan.index";
/** A larger index is not fetched as a whole by who only wants to look something up. */
const WHOLE_BYTES = 16_000_000;
/** A file that marks a folder built here: only such a one is replaced. */
const MARK = "portolan-site.json";
const PAGE: Mark = { file: MARK, isOurs: ({ name, digest }) => typeof name === "string" && typeof digest === "string" };

/** Grammars that a language may need beside the one of its own name. */
const MORE_GRAMMARS: Record<string, readonly string[]> = { typescript: ["tsx"], html: ["javascript", "typescript"] };

export async function build(command: Command): Promise<string> {
  const { options, operands } = command;
  if (options["for-team"] === true) return teamPage(command);
  if (operands.length > 1) throw new UsageError("build: one PATH is enough");
  if (options.index !== undefined && operands.length > 0) throw new UsageError("build: give either PATH or --index");
  const parts = pageFiles();
  const address = siteUrl(options["site-url"]);
  const given = options.card === undefined ? undefined : givenCard(options.card);
  const root = operands[0] ?? findRoot();
  const folder = cleared(
    resolve(options.output ?? "site"),
    options.index === undefined ? [findRoot(root), findRoot()] : [findRoot()],
    PAGE,
  );
  if (options.index === undefined) await makeIndex(command, root, folder);
  else writeSnapshot(join(folder, INDEX), readIndex(await wholeIndex(options.index)), { repositories: [folder] });
  const known = await about(join(folder, INDEX), command);
  const first = address === undefined ? known : { ...known, address };
  const { name } = first;
  try {
    writePage(folder, parts, first, given ?? cardOf(first));
  } catch (error) {
    throw unwritable(folder, error);
  }
  const n_bytes = sizeOf(folder);
  if (options.json === true) return `${JSON.stringify({ folder, name, n_bytes, index: join(folder, INDEX) })}\n`;
  return `${name}: ${folder} (${(n_bytes / 1e6).toFixed(1)} MB)\nopen it with \`portolan serve ${relative(resolve("."), folder) || "."}\`\n`;
}

/** The page alone: its repositories are those of the server that gives it. */
function teamPage({ options, operands }: Command): string {
  if (operands.length > 0 || options.index !== undefined)
    throw new UsageError("build: with --for-team the page has no index of its own");
  if (options.card !== undefined || options["site-url"] !== undefined)
    throw new UsageError("build: --card and --site-url are about the index, which --for-team has none of");
  const parts = pageFiles();
  const folder = cleared(resolve(options.output ?? "site"), [findRoot()], PAGE);
  try {
    for (const [file, source] of Object.entries(parts)) copy(source, join(folder, file));
    const page = join(folder, "index.html");
    writeFileSync(page, forTeam(readFileSync(page, "utf8")));
    nameParts(folder, "team", true);
    writeFileSync(join(folder, MARK), `${JSON.stringify({ name: "team", digest: "" })}\n`);
  } catch (error) {
    throw unwritable(folder, error);
  }
  const n_bytes = sizeOf(folder);
  if (options.json === true) return `${JSON.stringify({ folder, n_bytes })}\n`;
  return `${folder} (${(n_bytes / 1e6).toFixed(1)} MB)\n`;
}

/** The page beside its index, without the grammars that no file of it needs. */
function writePage(folder: string, parts: Record<string, string>, first: FirstPage, card: Card): void {
  const { name, languages } = first;
  const wanted = new Set(languages.flatMap(([language]) => [language, ...(MORE_GRAMMARS[language] ?? [])]));
  for (const [file, source] of Object.entries(parts)) {
    const grammar = /^grammars\/tree-sitter-(\w+)\.wasm$/.exec(source)?.[1];
    if (grammar === undefined || wanted.has(grammar)) copy(source, join(folder, file));
  }
  const digest = createHash("sha256")
    .update(readFileSync(join(folder, INDEX)))
    .digest("hex")
    .slice(0, 16);
  const page = join(folder, "index.html");
  writeFileSync(page, withContent(withHead(readFileSync(page, "utf8"), first, card), first));
  writeFileSync(join(folder, card.file), card.bytes);
  nameParts(folder, digest, first.inParts);
  writeFileSync(join(folder, ".nojekyll"), "");
  writeFileSync(join(folder, MARK), `${JSON.stringify({ name, digest })}\n`);
}

function pageFiles(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(new URL("site/files.json", PACKAGE), "utf8")) as Record<string, string>;
  } catch (error) {
    throw new PortolanError(
      "build.no-page",
      "this copy of Portolan has no explorer page",
      "install the package from npm, or run `cargo xtask build` in its sources",
      { cause: error },
    );
  }
}

async function makeIndex(command: Command, root: string, folder: string): Promise<void> {
  const { index } = await import("./index-command.js");
  const inside = relative(resolve(root), folder).split(sep).join("/");
  const exclude = inside.startsWith("..") || inside === "" ? [] : [`/${inside}/`];
  await index({
    ...command,
    operands: [root],
    options: {
      ...command.options,
      output: join(folder, INDEX),
      exclude: [...(command.options.exclude ?? []), ...exclude],
    },
  });
}

function readIndex(path: string): Uint8Array {
  try {
    return readRegular(path);
  } catch (error) {
    throw new PortolanError("storage.not-found", `there is no index at ${path}`, "build one with `portolan index`", {
      cause: error,
    });
  }
}

async function about(path: string, command: Command): Promise<FirstPage> {
  const index = await openIndex(path, command);
  try {
    const [status, { files }] = await Promise.all([index.status(), index.files()]);
    const paths = files.map((file) => file.path);
    const name = command.options.name ?? status.name;
    // The facts that documents begin with: the same words everywhere.
    const { aboutOf } = await import("../generate/about.js");
    const { readme, paragraph, description } = await aboutOf(index, paths, name);
    const text =
      readme === undefined
        ? ""
        : await index.text(readme).then(
            ({ text }) => text,
            () => "",
          );
    return {
      name,
      inParts: command.options.parts === true || statSync(path).size > WHOLE_BYTES,
      description: description?.text ?? paragraph?.text ?? "",
      readme: text,
      paths,
      figures: [
        ["files", status.n_files],
        ["definitions", status.n_symbols],
        ["lines", status.n_lines],
      ],
      languages: status.languages.map((language) => [language.name, language.count]),
    };
  } finally {
    index.close();
  }
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(new URL(source, PACKAGE), target);
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + readFileSync(join(entry.parentPath ?? entry.path, entry.name)).length, 0);
}
