// Users' grammars: their imports are compared with a list before anything of them runs, and whatever then runs can be ended.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { join } from "node:path";

import { GROW, LOOP, withBodies } from "../../pkg/test/broken-grammar.mjs";
import { Portolan } from "../../pkg/dist/entry/node.js";
import { loadGrammar } from "../../pkg/dist/grammars/loader.js";
import { MAX_GUEST_MEMORY } from "../../pkg/dist/grammars/guests.js";
import { withMemoryLimit } from "../../pkg/dist/grammars/wasm-sections.js";
import { BODY, grammarFile, OWN_MEMORY, OWN_TABLE } from "./grammar-files.mjs";
import { ROOT, sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const FILES = { "repo/a.py": "def add_tax():\n    pass\n", "repo/b.x": "hello\n" };
const language = (wasm, queries = { symbols: "" }) => ({ name: "x", extensions: ["x"], wasm, queries });

/** Indexes a small repository with this grammar; then without: the thread, the prototypes and the files are as before. */
async function attackedBy(t, grammar, check) {
  const box = sandbox(FILES, t);
  const polluted = Object.getOwnPropertyNames(Object.prototype).length;
  const started = performance.now();
  await watched(box.path("repo"), () =>
    check(Portolan.index(box.path("repo"), { grammars: [grammar], embeddings: false })),
  );
  assert.equal(Object.getOwnPropertyNames(Object.prototype).length, polluted, "Object.prototype has what it had");
  assert.ok(performance.now() - started < 60_000, "within the time that loading may take");
  await askedAgain(
    async () => {
      const index = await Portolan.index(box.path("repo"), { embeddings: false });
      const { symbols } = await index.find("add_tax");
      index.close();
      return symbols.length;
    },
    (n) => n === 1,
  );
}

const refused = (code, message) => (made) =>
  assert.rejects(made, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });

for (const [what, file, message] of [
  ["names of prototypes", { imports: [["__proto__", "polluted", "global"]] }, /needs the global __proto__\.polluted/],
  [
    "a function of every object",
    { imports: [["env", "constructor", "function"]] },
    /needs the function env\.constructor/,
  ],
  ["bindings of the engine", { imports: [["env", "__externref_table_alloc", "function"]] }, /__externref_table_alloc/],
  [
    "functions that ask the host",
    { imports: [["./engine_bg.js", "__wbg_call_a410eb4b59ed5965", "function"]] },
    /which grammars do not get/,
  ],
  ["a function under another kind", { imports: [["env", "malloc", "global"]] }, /needs the global env\.malloc/],
  [
    "an address of the engine's data",
    { imports: [["GOT.mem", "__stack_pointer", "mutable global"]] },
    /needs the global GOT\.mem/,
  ],
  [
    "a slot of an engine's function",
    { imports: [["GOT.func", "parseworker_new", "mutable global"]] },
    /needs the global GOT\.func/,
  ],
  ["4 GiB from the start", { imports: [["env", "memory", "a memory of 4 GiB"]] }, /asks for a memory of 65536 pages/],
  ["a memory of its own", { imports: [], sections: [OWN_MEMORY] }, /brings a memory/],
  ["ten million slots of its own", { imports: [], sections: [OWN_TABLE] }, /brings a table/],
  ["4 GiB of data", { memoryInfo: [0xffffffff, 4, 0, 0] }, /implausible dylink\.0/],
  ["4 billion slots", { memoryInfo: [0, 0, 0xffffffff, 0] }, /implausible dylink\.0/],
  ["an alignment of 2^63", { memoryInfo: [0, 63, 0, 0] }, /implausible dylink\.0/],
  ["a function named __proto__", { exports: ["__proto__"] }, /exports __proto__/],
]) {
  test(`a grammar that wants ${what} is refused`, (t) =>
    attackedBy(t, language(grammarFile(file)), refused("grammar.load", message)));
}

test("a grammar whose start function never returns is ended", (t) =>
  attackedBy(t, language(grammarFile({ start: BODY.loop })), refused("grammar.load", /no answer for 10 s/)));

test("a grammar that takes all memory in its start function and goes on is ended", (t) =>
  attackedBy(t, language(grammarFile({ start: BODY.grow })), refused("grammar.load", /no answer for 10 s/)));

test("a grammar that traps where it is loaded is refused", (t) =>
  attackedBy(
    t,
    language(grammarFile({ language: BODY.trap })),
    refused("grammar.load", /could not be loaded|unreachable/),
  ));

test("a language with a name of every object is refused", (t) =>
  attackedBy(t, { ...language(grammarFile()), name: "__proto__" }, refused("grammar.name", /__proto__/)));

const R = join(ROOT, "pkg/test/grammars/tree-sitter-r.wasm");
const symbols = readFileSync(join(ROOT, "pkg/test/queries/r/symbols.scm"), "utf8");

for (const [does, body] of [
  ["never returns", LOOP],
  ["takes all memory", GROW],
]) {
  test(`a grammar that ${does} while it parses costs its files, and never runs in the thread that indexes`, {
    skip: !existsSync(R) && "there is no grammar of R here",
  }, (t) => {
    const grammar = { name: "x", extensions: ["x"], wasm: withBodies(readFileSync(R), body), queries: { symbols } };
    let n_late = 0;
    let last = performance.now();
    // Whoever would run it here could not count.
    const pulse = setInterval(() => {
      if (performance.now() - last > 5000) n_late++;
      last = performance.now();
    }, 100);
    return attackedBy(t, grammar, async (made) => {
      const index = await made;
      clearInterval(pulse);
      const { problems } = await index.status();
      assert.deepEqual(
        problems.map(({ path, code }) => [path, code]),
        [["b.x", "crash"]],
      );
      assert.equal((await index.find("add_tax")).symbols.length, 1, "other languages are read by other workers");
      index.close();
      assert.equal(n_late, 0);
    });
  });
}

test("what a grammar writes into its table does not reach the engine's", () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 8 });
  const own = new WebAssembly.Instance(new WebAssembly.Module(grammarFile({ imports: [] }))).exports.tree_sitter_x;
  for (let slot = 0; slot < 8; slot++) table.set(slot, own);
  const imports = [
    ["env", "memory", "memory"],
    ["env", "__indirect_function_table", "table"],
  ];
  // An active element segment at slot 3, where the engine has a function of its own.
  const elements = [9, [1, 0, 0x41, 3, 0x0b, 1, 0]];
  const file = withElements(grammarFile({ imports, language: [0x41, 8] }), elements);
  const host = { memory, table, exports: { calloc: () => 1024, memory } };
  assert.equal(loadGrammar(host, new WebAssembly.Module(file), "x"), 8);
  for (let slot = 0; slot < 8; slot++) assert.equal(table.get(slot), own, `slot ${slot}`);
});

test("the engine of guests has a limit to its memory that its own code cannot pass", () => {
  const bytes = readFileSync(join(ROOT, "pkg/wasm/engine_bg.wasm"));
  const limited = new WebAssembly.Module(withMemoryLimit(bytes, MAX_GUEST_MEMORY));
  const stubs = {};
  for (const { module, name } of WebAssembly.Module.imports(limited)) {
    stubs[module] ??= {};
    stubs[module][name] = () => 0;
  }
  const { memory } = new WebAssembly.Instance(limited, stubs).exports;
  assert.throws(() => memory.grow(MAX_GUEST_MEMORY / 65536), RangeError);
  assert.throws(() => withMemoryLimit(grammarFile(), MAX_GUEST_MEMORY), /brings no memory/);
});

/** The file with one more section before its code. */
function withElements(file, [id, content]) {
  const bytes = [...file];
  const at = bytes.lastIndexOf(10, bytes.length - 1); // the code section comes last and is short
  return Uint8Array.from([...bytes.slice(0, at), id, content.length, ...content, ...bytes.slice(at)]);
}
