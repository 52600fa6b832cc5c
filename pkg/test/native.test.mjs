// The native program makes the same file as WebAssembly, and does what the package asks of it.
import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { index } from "../dist/cli/index-command.js";
import { parseCommand } from "../dist/commands/options.js";
import { nativeProgram, packageOf, runNative } from "../dist/node/native.js";

const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));
/** As `cargo xtask test node` makes it. */
const PROGRAM = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/portolan");
const skip = existsSync(PROGRAM) ? false : "cargo build -p portolan --features program makes the program";
const VERSION = JSON.parse(readFileSync(join(ROOT, "pkg/package.json"), "utf8")).version;

function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "portolan-native-"));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Runs `portolan index` in this process; `engine` is native or wasm. */
async function run(engine, args) {
  process.env.PORTOLAN_NATIVE = PROGRAM;
  try {
    return JSON.parse(await index(parseCommand(["index", ...args, "--json", "--quiet", "--engine", engine])));
  } finally {
    delete process.env.PORTOLAN_NATIVE;
  }
}

/** Sources of published crates that this project needs: repositories that were not written for this test. */
function published(n) {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry/src");
  if (!existsSync(sources)) return [];
  const crates = readdirSync(sources).flatMap((host) =>
    readdirSync(join(sources, host)).map((name) => join(sources, host, name)),
  );
  const isSmall = (path) =>
    existsSync(join(path, "src")) && !/-sys-|tree-sitter|windows|tract|web-sys|js-sys/.test(path);
  const fitting = crates.sort().filter(isSmall);
  const step = Math.max(1, Math.floor(fitting.length / n));
  return fitting.filter((_, at) => at % step === 0).slice(0, n);
}

test("the same bytes as WebAssembly, for twenty repositories", { skip }, async (t) => {
  const ours = ["crates/source", "crates/fixture", "pkg/src/cli", "www/src/search", "tests/relevance", "tests/worker"];
  const repositories = [...ours.map((path) => join(ROOT, path)), ...published(14)];
  assert.ok(repositories.length >= ours.length);
  const home = folder(t);
  // One clock for both, later than any of the files.
  t.mock.method(Date, "now", () => 1_900_000_000_000);
  let n_files = 0;
  for (const repository of repositories) {
    const name = repository.split("/").at(-1);
    const files = ["native", "wasm"].map((engine) => join(home, `${name}.${engine}.portolan`));
    const native = await run("native", [repository, "-o", files[0]]);
    const wasm = await run("wasm", [repository, "-o", files[1]]);
    assert.equal(native.engine, "native");
    assert.equal(wasm.engine, "wasm");
    assert.deepEqual(
      { ...native, index: 0, seconds: 0, engine: 0 },
      { ...wasm, index: 0, seconds: 0, engine: 0 },
      name,
    );
    assert.ok(readFileSync(files[0]).equals(readFileSync(files[1])), `${name} differs`);
    n_files += native.n_files;
  }
  t.diagnostic(`${repositories.length} repositories, ${n_files} files`);
});

test("an update is the same as in WebAssembly, and the same as indexing anew", { skip }, async (t) => {
  const home = folder(t);
  const repository = join(home, "repository");
  cpSync(join(ROOT, "crates/source"), repository, { recursive: true });
  const old = new Date("2026-01-01");
  for (const file of readdirSync(join(repository, "src"))) utimesSync(join(repository, "src", file), old, old);
  t.mock.method(Date, "now", () => 1_900_000_000_000);
  const engines = ["native", "wasm"];
  const file = (engine) => join(home, `${engine}.portolan`);
  for (const engine of engines) await run(engine, [repository, "-o", file(engine)]);
  writeFileSync(join(repository, "src/added.rs"), "pub fn added() -> u32 {\n    7\n}\n");
  writeFileSync(join(repository, "src/path.rs"), `${readFileSync(join(repository, "src/path.rs"))}\n// more\n`);
  rmSync(join(repository, "src/ids.rs"));
  for (const engine of engines) {
    const { changes } = await run(engine, [repository, "-o", file(engine)]);
    assert.deepEqual(
      { ...changes, unchanged: 0 },
      { added: 1, modified: 1, deleted: 1, renamed: 0, unchanged: 0 },
      engine,
    );
  }
  assert.ok(readFileSync(file("native")).equals(readFileSync(file("wasm"))), "updates differ");
  await run("native", [repository, "-o", join(home, "anew.portolan"), "--full"]);
  assert.ok(
    readFileSync(file("native")).equals(readFileSync(join(home, "anew.portolan"))),
    "the update differs from a fresh index",
  );
});

test("an update with other options is the same as indexing anew", { skip }, async (t) => {
  const home = folder(t);
  const repository = join(home, "repository");
  cpSync(join(ROOT, "crates/source"), repository, { recursive: true });
  writeFileSync(join(repository, "src/made.rs"), "// @generated\npub fn made() {}\n");
  const old = new Date("2026-01-01");
  for (const file of readdirSync(join(repository, "src"))) utimesSync(join(repository, "src", file), old, old);
  t.mock.method(Date, "now", () => 1_900_000_000_000);
  const file = (name) => join(home, `${name}.portolan`);
  for (const options of [["--include-generated"], [], ["--only-language", "rust"]]) {
    for (const engine of ["native", "wasm"]) await run(engine, [repository, "-o", file(engine), ...options]);
    await run("wasm", [repository, "-o", file("anew"), "--full", ...options]);
    for (const engine of ["native", "wasm"])
      assert.ok(readFileSync(file(engine)).equals(readFileSync(file("anew"))), `${engine} ${options}`);
  }
});

test("nothing is read where nothing has changed, whoever indexed", { skip }, async (t) => {
  const home = folder(t);
  const repository = join(home, "repository");
  cpSync(join(ROOT, "crates/source"), repository, { recursive: true });
  await run("native", [repository]);
  const again = await run("wasm", [repository]);
  // The summary of the last run, from the look that it kept.
  assert.equal(again.engine, "native");
  assert.equal(again.changes.unchanged, again.n_files);
});

test("WebAssembly does what the program cannot; --engine native says why not", { skip }, async (t) => {
  const home = folder(t);
  const repository = join(ROOT, "crates/fixture");
  const out = ["-o", join(home, "x.portolan"), "--chunk-target", "200"];
  assert.equal((await run("auto", [repository, ...out])).engine, "wasm");
  await assert.rejects(run("native", [repository, ...out, "--full"]), {
    code: "engine.native",
    message: /usual sizes of chunks/,
  });
});

test("a program that breaks costs a note, not the index", async (t) => {
  const home = folder(t);
  const broken = join(home, "portolan");
  writeFileSync(broken, "#!/bin/sh\necho 'out of luck' >&2\nexit 3\n");
  chmodSync(broken, 0o755);
  process.env.PORTOLAN_NATIVE = broken;
  t.after(() => delete process.env.PORTOLAN_NATIVE);
  const args = ["index", join(ROOT, "crates/fixture"), "-o", join(home, "x.portolan"), "--json", "--quiet"];
  assert.equal(JSON.parse(await index(parseCommand(args))).engine, "wasm");
  const only = index(parseCommand([...args, "--full", "--engine", "native"]));
  await assert.rejects(only, { code: "engine.native", message: /ended with 3: out of luck/ });
});

test("a program that stops while it writes leaves the earlier index, and nothing beside it", async (t) => {
  const home = folder(t);
  const broken = join(home, "portolan");
  writeFileSync(broken, "#!/bin/sh\necho 'half of it' >&3\nexit 3\n");
  chmodSync(broken, 0o755);
  const repository = join(home, "repository");
  cpSync(join(ROOT, "crates/fixture/src"), repository, { recursive: true });
  await run("wasm", [repository]);
  const file = join(repository, ".portolan/index.portolan");
  const before = { bytes: readFileSync(file), names: readdirSync(dirname(file)) };
  process.env.PORTOLAN_NATIVE = broken;
  t.after(() => delete process.env.PORTOLAN_NATIVE);
  const args = ["index", repository, "--full", "--engine", "native", "--json", "--quiet"];
  await assert.rejects(index(parseCommand(args)), { code: "engine.native", message: /ended with 3/ });
  assert.ok(readFileSync(file).equals(before.bytes));
  assert.deepEqual(readdirSync(dirname(file)), before.names);
});

test("a program of another version is refused", { skip }, async () => {
  const job = { folder: ROOT, source: {}, embeddings: false, now: 0, reads_all: false };
  await assert.rejects(
    runNative(PROGRAM, { ...job, version: "0.0.1" }, () => {}),
    { code: "job.invalid", message: /of version/ },
  );
  const missing = { ...job, version: VERSION, folder: join(ROOT, "no such folder") };
  await assert.rejects(
    runNative(PROGRAM, missing, () => {}),
    { code: "input.unreadable" },
  );
});

test("only an absolute path of the environment names a program", () => {
  assert.equal(packageOf("linux", "x64"), "portolan-linux-x64");
  for (const named of ["portolan", "./portolan", "no", "/no/such/program", dirname(ROOT)]) {
    process.env.PORTOLAN_NATIVE = named;
    assert.equal(nativeProgram(), undefined, named);
  }
  delete process.env.PORTOLAN_NATIVE;
});
