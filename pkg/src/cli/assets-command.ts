/**
 * `portolan assets`: the files that a page loads, in a folder to serve, for builds whose bundler follows no addresses of workers and wasm
 * files (esbuild, Rollup), and for pages without one. `createPortolan({ assets: "/portolan/" })` of `portolan/core` takes them from there.
 */

import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { PortolanError } from "../errors.js";
import { besideThis } from "../node/place.js";
import { findRoot } from "../node/root.js";
import { unwritable } from "../node/safe-files.js";
import { quantity } from "../quantity.js";
import { nearest, noOperands, UsageError, type Command } from "../commands/options.js";
import { cleared, type Mark } from "./output-folder.js";
import { packageVersion } from "../node/version.js";

const PACKAGE = fileURLToPath(besideThis("../../"));
/** Only a folder that was written here is replaced. */
const MARK: Mark = {
  file: "portolan-assets.json",
  isOurs: ({ grammars }) => Array.isArray(grammars),
  entries: ["wasm", "grammars", "model", "workers"],
};
const ARTIFACTS = ["engine", "reader", "seal", "hnsw", "history"];
const MODEL = ["model/code-embed-128.int8.bin", "model/tokenizer.json"];

/** Grammars of a language where they are not the one of its name. */
const GRAMMARS_OF: Record<string, readonly string[]> = {
  typescript: ["typescript", "tsx"],
  html: ["javascript", "typescript"],
};
/** Languages that are read without a grammar. */
const WITHOUT_GRAMMAR = ["css", "sql", "markdown", "toml", "json", "yaml", "text"];

export async function assets(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  const named = resolve(options.output ?? "public/portolan");
  const files = filesFor(options.languages, options["no-embeddings"] !== true, options.onnx === true);
  const missing = Object.values(files).find((source) => !existsSync(join(PACKAGE, source)));
  if (missing !== undefined)
    throw new PortolanError(
      "asset.unavailable",
      `this copy of Portolan has no ${missing}`,
      "install the package from npm, or run `cargo xtask build` in its sources",
    );
  const grammars = Object.keys(files).flatMap((file) => /tree-sitter-(\w+)/.exec(file)?.[1] ?? []);
  const folder = cleared(named, [findRoot()], MARK);
  const n_bytes = filled(folder, files, grammars);
  if (options.json === true) return `${JSON.stringify({ folder, n_bytes, grammars })}\n`;
  return `${folder}: ${quantity(grammars.length, "grammar")}, ${(n_bytes / 1e6).toFixed(1)} MB\n`;
}

/** Copies the files, the mark last, and returns their bytes. */
function filled(folder: string, files: Record<string, string>, grammars: readonly string[]): number {
  let n_bytes = 0;
  try {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      copyFileSync(join(PACKAGE, source), join(folder, file));
      n_bytes += statSync(join(folder, file)).size;
    }
    writeFileSync(join(folder, MARK.file), `${JSON.stringify({ version: packageVersion(), grammars })}\n`);
  } catch (error) {
    throw unwritable(folder, error);
  }
  return n_bytes;
}

/** Files of the folder and where in the package each comes from. */
function filesFor(languages: string | undefined, hasModel: boolean, hasOnnx: boolean): Record<string, string> {
  const artifacts = hasOnnx ? [...ARTIFACTS, "onnx"] : ARTIFACTS;
  const same = [
    ...artifacts.map((artifact) => `wasm/${artifact}_bg.wasm`),
    ...grammarsOf(languages).map((grammar) => `grammars/tree-sitter-${grammar}.wasm`),
    ...(hasModel ? MODEL : []),
  ];
  const scripts = readdirSync(join(PACKAGE, "dist/hosted"));
  return Object.fromEntries([
    ...same.map((file) => [file, file]),
    ...scripts.map((script) => [`workers/${script}`, `dist/hosted/${script}`]),
  ]);
}

/** The grammars of these languages, of all where none are named. */
function grammarsOf(languages: string | undefined): string[] {
  const known = readdirSync(join(PACKAGE, "grammars")).flatMap(
    (file) => /^tree-sitter-(\w+)\.wasm$/.exec(file)?.[1] ?? [],
  );
  if (languages === undefined) return known.sort();
  const names = languages.split(",").map((name) => name.trim().toLowerCase());
  const unknown = names.find(
    (name) => !known.includes(name) && !Object.hasOwn(GRAMMARS_OF, name) && !WITHOUT_GRAMMAR.includes(name),
  );
  if (unknown !== undefined)
    throw new UsageError(
      `--languages: there is no language "${unknown}"${nearest(unknown, known)}`,
      `There is ${[...known, "html", ...WITHOUT_GRAMMAR].sort().join(", ")}.`,
    );
  const wanted = names.flatMap((name) => GRAMMARS_OF[name] ?? (WITHOUT_GRAMMAR.includes(name) ? [] : [name]));
  return [...new Set(wanted)].sort();
}
