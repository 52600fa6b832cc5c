// The packed package is what users get: pack it, install it into empty projects, run it there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "portolan-packaging-"));
after(() => rmSync(work, { recursive: true, force: true }));

const SOURCES = {
  "repo/src/tax.ts": "/** Adds value added tax. */\nexport function addTax(net: number) { return net * 1.19; }\n",
  "repo/src/cart.ts": 'import { addTax } from "./tax";\nexport function total(net: number) { return addTax(net); }\n',
};
const ASK = `
  const index = await Portolan.index("repo");
  await index.complete;
  const { hits } = await index.search("value added tax");
  const { calls } = await index.callers("addTax");
  console.log(JSON.stringify([hits[0].path, calls[0].symbol.name, (await index.status()).n_vectors > 0]));
  index.close();
`;
const ANSWER = ["src/tax.ts", "total", true];

let installed;
before(() => {
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--pack-destination", work], join(ROOT, "pkg")));
  installed = project("installed", { type: "module" });
  npm(["install", "--no-audit", "--no-fund", "--prefer-offline", join(work, filename)], installed);
});

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function project(name, manifest) {
  const folder = join(work, name);
  write(folder, { "package.json": JSON.stringify({ name, version: "1.0.0", private: true, ...manifest }), ...SOURCES });
  return folder;
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const node = (args) => execFileSync(process.execPath, args, { cwd: installed, encoding: "utf8" });

test("the tarball holds what it needs and nothing else", () => {
  const folder = join(installed, "node_modules/portolan");
  assert.deepEqual(readdirSync(folder).sort(), ["bin", "dist", "grammars", "model", "package.json", "wasm"].concat(existsSync(join(folder, "README.md")) ? ["README.md"] : []).sort());
  for (const file of readdirSync(folder, { recursive: true })) assert.doesNotMatch(file, /\.(rs|tsbuildinfo)$|test/, file);
});

test("Node, import", () => {
  write(installed, { "esm.mjs": `import { Portolan } from "portolan";${ASK}` });
  assert.deepEqual(JSON.parse(node(["esm.mjs"])), ANSWER);
});

test("Node, require", () => {
  write(installed, { "cjs.cjs": `(async () => { const { Portolan } = require("portolan");${ASK} })();` });
  assert.deepEqual(JSON.parse(node(["cjs.cjs"]).trim().split("\n").at(-1)), ANSWER);
});

test("the command line", () => {
  const bin = join(installed, "node_modules/.bin/portolan");
  const run = (...args) => execFileSync(bin, args, { cwd: installed, encoding: "utf8" });
  assert.match(run("index", "repo"), /^2 files/);
  assert.equal(JSON.parse(run("find", "addTax", "--json", "--index", "repo/.portolan/index.portolan")).symbols[0].path, "src/tax.ts");
});

test("TypeScript finds the types", () => {
  write(installed, {
    "check.ts": `import { Portolan, PortolanError, type CodeIndex, type SearchResponse } from "portolan";
export async function ask(index: CodeIndex): Promise<SearchResponse> { return index.search({ query: "x", limit: 3 }); }
export const opened: Promise<CodeIndex> = Portolan.open(new Uint8Array(), {});
export const code = (error: unknown): string => (error instanceof PortolanError ? error.code : "");
// @ts-expect-error there is no such option
void Portolan.index("repo", { nonsense: true });
`,
    "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module: "NodeNext", target: "ES2022", lib: ["ES2023", "DOM"], types: [], skipLibCheck: false }, files: ["check.ts"] }),
  });
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", installed], { stdio: "inherit" });
});

test("Vite: one copy of each wasm, the workers beside the page", () => {
  write(installed, {
    "index.html": '<!doctype html><script type="module" src="/page.js"></script>',
    "page.js": 'import { Portolan } from "portolan";\nwindow.run = (files) => Portolan.index({ files });\n',
  });
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "error"], { cwd: installed, stdio: ["ignore", "ignore", "inherit"] });
  const assets = readdirSync(join(installed, "dist/assets"));
  const count = (pattern) => assets.filter((file) => pattern.test(file)).length;
  for (const name of ["engine_bg", "reader_bg", "onnx_bg", "tree-sitter-rust"]) assert.equal(count(new RegExp(`^${name}-.*\\.wasm$`)), 1, name);
  assert.equal(count(/\.wasm$/), 12);
  const page = assets.filter((file) => /^index-.*\.js$/.test(file)).map((file) => readFileSync(join(installed, "dist/assets", file), "utf8"));
  assert.ok(page.some((text) => text.includes("new Worker(")), "the page starts the index worker");
});

test("workerd: the reading artifact is imported as a module", () => {
  const entry = readFileSync(join(installed, "node_modules/portolan/dist/entry/workerd.js"), "utf8");
  assert.match(entry, /from "\.\.\/\.\.\/wasm\/reader_bg\.wasm"/);
  const { exports } = JSON.parse(readFileSync(join(installed, "node_modules/portolan/package.json"), "utf8"));
  assert.deepEqual(Object.keys(exports["."]), ["types", "workerd", "node", "default"]);
});
