// Where commands find the repository and its index, from any folder of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { findIndex, findRoot, requireIndex, rootOfIndex } from "../dist/node/root.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const portolan = (cwd, ...args) => execFileSync(process.execPath, [BIN, ...args], { cwd, encoding: "utf8" });

test("the root is the nearest folder with an index or a mark of a repository", () => {
  const top = realpathSync(folderWith({ "a/b/c/file.ts": "" }));
  assert.equal(findRoot(join(top, "a/b")), join(top, "a/b"), "without a mark it is the folder itself");
  for (const mark of [".git", ".hg", ".jj", "portolan.toml"]) {
    // In a submodule `.git` is a file.
    writeFileSync(join(top, "a", mark), "");
    assert.equal(findRoot(join(top, "a/b/c")), join(top, "a"), mark);
    rmSync(join(top, "a", mark));
  }
  mkdirSync(join(top, ".git"));
  assert.equal(findRoot(join(top, "a/b")), top);
  mkdirSync(join(top, "a/.portolan"));
  assert.equal(findRoot(join(top, "a/b")), top, "a folder without an index in it is no mark");
  writeFileSync(join(top, "a/.portolan/index.portolan"), "");
  assert.equal(findRoot(join(top, "a/b")), join(top, "a"));
  assert.equal(findIndex(join(top, "a/b")), join(top, "a/.portolan/index.portolan"));
  assert.equal(findIndex(top), undefined);
  assert.throws(() => requireIndex(top), { code: "storage.not-found" });
  assert.equal(rootOfIndex(join(top, "a/.portolan/index.portolan")), join(top, "a"));
  assert.equal(rootOfIndex(join(top, "elsewhere/x.portolan")), join(top, "elsewhere"));
});

test("index without a path, from a folder below; questions from anywhere in it", () => {
  const root = realpathSync(folderWith(SHOP));
  mkdirSync(join(root, ".git"));
  const summary = JSON.parse(portolan(join(root, "src"), "index", "--no-embeddings", "--json"));
  assert.equal(summary.index, join(root, ".portolan/index.portolan"));
  assert.equal(readFileSync(join(root, ".portolan/.gitignore"), "utf8"), "*\n");
  assert.equal(existsSync(join(root, "src/.portolan")), false);
  for (const folder of [".", "src", "mail"]) {
    assert.equal(
      JSON.parse(portolan(join(root, folder), "find", "addTax", "--json")).symbols[0].path,
      "src/tax.ts",
      folder,
    );
  }
  const elsewhere = folderWith({});
  assert.equal(
    JSON.parse(portolan(elsewhere, "find", "addTax", "--json", "--index", summary.index)).symbols[0].path,
    "src/tax.ts",
  );
});
