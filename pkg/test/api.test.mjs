// The public face: names that others build on. A change here is a change for every user.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import * as portolan from "portolan";
import * as files from "portolan/files";
import * as generating from "portolan/generate";

import { highlightClasses, initSync } from "../wasm/engine.js";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

test("names of the package", () => {
  assert.deepEqual(Object.keys(portolan).sort(), [
    "CodeIndex",
    "HIGHLIGHT_CLASSES",
    "Portolan",
    "PortolanError",
    "fetchSourceFile",
    "fileOfSource",
    "hostsOfSource",
    "knownForges",
    "nameOfSource",
    "newPathKey",
    "parseSource",
    "searchSeveral",
    "textOfName",
    "visible",
  ]);
  assert.deepEqual(Object.keys(portolan.Portolan).sort(), [
    "crossEncoder",
    "delete",
    "index",
    "list",
    "open",
    "openRemote",
    "persist",
    "storage",
  ]);
  assert.deepEqual(Object.keys(files).sort(), ["applyEdits", "applyRename", "gitDiff"]);
  assert.deepEqual(Object.keys(generating).sort(), [
    "KINDS",
    "TITLES",
    "citationsOf",
    "generate",
    "markdownOf",
    "reparseWith",
    "wordsOf",
  ]);
  const methods = Object.getOwnPropertyNames(portolan.CodeIndex.prototype).filter((name) => name !== "constructor");
  assert.deepEqual(methods.sort(), [
    "ask",
    "assemble",
    "atlas",
    "callees",
    "callers",
    "chunks",
    "close",
    "codeIntelligence",
    "communities",
    "community",
    "complete",
    "context",
    "cycles",
    "cypher",
    "definition",
    "detectChanges",
    "edges",
    "export",
    "files",
    "find",
    "findChunksForSymbol",
    "getCalleesAsResults",
    "getCallersAsResults",
    "highlights",
    "impact",
    "keep",
    "linkLspToChunk",
    "locals",
    "locate",
    "map",
    "name",
    "outline",
    "paths",
    "process",
    "processes",
    "query",
    "references",
    "regex",
    "rename",
    "save",
    "search",
    "searchInLayers",
    "stale",
    "status",
    "stored",
    "structural",
    "subgraph",
    "text",
    "trace",
    "traverse",
    "update",
    "watch",
  ]);
});

test("highlight classes are numbered as in the engine", () => {
  initSync({ module: readFileSync(new URL("../wasm/engine_bg.wasm", import.meta.url)) });
  assert.deepEqual(highlightClasses(), portolan.HIGHLIGHT_CLASSES);
});

test("questions and answers have the reviewed types", () => {
  const declared = read("../wasm/reader.d.ts");
  const types = declared.match(/export (interface|type) \w+[^{;=]*(\{[^}]*\}|= [^;]*;)/g);
  const names = (text) => text.map((type) => type.match(/(?:interface|type) (\w+)/)[1]);
  const plain = types.filter((type) => !/Init(Output|Input)|SyncInit/.test(type));
  const text = plain
    .map((type) => type.replace(/\/\*\*[\s\S]*?\*\//g, "").replace(/\n\s*\n/g, "\n"))
    .sort()
    .join("\n\n");
  const file = new URL("api.snap.d.ts", import.meta.url);
  if (process.env.UPDATE_EXPECT) writeFileSync(file, `${text}\n`);
  assert.equal(`${text}\n`, read("api.snap.d.ts"), "review the change, then UPDATE_EXPECT=1 npm test");
  // Both artifacts speak the same words.
  const engine = read("../wasm/engine.d.ts");
  for (const name of names(plain)) assert.match(engine, new RegExp(`export (interface|type) ${name}\\b`));
});
