/** `portolan create-worker`: a folder from which wrangler deploys the Worker that answers over HTTP. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { initSync, StaticModel } from "../../wasm/reader.js";
import { PortolanError } from "../errors.js";
import { FileAssets } from "../node/assets.js";
import { besideThis } from "../node/place.js";
import { findRoot } from "../node/root.js";
import { createIn, unwritable } from "../node/safe-files.js";
import { inWords, placeNamed, SafeFolder } from "../node/safe-folder.js";
import { operand, type Command } from "../commands/options.js";
import { packageVersion } from "../node/version.js";

const TEMPLATES = fileURLToPath(besideThis("../../template/"));
/** npm leaves out files of this name, so that it has another one in the package. */
const RENAMED: Record<string, string> = { gitignore: ".gitignore" };

export async function createWorker(command: Command): Promise<string> {
  const folder = resolve(operand(command, "DIR"));
  const words = { NAME: nameFor(folder), VERSION: packageVersion(), MODEL: await modelName() };
  const template = join(TEMPLATES, command.options["for-team"] === true ? "team" : "worker");
  const files = readdirSync(template).map((file) => {
    const text = readFileSync(join(template, file), "utf8");
    return { name: RENAMED[file] ?? file, text: filledIn(text, words) };
  });
  write(folder, files);
  const paths = files.map(({ name }) => join(folder, name));
  if (command.options.json === true) return `${JSON.stringify({ folder, name: words.NAME, files: paths })}\n`;
  const place = relative(resolve("."), folder) || ".";
  return `${paths.map((path) => `${relative(resolve("."), path)}\n`).join("")}next: cd ${place}, npm install, and the steps of README.md\n`;
}

/** Writes files that are not there yet: all of them, or none. */
function write(path: string, files: readonly { name: string; text: string }[]): void {
  const { root, parts, name } = placeNamed(path, [findRoot()]);
  const folder = SafeFolder.open(root, [...parts, name], true);
  try {
    const taken = files.find(({ name }) => folder.stats(name) !== undefined);
    if (taken) throw exists(join(path, taken.name));
    for (const { name, text } of files) if (!createIn(folder, name, text)) throw exists(join(path, name));
  } catch (error) {
    throw unwritable(path, inWords(error, folder));
  } finally {
    folder.close();
  }
}

function exists(path: string): PortolanError {
  return new PortolanError("output.exists", `${path} is there already`, "name another folder; nothing is overwritten");
}

/** A name for the Worker and its bucket: small letters, digits and dashes, at least three. */
function nameFor(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name.length < 3 ? `portolan${name && "-"}${name}` : name.slice(0, 54).replace(/-+$/, "");
}

/** Under which name the Worker looks for the model that ships. */
async function modelName(): Promise<string> {
  const files = new FileAssets();
  initSync({ module: await files.module("reader") });
  const { model, tokenizer } = await files.model();
  const loaded = new StaticModel(model, tokenizer);
  const { name } = loaded;
  loaded.free();
  return name;
}

function filledIn(text: string, words: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, word: string) => words[word] ?? whole);
}
