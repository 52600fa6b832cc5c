// Artifacts that stop on purpose. A published artifact has no such door, so tests make it: the function behind an export is wrapped in
// another one, which stops where the text that it is given has a certain length. Everything else is the real artifact.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./sandbox.mjs";

/** Lengths of tools' names at which the engine stops: `detect_changes`, `find_chunks_for_symbol`, `communities`. */
export const STOPS = { 14: "unreachable", 22: "recursion", 11: "memory" };

/** A file of this size stops the reader when it is opened. */
export const STOPPING_FILE = 12_345;

const [TYPE, IMPORT, FUNCTION, EXPORT, CODE] = [1, 2, 3, 7, 10];

/**
 * A copy of the package whose engine and reader stop at the questions of `STOPS`, the engine when a path of 33 letters is removed, and the
 * reader at a file of `STOPPING_FILE` bytes.
 *
 * @returns the folder of the package
 */
export function poisonedPackage(folder) {
  const target = join(folder, "node_modules/portolan");
  mkdirSync(target, { recursive: true });
  for (const part of ["package.json", "bin", "dist"])
    cpSync(join(ROOT, "pkg", part), join(target, part), { recursive: true });
  for (const part of ["grammars", "model"]) symlinkSync(join(ROOT, "pkg", part), join(target, part));
  if (!existsSync(join(folder, "node_modules/idb")))
    symlinkSync(join(ROOT, "node_modules/idb"), join(folder, "node_modules/idb"));
  cpSync(join(ROOT, "pkg/wasm"), join(target, "wasm"), { recursive: true });
  const ask = { name: "codeindex_ask", parameter: 2, stops: STOPS };
  const remove = { name: "codeindexbuilder_removeFile", parameter: 2, stops: { 33: "unreachable" } };
  const open = { name: "codeindex_openFrom", parameter: 0, stops: { [STOPPING_FILE]: "recursion" } };
  poison(join(target, "wasm/reader_bg.wasm"), [ask, open]);
  for (const engine of ["engine", "engine-node"]) poison(join(target, `wasm/${engine}_bg.wasm`), [ask, remove]);
  return target;
}

/**
 * Changes a wasm file.
 *
 * @param wraps the exported function, which of its parameters is a length, and at which lengths it stops, how
 */
export function poison(file, wraps) {
  writeFileSync(file, wraps.reduce(wrapped, readFileSync(file)));
}

function wrapped(bytes, { name, parameter, stops }) {
  const sections = sectionsOf(bytes);
  const at = (id) => sections.find((section) => section.id === id);
  const types = entries(at(TYPE).body, skipType);
  const n_imports = entries(at(IMPORT).body, skipImport).filter((entry) => isFunction(entry)).length;
  const functions = entries(at(FUNCTION).body, (reader) => reader.number());
  const exports = entries(at(EXPORT).body, skipExport);
  const place = exports.findIndex((entry) => nameOf(entry) === name);
  if (place < 0) throw new Error(`there is no export ${name}`);
  const original = new Reader(exports[place].subarray(1 + name.length + 1)).number();
  const type = functions[original - n_imports];
  const n_parameters = new Reader(types[new Reader(type).number()].subarray(1)).number();
  const added = n_imports + functions.length;
  exports[place] = Buffer.concat([leb(name.length), Buffer.from(name), Buffer.from([0]), leb(added)]);
  const code = entries(at(CODE).body, (reader) => reader.skip(reader.number()));
  at(EXPORT).body = joined(exports);
  at(FUNCTION).body = joined([...functions, type]);
  at(CODE).body = joined([...code, wrapper(n_parameters, parameter, stops, added, original)]);
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...sections.flatMap(({ id, body }) => [Buffer.from([id]), leb(body.length), body]),
  ]);
}

/** The body of a function that hands its parameters on, unless one of them has one of these values. */
function wrapper(n_parameters, parameter, stops, self, original) {
  const parameters = Array.from({ length: n_parameters }, (_, n) => [0x20, ...leb(n)]).flat();
  const ways = {
    unreachable: [0x00],
    recursion: [...parameters, 0x10, ...leb(self), 0x00],
    // Takes all the memory that there is, and then stops as an allocator does.
    memory: [0x03, 0x40, 0x41, ...sleb(256), 0x40, 0x00, 0x41, 0x7f, 0x47, 0x0d, 0x00, 0x0b, 0x00],
  };
  const checks = Object.entries(stops).flatMap(([value, way]) => [
    0x20,
    ...leb(parameter),
    0x41,
    ...sleb(Number(value)),
    0x46,
    0x04,
    0x40,
    ...ways[way],
    0x0b,
  ]);
  const body = Buffer.from([0x00, ...checks, ...parameters, 0x10, ...leb(original), 0x0b]);
  return Buffer.concat([leb(body.length), body]);
}

class Reader {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(n) {
    this.at += n;
  }
}

function sectionsOf(bytes) {
  const reader = new Reader(bytes);
  const sections = [];
  reader.skip(8);
  while (reader.at < bytes.length) {
    const id = bytes[reader.at++];
    const length = reader.number();
    sections.push({ id, body: bytes.subarray(reader.at, reader.at + length) });
    reader.skip(length);
  }
  return sections;
}

/** The entries of a section, each as its bytes; `skip` goes over one. */
function entries(body, skip) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    const start = reader.at;
    skip(reader);
    return body.subarray(start, reader.at);
  });
}

function skipType(reader) {
  reader.skip(1);
  reader.skip(reader.number());
  reader.skip(reader.number());
}

function skipExport(reader) {
  reader.skip(reader.number());
  reader.skip(1);
  reader.number();
}

function skipImport(reader) {
  reader.skip(reader.number());
  reader.skip(reader.number());
  const kind = reader.bytes[reader.at++];
  if (kind === 0) reader.number();
  else if (kind === 3) reader.skip(2);
  else {
    if (kind === 1) reader.skip(1);
    const hasEnd = reader.number() & 1;
    reader.number();
    if (hasEnd) reader.number();
  }
}

/** Whether an entry of the imports is of a function. */
function isFunction(entry) {
  const reader = new Reader(entry);
  reader.skip(reader.number());
  reader.skip(reader.number());
  return entry[reader.at] === 0;
}

function nameOf(entry) {
  const reader = new Reader(entry);
  const length = reader.number();
  return entry.subarray(reader.at, reader.at + length).toString();
}

function joined(list) {
  return Buffer.concat([leb(list.length), ...list]);
}

function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    const byte = rest % 128;
    if (rest < 128) return Buffer.from([...bytes, byte]);
    bytes.push(byte | 0x80);
  }
}

/** As `leb`, of a positive number that may be read as signed. */
function sleb(value) {
  const bytes = [...leb(value)];
  if (bytes.at(-1) < 0x40) return Buffer.from(bytes);
  bytes[bytes.length - 1] |= 0x80;
  return Buffer.from([...bytes, 0x00]);
}
