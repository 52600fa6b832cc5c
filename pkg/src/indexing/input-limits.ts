/** Checks callers' files and edits before they are passed on; errors name their position in the list. */

import { PortolanError } from "../errors.js";
import type { FileEdits, FileInput } from "../types.js";

/** Files in one list; `index.max_files` counts those that are taken in. */
const MAX_FILES = 1_000_000;
const MAX_PATH = 16_384;

/** Throws `input.invalid` or `request.size`. */
export function checkEdits(edits: FileEdits | undefined): void {
  if (edits === undefined) return;
  if (typeof edits !== "object" || edits === null)
    throw invalid("the edits", "an object with `files` and `deleted`", edits);
  if (edits.files !== undefined) checkFiles(edits.files);
  if (edits.deleted === undefined) return;
  checkList("deleted", edits.deleted);
  for (const [at, path] of edits.deleted.entries()) checkPath(`deleted[${at}]`, path);
}

/** Throws `input.invalid` where a snapshot is neither bytes nor a name nor files. */
export function checkSnapshot(snapshot: unknown): void {
  if (typeof snapshot === "string" || isBytes(snapshot)) return;
  const isFiles = Array.isArray(snapshot) && snapshot.length > 0 && snapshot.every((file) => file instanceof Blob);
  if (!isFiles) throw invalid("the snapshot", "a Uint8Array, the name of a stored one, or its `File`s", snapshot);
}

/** Throws `input.invalid` or `request.size`. */
export function checkFiles(files: readonly FileInput[]): void {
  checkList("files", files);
  for (const [at, file] of files.entries()) {
    if (typeof file !== "object" || file === null) throw invalid(`files[${at}]`, "a path with bytes or a file", file);
    checkPath(`files[${at}].path`, file.path);
    if ("bytes" in file) {
      if (!isBytes(file.bytes)) throw invalid(`files[${at}].bytes`, "a Uint8Array", file.bytes);
    } else if (typeof file.file?.arrayBuffer !== "function")
      throw invalid(`files[${at}].file`, "a File or a Blob", file.file);
  }
}

/** Those of another realm, as tests run in, are bytes too. */
function isBytes(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

function checkList(name: string, list: readonly unknown[]): void {
  if (!Array.isArray(list)) throw invalid(name, "a list", list);
  if (list.length > MAX_FILES)
    throw new PortolanError("request.size", `${name} has more than ${MAX_FILES} entries`, "give them in parts");
}

function checkPath(name: string, path: unknown): void {
  if (typeof path !== "string") throw invalid(name, "a text", path);
  if (path.length > MAX_PATH)
    throw new PortolanError("request.size", `${name} has more than ${MAX_PATH} characters`, "give a shorter path");
}

function invalid(name: string, wanted: string, given: unknown): PortolanError {
  const kind =
    given === null ? "null" : typeof given === "object" ? (given.constructor?.name ?? "object") : typeof given;
  return new PortolanError("input.invalid", `${name}: expected ${wanted}, got ${kind}`);
}

/** Throws `input.kind` for what is neither a text nor an object. */
export function checkInput(input: unknown): void {
  if (typeof input !== "string" && (typeof input !== "object" || input === null)) throw unknownInput(input);
}

export function unknownInput(input: unknown): PortolanError {
  const what = input === null || typeof input !== "object" ? String(input).slice(0, 60) : "this kind of object";
  return new PortolanError(
    "input.kind",
    `${what} cannot be indexed`,
    "pass files, a directory handle, an archive, or (in Node) a path",
  );
}
