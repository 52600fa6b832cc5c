/**
 * Checks of a grammar file before any of its code runs: it imports what tree-sitter's own list of libc functions has, its memory and its
 * table are those that it is given, and it is not larger than any grammar is.
 */

import { SECTION, SectionReader } from "./wasm-sections.js";

/** The largest known grammar has 9 MB. */
const MAX_GRAMMAR_BYTES = 64 * 1024 * 1024;

/** Functions of libc that a scanner may call: tree-sitter's list for WebAssembly, and the few beyond it that published grammars import. */
export const LIBC_NAMES: ReadonlySet<string> = new Set(
  (
    "abort calloc exit fprintf fputc fputs free fwrite isalnum isalpha isdigit isspace iswalnum iswalpha iswblank iswdigit iswlower " +
    "iswpunct iswspace iswupper iswxdigit malloc memchr memcmp memcpy memmove memset realloc strchr strcmp strlen strncat strncmp " +
    "strncpy towlower towupper __assert_fail"
  ).split(" "),
);

/** Imports of a side module that are not functions, with their kinds. */
const ENVIRONMENT: ReadonlyMap<string, WebAssembly.ImportExportKind> = new Map([
  ["memory", "memory"],
  ["__indirect_function_table", "table"],
  ["__stack_pointer", "global"],
  ["__memory_base", "global"],
  ["__table_base", "global"],
]);

/**
 * Throws where the module wants anything but what grammars get.
 *
 * Names are compared, never looked up in an object: a module can import `__proto__` or `constructor`.
 */
export function checkImports(module: WebAssembly.Module): void {
  const own = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  if (own.has("__proto__")) throw new Error("it exports __proto__");
  for (const wanted of WebAssembly.Module.imports(module)) {
    if (!isAllowed(wanted, own))
      throw new Error(`it needs the ${wanted.kind} ${wanted.module}.${wanted.name}, which grammars do not get`);
  }
}

function isAllowed({ module, name, kind }: WebAssembly.ModuleImportDescriptor, own: ReadonlySet<string>): boolean {
  if (module === "env") return kind === "function" ? LIBC_NAMES.has(name) : ENVIRONMENT.get(name) === kind;
  if (module === "GOT.func") return kind === "global" && (own.has(name) || LIBC_NAMES.has(name));
  return module === "GOT.mem" && kind === "global" && own.has(name);
}

/** Pages of 64 KiB that an imported memory may begin with, and slots of an imported table. */
const MAX_FIRST_PAGES = 1024;
const MAX_FIRST_SLOTS = 100_000;

/** Throws where the file is too large for a grammar, brings a memory or a table, or asks for much of those it is given. */
export function checkFile(bytes: Uint8Array): void {
  if (bytes.length > MAX_GRAMMAR_BYTES)
    throw new Error(`it has ${bytes.length} bytes, and grammars have at most ${MAX_GRAMMAR_BYTES}`);
  const reader = new SectionReader(bytes);
  for (const [id, end] of reader.sections()) {
    if (id === SECTION.tables && reader.number() > 0) throw new Error("it brings a table of its own");
    if (id === SECTION.memories && reader.number() > 0) throw new Error("it brings a memory of its own");
    if (id === SECTION.imports) checkLimits(reader, end);
  }
}

/** Reads the import section as far as limits of memories and tables need it. */
function checkLimits(reader: SectionReader, end: number): void {
  for (let left = reader.number(); left > 0 && reader.position < end; left--) {
    reader.skip(reader.number()); // module
    reader.skip(reader.number()); // name
    const kind = reader.byte();
    if (kind === 0)
      reader.number(); // the function's type
    else if (kind === 3)
      reader.skip(2); // type and mutability
    else if (kind === 4)
      throw new Error("it imports an exception tag"); // no grammar throws
    else {
      if (kind === 1) reader.skip(1); // the element's type
      const hasMost = (reader.byte() & 1) === 1;
      const first = reader.number();
      if (first > (kind === 1 ? MAX_FIRST_SLOTS : MAX_FIRST_PAGES))
        throw new Error(
          `it asks for a ${kind === 1 ? "table" : "memory"} of ${first} ${kind === 1 ? "slots" : "pages"}`,
        );
      if (hasMost) reader.number();
    }
  }
}
