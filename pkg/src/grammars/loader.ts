/**
 * Loads a standard tree-sitter grammar (`tree-sitter-LANG.wasm`) into the engine's own memory and function table.
 *
 * The trick: such a file is a relocatable side module (`dylink.0`). Its data is placed into memory that we allocate in
 * the engine, its functions into new slots of the engine's table, and its imports are the engine's own libc. From
 * then on the engine parses with it at the cost of an indirect call, with no crossing into JavaScript.
 *
 * It shares the engine's memory, so it can break this instance and no other: who loads a grammar that is not ours does so in a worker that
 * can be ended (docs/decisions/0018-trust.md).
 *
 * Convention: https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md
 */

import { PortolanError } from "../errors.js";
import { checkImports, LIBC_NAMES } from "./check.js";

/** Parts of the engine's instance that a grammar uses. */
export interface GrammarHost {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Table;
  /** libc, `calloc`, `__stack_pointer`. */
  readonly exports: WebAssembly.Exports;
}

/** Requirements of the `dylink.0` section. */
interface Layout {
  readonly memorySize: number;
  /** Power of two. */
  readonly memoryAlignment: number;
  readonly tableSize: number;
}

/** Addresses that are only known once the side module is instantiated. */
interface Patch {
  readonly kind: "GOT.mem" | "GOT.func";
  readonly name: string;
  readonly slot: WebAssembly.Global<"i32">;
}

/** More than any known grammar's tables; a file that asks for more is broken. */
const MAX_MEMORY_SIZE = 64 * 1024 * 1024;
const MAX_TABLE_SIZE = 100_000;

/**
 * Instantiates the grammar and returns the address of its `TSLanguage`.
 *
 * @throws PortolanError `grammar.load` when the file is no grammar, asks for a function that the engine does not have,
 * or there is no memory left. The engine is unharmed then.
 */
export function loadGrammar(host: GrammarHost, module: WebAssembly.Module, name: string): number {
  try {
    checkImports(module);
    const layout = readLayout(module);
    const { imports, patches, memoryBase, slots } = link(host, module, layout);
    const instance = new WebAssembly.Instance(module, imports);
    slots.lend(layout.tableSize);
    applyPatches(host, instance, patches, memoryBase, slots);
    return languageOf(instance);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PortolanError("grammar.load", `the grammar for ${name} could not be loaded: ${reason}`, GRAMMAR_HELP, {
      cause: error,
    });
  }
}

/** Returns the error for a grammar that does not load. */
export const GRAMMAR_HELP =
  "files of this language are searched as plain text; installing the package anew usually mends a damaged grammar file";

/** The size and alignment that the side module asks for, from the first subsection of `dylink.0`. */
export function readLayout(module: WebAssembly.Module): Layout {
  const section = WebAssembly.Module.customSections(module, "dylink.0")[0];
  if (!section) throw new Error("not a side module (no dylink.0 section)");
  const reader = new LebReader(new Uint8Array(section));
  while (!reader.atEnd()) {
    const kind = reader.next();
    const end = reader.next() + reader.position;
    if (kind === DYLINK_MEM_INFO) {
      const [memorySize, alignment, tableSize] = [reader.next(), reader.next(), reader.next()];
      if (memorySize > MAX_MEMORY_SIZE || tableSize > MAX_TABLE_SIZE || alignment > 16)
        throw new Error("implausible dylink.0 section");
      return { memorySize, memoryAlignment: 1 << alignment, tableSize };
    }
    reader.position = end;
  }
  throw new Error("dylink.0 section without memory information");
}

const DYLINK_MEM_INFO = 1;

/** Unsigned LEB128 numbers of a byte string. */
class LebReader {
  position = 0;
  constructor(private readonly bytes: Uint8Array) {}

  atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value >>> 0;
    }
    throw new Error("malformed dylink.0 section");
  }
}

/**
 * The grammar's own table: a copy of the engine's, so that the grammar finds the functions that its scanner is handed, and nothing that it
 * writes reaches the engine's slots. Its own functions are then lent to the engine, in new slots.
 */
class Slots {
  readonly table: WebAssembly.Table;
  /** The first slot of the grammar's functions, in both tables. */
  readonly base: number;

  constructor(
    private readonly engine: WebAssembly.Table,
    tableSize: number,
  ) {
    this.base = engine.length;
    this.table = new WebAssembly.Table({ element: "anyfunc", initial: this.base + tableSize });
    for (let slot = 0; slot < this.base; slot++) this.table.set(slot, engine.get(slot));
    engine.grow(tableSize);
  }

  lend(tableSize: number): void {
    for (let slot = this.base; slot < this.base + tableSize; slot++) this.engine.set(slot, this.table.get(slot));
  }

  /** Puts one more function into both tables. */
  add(fn: unknown): number {
    const slot = this.engine.grow(1);
    if (this.table.length <= slot) this.table.grow(slot + 1 - this.table.length);
    this.engine.set(slot, fn as never);
    this.table.set(slot, fn as never);
    return slot;
  }
}

function link(host: GrammarHost, module: WebAssembly.Module, layout: Layout) {
  const memoryBase = allocate(host, layout);
  const slots = new Slots(host.table, layout.tableSize);
  const patches: Patch[] = [];
  // Without prototypes: names come from the file.
  const imports = Object.create(null) as Record<string, Record<string, WebAssembly.ImportValue>>;
  for (const wanted of WebAssembly.Module.imports(module)) {
    imports[wanted.module] ??= Object.create(null) as Record<string, WebAssembly.ImportValue>;
    const namespace = imports[wanted.module] as Record<string, WebAssembly.ImportValue>;
    if (wanted.module === "GOT.mem" || wanted.module === "GOT.func") {
      const slot = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
      patches.push({ kind: wanted.module, name: wanted.name, slot });
      namespace[wanted.name] = slot;
    } else {
      namespace[wanted.name] = environment(host, wanted.name, memoryBase, slots);
    }
  }
  return { imports, patches, memoryBase, slots };
}

function allocate(host: GrammarHost, layout: Layout): number {
  const alignment = Math.max(16, layout.memoryAlignment);
  const address = call(host.exports, "calloc", 1, layout.memorySize + alignment) >>> 0;
  if (address === 0) throw new Error("out of memory");
  return (address + alignment - 1) & ~(alignment - 1);
}

function environment(host: GrammarHost, name: string, memoryBase: number, slots: Slots): WebAssembly.ImportValue {
  switch (name) {
    case "memory":
      return host.memory;
    case "__indirect_function_table":
      return slots.table;
    case "__stack_pointer":
      return host.exports[name] as WebAssembly.Global;
    case "__memory_base":
      return new WebAssembly.Global({ value: "i32", mutable: false }, memoryBase);
    case "__table_base":
      return new WebAssembly.Global({ value: "i32", mutable: false }, slots.base);
    default:
      return libc(host, name);
  }
}

/** A function of libc: the engine's, or one of the few that JavaScript gives. */
function libc(host: GrammarHost, name: string): WebAssembly.ImportValue {
  const fn = LIBC_NAMES.has(name) ? (host.exports[name] ?? LIBC.get(name)) : undefined;
  if (typeof fn !== "function") throw new Error(`it needs env.${name}, which the engine does not have`);
  return fn as WebAssembly.ImportValue;
}

function applyPatches(
  host: GrammarHost,
  instance: WebAssembly.Instance,
  patches: Patch[],
  memoryBase: number,
  slots: Slots,
): void {
  for (const { kind, name, slot } of patches) {
    const own = instance.exports[name];
    if (kind === "GOT.mem" && own instanceof WebAssembly.Global) slot.value = Number(own.value) + memoryBase;
    else if (kind === "GOT.func" && (own === undefined || typeof own === "function"))
      slot.value = slots.add(own ?? libc(host, name));
    else throw new Error(`nothing provides ${kind}.${name}`);
  }
  call(instance.exports, "__wasm_apply_data_relocs");
  call(instance.exports, "__wasm_call_ctors");
}

function languageOf(instance: WebAssembly.Instance): number {
  const name = Object.keys(instance.exports).find(
    (key) => /^tree_sitter_\w+$/.test(key) && !key.includes("external_scanner"),
  );
  const address = name === undefined ? 0 : call(instance.exports, name) >>> 0;
  if (address === 0) throw new Error("it exports no tree_sitter_… function");
  return address;
}

function call(exports: WebAssembly.Exports, name: string, ...parameters: number[]): number {
  const fn = exports[name];
  return typeof fn === "function" ? Number(fn(...parameters) ?? 0) : 0;
}

/** Functions of libc that scanners call and the engine does not export. Output goes nowhere; a failed assertion is a trap. */
const LIBC = new Map<string, (...parameters: number[]) => number>([
  ["exit", () => trap("exit called")],
  ["abort", () => trap("abort called")],
  ["__assert_fail", () => trap("assertion failed")],
  ["fwrite", () => 0],
  ["fprintf", () => 0],
  ["fputs", () => 0],
  ["fputc", () => 0],
  ["iswdigit", (c) => +isDigit(c)],
  ["isdigit", (c) => +isDigit(c)],
  ["isalpha", (c) => +isLetter(c)],
  ["isalnum", (c) => +(isDigit(c) || isLetter(c))],
  ["isspace", (c) => +(c === 32 || (c !== undefined && c >= 9 && c <= 13))],
]);

function isDigit(c = 0): boolean {
  return c >= 48 && c <= 57;
}

function isLetter(c = 0): boolean {
  return (c | 32) >= 97 && (c | 32) <= 122;
}

function trap(what: string): never {
  throw new WebAssembly.RuntimeError(`${what} in a grammar's scanner`);
}
