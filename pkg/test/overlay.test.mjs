// A worktree's index is an overlay, and answers as a whole one; a second clone starts from what is kept.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const INDEX = ".portolan/index.portolan";
/** As `cargo xtask test node` makes it. */
const PROGRAM = resolve(dirname(BIN), "../..", process.env.CARGO_TARGET_DIR ?? "target", "debug/portolan");
const skip = existsSync(PROGRAM) ? false : "cargo build -p portolan --features program makes the program";

/** A clone with one commit, and the home of its user. */
function world(files = SHOP, native = "no") {
  const root = folderWith({ "home/.keep": "" });
  const home = join(root, "home");
  const { PORTOLAN_INDEX_CACHE: _, ...others } = process.env;
  const env = { ...others, HOME: home, USERPROFILE: home, PORTOLAN_NATIVE: native, GIT_CONFIG_GLOBAL: "/dev/null" };
  for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "PORTOLAN_HOME"]) delete env[name];
  const first = join(root, "first");
  write(first, files);
  const git = (cwd, ...args) => execFileSync("git", args, { cwd, env, encoding: "utf8" });
  git(first, "init", "-q");
  git(first, "add", "-A");
  git(first, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
  const run = (cwd, args, more = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...env, ...more },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const index = (cwd, args = [], more = {}) => {
    const { status, stdout, stderr } = run(cwd, ["index", "--json", "--quiet", ...args], more);
    assert.equal(status, 0, stderr);
    return { ...JSON.parse(stdout), stderr };
  };
  const worktree = (name) => {
    const path = join(root, name);
    git(first, "worktree", "add", "-q", "--detach", path);
    return path;
  };
  return { root, first, env, git, run, index, worktree, cache: join(home, ".cache/portolan/indexes") };
}

function write(root, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** All that can be asked without a parameter, and some questions. */
function answers({ run }, folder, index) {
  const json = (...args) => {
    const { status, stdout, stderr } = run(folder, [
      ...args,
      "--json",
      "--quiet",
      ...(index ? ["--index", index] : []),
    ]);
    assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { built_at: _, stale: _s, overlay: _o, sections: _sizes, ...status } = json("status");
  const lines = run(folder, ["edges", ...(index ? ["--index", index] : [])]).stdout;
  // Whether the index's own folder was there already is no matter.
  status.skipped = status.skipped.filter(({ path }) => path !== ".portolan/");
  return {
    status,
    files: json("files"),
    edges: lines,
    found: ["addTax", "Cart", "Basket", "later"].map((name) => json("find", name)),
    searched: ["value added tax", "a cart", "checkout", "later"].map((query) => json("search", query)),
    callers: json("callers", "addTax"),
    text: json("text", "src/tax.ts"),
  };
}

/** Asserts that the index of a worktree answers as one made from scratch. */
function assertAsWhole(box, folder) {
  const whole = join(box.root, `${folder.split("/").at(-1)}.portolan`);
  box.index(folder, ["--full", "-o", whole]);
  assert.deepEqual(answers(box, folder), answers(box, folder, whole));
}

test("a worktree's index is an overlay that answers as a whole index", () => answersAsWhole("wasm", "no"));

test("so is that of the native program", { skip }, () => answersAsWhole("native", PROGRAM));

test("a program that breaks costs a note, not the overlay or its answers", () => {
  const box = world();
  const broken = join(box.root, "broken");
  writeFileSync(broken, "#!/bin/sh\necho 'out of luck' >&2\nexit 3\n", { mode: 0o755 });
  box.index(box.first);
  const folder = box.worktree("broken-program");
  appendFileSync(join(folder, "src/tax.ts"), "\nexport function later() {}\n");
  const made = box.index(folder, [], { PORTOLAN_NATIVE: broken });
  assert.equal(made.engine, "wasm");
  assert.match(made.stderr, /out of luck.*\[engine\.native\]/s);
  const { status, stdout } = box.run(folder, ["find", "later", "--json"], { PORTOLAN_NATIVE: broken });
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).symbols[0].path, "src/tax.ts");
});

/** Worktrees with edits of every kind, by an engine. */
function answersAsWhole(engine, program) {
  const box = world(SHOP, program);
  const base = box.index(box.first);
  assert.equal(base.overlay, undefined);
  const edits = {
    same: () => {},
    edited: (at) => {
      appendFileSync(join(at, "src/tax.ts"), "\nexport function later() {\n  return addTax(1);\n}\n");
      writeFileSync(
        join(at, "src/basket.ts"),
        'import { addTax } from "./tax";\nexport class Basket {\n  sum() {\n    return addTax(2);\n  }\n}\n',
      );
    },
    moved: (at) => {
      renameSync(join(at, "src/cart.ts"), join(at, "src/basket.ts"));
      rmSync(join(at, "src/checkout.tsx"));
      rmSync(join(at, "native"), { recursive: true });
    },
    ignored: (at) => {
      writeFileSync(join(at, ".gitignore"), "mail/\n");
      writeFileSync(join(at, "picture.bin"), Buffer.from([0, 1, 2, 3, 0]));
      writeFileSync(join(at, "scripts/deploy.lua"), Buffer.from([0xff, 0xfe, 0, 0, 1]));
      writeFileSync(join(at, "server/stock.py"), "\uFEFFclass Stock:\n    pass\n");
    },
  };
  for (const [name, edit] of Object.entries(edits)) {
    const folder = box.worktree(name);
    edit(folder);
    const made = box.index(folder);
    assert.equal(made.overlay?.root, box.first, name);
    assert.equal(made.engine, engine, name);
    assert.ok(made.n_bytes < base.n_bytes / 4, `${name}: ${made.n_bytes} of ${base.n_bytes}`);
    assertAsWhole(box, folder);
    assert.match(box.run(folder, ["status"]).stdout, /^overlay of the index of .*first: \d+ files? /m);
  }
}

test("random edits, one round after the other", () => {
  const box = world();
  box.index(box.first);
  const folder = box.worktree("random");
  const paths = [
    "src/cart.ts",
    "src/deep/tax.ts",
    "src/legacy.js",
    "server/stock.py",
    "core/src/money.rs",
    "README.md",
    "src/new.ts",
  ];
  let state = 11;
  const random = (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 3; n++) {
      const path = join(folder, paths[random(paths.length)]);
      if (random(4) === 0) rmSync(path, { force: true });
      else
        write(folder, {
          [path.slice(folder.length + 1)]: `export function later${random(5)}() {\n  return addTax(${random(9)});\n}\n`,
        });
    }
    const { overlay } = box.index(folder);
    assert.ok(overlay);
    assertAsWhole(box, folder);
  }
});

test("nothing changed, a whole index, and an index elsewhere", () => {
  const box = world();
  box.index(box.first);
  const folder = box.worktree("one");
  const made = box.index(folder);
  const { ino } = statSync(join(folder, INDEX));
  const { changes } = box.index(folder);
  assert.equal(changes.unchanged, made.n_files);
  assert.equal(statSync(join(folder, INDEX)).ino, ino, "not written again");
  assert.match(box.run(folder, ["status"]).stdout, /up to date with the files/);
  appendFileSync(join(folder, "src/tax.ts"), "// more\n");
  assert.match(box.run(folder, ["find", "addTax"]).stderr, /1 path has changed .*tax\.ts/);
  assert.equal(box.index(folder).overlay.n_changed, 1);
  const elsewhere = join(box.root, "elsewhere.portolan");
  assert.equal(box.index(folder, ["-o", elsewhere]).overlay, undefined);
  assert.equal(readFileSync(elsewhere).toString("latin1", 0, 8), "PORTOLAN");
  assert.equal(box.index(folder, ["--no-overlay"]).overlay, undefined);
  assert.equal(readFileSync(join(folder, INDEX)).toString("latin1", 0, 8), "PORTOLAN");
  assertAsWhole(box, folder);
  const sealed = join(box.root, "sealed.portolan");
  box.index(folder);
  writeFileSync(join(box.root, "word"), "a long enough passphrase\n");
  const { status, stderr } = box.run(folder, ["export", "--passphrase-file", join(box.root, "word"), "-o", sealed]);
  assert.equal(status, 0, stderr);
});

test("the MCP server, the hook and the API open it", () => {
  const box = world();
  box.index(box.first);
  const folder = box.worktree("one");
  appendFileSync(join(folder, "src/tax.ts"), "export function later() {}\n");
  box.index(folder);
  const options = { cwd: folder, env: box.env, encoding: "utf8" };
  const node = (script) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], options);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const dist = (file) => JSON.stringify(new URL(`../dist/${file}`, import.meta.url).href);
  const event = { hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "later" } };
  const hook = () => spawnSync(process.execPath, [BIN, "hook"], { ...options, input: JSON.stringify(event) });
  assert.equal(hook().stdout, "", "an agent does not wait for an index that is not made yet");
  const mcp = `import { NodeHost } from ${dist("mcp/node-host.js")};
    const host = new NodeHost({ version: "1", cwd: process.cwd() });
    const { symbols } = await (await host.open()).ask("find", { symbol: "later" });
    console.log(symbols[0].path);
    host.close();`;
  assert.equal(node(mcp), "src/tax.ts\n");
  assert.match(hook().stdout, /later \(src\/tax\.ts:\d+\)/);
  const api = `import { Portolan } from ${dist("entry/node.js")};
    const index = await Portolan.open(process.cwd());
    console.log((await index.find({ symbol: "later" })).symbols.length);
    index.close();`;
  assert.equal(node(api), "1\n");
});

test("without its base an overlay is made anew, and says so", () => {
  const box = world();
  box.index(box.first);
  const folder = box.worktree("one");
  appendFileSync(join(folder, "src/tax.ts"), "export function later() {}\n");
  box.index(folder);
  box.run(folder, ["cache", "clear"]);
  assert.deepEqual(readdirSync(box.cache), []);
  const { status, stdout, stderr } = box.run(folder, ["find", "later"]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /tax\.ts:\d+ {2}function later/);
  assert.match(stderr, /is gone or was changed: making it anew \[overlay\.base\]/);
  assertAsWhole(box, folder);
  // The same for `index`, where nothing else has changed.
  const other = box.worktree("two");
  assert.ok(box.index(other).overlay);
  box.run(folder, ["cache", "clear"]);
  const again = box.run(other, ["index"]);
  assert.match(again.stderr, /making it anew \[overlay\.base\]/);
  assert.match(again.stdout, /\d+ files \(/);
});

test("a kept index that was changed is not used", () => {
  const box = world();
  box.index(box.first);
  const [kept] = readdirSync(box.cache).filter((name) => name.endsWith(".portolan"));
  const path = join(box.cache, kept);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(path, bytes);
  const folder = box.worktree("one");
  const { overlay, known } = box.index(folder);
  assert.deepEqual([overlay, known], [undefined, undefined]);
  assertAsWhole(box, folder);
});

test("nor one whose bytes changed under its note: a question makes the overlay anew", () => {
  const box = world();
  box.index(box.first);
  const folder = box.worktree("one");
  appendFileSync(join(folder, "src/tax.ts"), "export function later() {}\n");
  assert.ok(box.index(folder).overlay);
  const [kept] = readdirSync(box.cache).filter((name) => name.endsWith(".portolan"));
  const path = join(box.cache, kept);
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(path, bytes);
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const note = path.replace(".portolan", ".json");
  writeFileSync(
    note,
    JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), identity: `${ino} ${size} ${mtimeNs} ${ctimeNs}` }),
  );
  const { stdout, stderr } = box.run(folder, ["find", "later"]);
  assert.match(stdout, /tax\.ts:\d+ {2}function later/);
  assert.match(stderr, /\[overlay\.base\]/);
  assertAsWhole(box, folder);
});

test("a second clone starts from what is kept; with the cache off nothing is kept", () => {
  const box = world();
  const { n_files } = box.index(box.first);
  const clone = join(box.root, "clone");
  box.git(box.root, "clone", "-q", box.first, clone);
  appendFileSync(join(clone, "src/tax.ts"), "export function later() {}\n");
  const { known, overlay, changes } = box.index(clone);
  assert.deepEqual([known, overlay, changes], [{ n_files: n_files - 1, root: box.first }, undefined, undefined]);
  assertAsWhole(box, clone);
  const off = { PORTOLAN_INDEX_CACHE: "off" };
  const folder = box.worktree("one");
  const whole = box.index(folder, [], off);
  assert.deepEqual([whole.overlay, whole.known], [undefined, undefined]);
  assert.match(box.run(folder, ["cache"], off).stdout, /nothing is kept/);
});

test("the cache has a bound: the least recently used goes first", () => {
  const box = world();
  const { n_bytes } = box.index(box.first);
  const bound = { PORTOLAN_INDEX_CACHE_MB: String((4.5 * n_bytes) / 1e6) };
  for (let n = 0; n < 6; n++) {
    const other = join(box.root, `other-${n}`);
    cpSync(box.first, other, { recursive: true });
    rmSync(join(other, ".portolan"), { recursive: true });
    writeFileSync(join(other, `file-${n}.ts`), `export const n = ${n};\n`);
    box.index(other, [], bound);
  }
  const { n_indexes, n_bytes: taken, max_bytes } = JSON.parse(box.run(box.first, ["cache", "--json"], bound).stdout);
  assert.ok(taken <= max_bytes, `${taken} of ${max_bytes}`);
  assert.ok(n_indexes >= 3, `${n_indexes}`);
});
