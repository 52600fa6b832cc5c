// Input that is wrong in some way: each gives a message, and loses nothing else.
import assert from "node:assert/strict";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Portolan } from "portolan";

import { codeOf, folderWith, zipOf } from "./fixture.mjs";

const GOOD = { "good.ts": "export function good() { return 1; }\n" };
const FAST = { embeddings: false };

/** Indexes, and returns the files, and those left out with the reason. */
async function indexed(input, options = {}) {
  const index = await Portolan.index(input, { ...FAST, ...options });
  await index.complete;
  const status = await index.status();
  const { files } = await index.files();
  index.close();
  const codes = (rows) => Object.fromEntries(rows.map(({ path, code }) => [path, code]));
  return {
    paths: files.map(({ path }) => path),
    skipped: codes(status.skipped),
    problems: codes(status.problems),
    status,
  };
}

test("files that are no text, too large, or full of one line are left out with the reason", async () => {
  const root = folderWith({
    ...GOOD,
    "latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    "huge.bin": "",
    "line.js": `x = "${"a".repeat(1_900_000)}"`,
    "bom.ts": Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("export const bom = 1;\n")]),
    "utf16.ts": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("export const wide = 1;\n", "utf16le")]),
  });
  truncateSync(join(root, "huge.bin"), 100 * 1024 * 1024);
  const { paths, skipped } = await indexed(root);
  assert.deepEqual(paths, ["bom.ts", "good.ts", "utf16.ts"]);
  assert.deepEqual(skipped, {
    "huge.bin": "too-large",
    "image.png": "binary",
    "latin1.txt": "not-utf-8",
    "line.js": "long-line",
  });
});

test("100,000 nested brackets do not break the parser", async () => {
  const nested = "(".repeat(100_000) + ")".repeat(100_000);
  const deep = nested.match(/.{1,90}/g).join("\n");
  const { paths } = await indexed(
    folderWith({ ...GOOD, "deep.js": deep, "deep.py": deep, "deep.rs": `fn f() { ${deep} }` }),
  );
  assert.deepEqual(paths, ["deep.js", "deep.py", "deep.rs", "good.ts"]);
});

test("an empty repository is an index without files", async () => {
  const { paths, status } = await indexed(folderWith({}));
  assert.deepEqual(paths, []);
  assert.equal(status.n_files, 0);
});

test("of two files with the same path the first is kept", async () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const { paths, skipped, status } = await indexed({
    files: [
      { path: "a.ts", bytes: bytes("const one = 1;\n") },
      { path: "./a.ts", bytes: bytes("const second = 22;\n") },
    ],
  });
  assert.deepEqual(paths, ["a.ts"]);
  assert.deepEqual(Object.values(skipped), ["duplicate-path"]);
  assert.equal(status.n_bytes, 15);
});

test("a zip is read; names that lead out of it are not", async () => {
  const zip = zipOf({ "repo/good.ts": GOOD["good.ts"], "repo/../../evil.ts": "evil", "/etc/passwd": "root" });
  const { paths, skipped } = await indexed({ archive: zip });
  assert.ok(
    paths.some((path) => path.endsWith("good.ts")),
    `${paths}`,
  );
  assert.equal(paths.length, 1);
  assert.deepEqual([...new Set(Object.values(skipped))], ["unsafe-path"]);
});

test("a zip bomb stops at the limit", async () => {
  const zip = zipOf({ ...GOOD, "bomb.txt": Buffer.alloc(60_000_000, "0") });
  const { paths, skipped } = await indexed({ archive: zip });
  assert.deepEqual(paths, ["good.ts"]);
  assert.deepEqual(skipped, { "bomb.txt": "too-large" });
});

test("what is no archive, or a damaged one, says so", async () => {
  assert.equal(await codeOf(Portolan.index({ archive: new TextEncoder().encode("hello") }, FAST)), "archive.unknown");
  assert.equal(await codeOf(Portolan.index({ archive: zipOf(GOOD).slice(0, 50) }, FAST)), "archive.damaged");
  assert.equal(await codeOf(Portolan.index("/no/such/folder", FAST)), "input.unreadable");
});

test("links are not followed", async () => {
  const root = folderWith({ ...GOOD, "sub/a.ts": "export const a = 1;\n" });
  symlinkSync(root, join(root, "sub", "loop"));
  const { paths, skipped } = await indexed(root);
  assert.deepEqual(paths, ["good.ts", "sub/a.ts"]);
  assert.deepEqual(skipped, { "sub/loop": "link" });
});

test("the folder of an index is not indexed, .portolanignore is obeyed", async () => {
  const root = folderWith({ ...GOOD, "gen.ts": "x", ".portolanignore": "gen.ts\n" });
  const index = await Portolan.index(root, { ...FAST, store: true, name: "kept" });
  await index.complete;
  assert.equal(index.stored.state, "saved");
  index.close();
  writeFileSync(join(root, "more.ts"), "export const more = 1;\n");
  const { paths, skipped } = await indexed(root);
  assert.ok(paths.includes("more.ts") && !paths.includes("gen.ts"));
  assert.equal(skipped[".portolan/"], "default-exclude");
});
