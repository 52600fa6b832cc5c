// The package names the licences of what it contains: of the crates in its WebAssembly files, of grammars, and of packages in its bundles. And
// the entries for registries are what those ask for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bundleManifest, marketplace, serverEntry } from "../../tools/release/manifests.mjs";
import { MARKETPLACE, SERVER } from "../../tools/release/rules.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("pkg/package.json"));
const plugin = JSON.parse(read("pkg/.claude-plugin/plugin.json"));

test("our own licences and those of others are in the package", () => {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) assert.equal(read(`pkg/${name}`), read(name));
  const notices = read("pkg/THIRD-PARTY-NOTICES.txt");
  const named = new Set([...notices.matchAll(/^(\S+) \d[\w.+-]* \(.*\)$/gm)].map(([, name]) => name));
  const grammars = [...read("grammars.toml").matchAll(/^\[(grammar|compiled)\.\w+\]\n(?:package|crate) = "(.*)"/gm)];
  assert.ok(grammars.length >= 20);
  for (const [, , name] of grammars) assert.ok(named.has(name), `the grammar ${name}`);
  for (const name of ["tree-sitter", "zstd-sys", "rkyv", "serde", "wasm-bindgen", "tract-onnx", "argon2"])
    assert.ok(named.has(name), `the crate ${name}`);
  for (const name of ["idb", "preact", "@codemirror/view", "@modelcontextprotocol/server"])
    assert.ok(named.has(name), `the package ${name}`);
  for (const name of ["wrangler", "typescript", "esbuild", "proptest", "portolan-engine"])
    assert.ok(!named.has(name), `${name} is no part of it`);
  for (const words of [
    "Permission is hereby granted, free of charge",
    "Redistribution and use in source",
    "TERMS AND CONDITIONS",
  ])
    assert.ok(notices.includes(words), words);
  assert.ok(notices.length < 300_000, `${notices.length}`);
});

test("entries name an address only where there is one", () => {
  const none = { repository: "", mcpName: null };
  const some = { repository: "https://github.com/owner/name", mcpName: "io.github.owner/portolan" };
  const without = serverEntry({ manifest, settings: none, bundleDigest: "0" });
  assert.doesNotMatch(JSON.stringify({ ...without, $schema: "" }), /https:/);
  assert.deepEqual(
    without.packages.map(({ registryType }) => registryType),
    ["npm"],
  );
  const entry = serverEntry({ manifest, settings: some, bundleDigest: "a".repeat(64) });
  assert.deepEqual(entry.repository, { url: some.repository, source: "github" });
  assert.match(entry.packages[1].identifier, /^https:\/\/github\.com\/owner\/name\/releases\/download\/v.*\.mcpb$/);
  assert.match(entry.name, new RegExp(SERVER.properties.name.pattern));
  assert.ok(entry.description.length <= 100);
  for (const value of [without, entry])
    assert.deepEqual(
      Object.keys(value).filter((key) => !(key in SERVER.properties)),
      [],
    );
  const bundle = bundleManifest({ manifest, plugin, settings: none, tools: [] });
  assert.equal(bundle.repository, undefined);
  assert.equal(bundle.server.entry_point, "bin/portolan.js");
});

test("the marketplace names one version of the package", () => {
  const list = marketplace({ manifest, plugin });
  assert.deepEqual(list.plugins[0].source, { source: "npm", package: "portolan", version: manifest.version });
  assert.deepEqual(Object.keys(list).sort(), Object.keys(MARKETPLACE.properties).sort());
});
