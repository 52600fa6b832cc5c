// The packed package is what users get: pack it, install it into empty projects, run it there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
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

test("Vite: one copy of each wasm, the workers beside the page; it runs in a browser", async (t) => {
  write(installed, {
    "index.html": '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>',
    "page.js": `import { Portolan } from "portolan";
window.run = async (sources) => {
  const files = Object.entries(sources).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const index = await Portolan.index({ files }, { name: "repo", store: true });
  await index.complete;
  const { hits } = await index.search("value added tax");
  const { calls } = await index.callers("addTax");
  const opened = await Portolan.open("repo");
  const again = await opened.search("value added tax");
  return {
    answer: [hits[0].path, calls[0].symbol.name, (await index.status()).n_vectors > 0],
    stored: index.stored.state,
    same: JSON.stringify(again.hits) === JSON.stringify(hits),
    highlights: (await opened.highlights(hits[0].path)).length > 0,
    list: (await Portolan.list()).map(({ name, n_files }) => [name, n_files]),
  };
};
`,
  });
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "error"], { cwd: installed, stdio: ["ignore", "ignore", "inherit"] });
  const assets = readdirSync(join(installed, "dist/assets"));
  const count = (pattern) => assets.filter((file) => pattern.test(file)).length;
  for (const name of ["engine_bg", "reader_bg", "onnx_bg", "tree-sitter-rust"]) assert.equal(count(new RegExp(`^${name}-.*\\.wasm$`)), 1, name);
  const nGrammars = readdirSync(join(installed, "node_modules/portolan/grammars")).filter((file) => file.endsWith(".wasm")).length;
  assert.equal(count(/\.wasm$/), nGrammars + 3);
  await t.test("in Chromium", { skip: !process.env.PORTOLAN_CHROMIUM && "PORTOLAN_CHROMIUM names no browser" }, async () => {
    const sources = Object.fromEntries(Object.entries(SOURCES).map(([path, text]) => [path.replace("repo/", ""), text]));
    const outcome = await inBrowser(join(installed, "dist"), (page) => page.evaluate((sources) => window.run(sources), sources));
    assert.deepEqual(outcome, { answer: ANSWER, stored: "saved", same: true, highlights: true, list: [["repo", 2]] });
  });
});

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** Serves a folder and runs something in a page of it. */
async function inBrowser(folder, run) {
  const { chromium } = await import("playwright-core");
  const server = createServer((request, response) => {
    const path = join(folder, request.url === "/" ? "index.html" : request.url);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: process.env.PORTOLAN_CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => "run" in window);
    return await run(page);
  } finally {
    await browser.close();
    server.close();
  }
}

test("workerd: the reading artifact is imported as a module", () => {
  const entry = readFileSync(join(installed, "node_modules/portolan/dist/entry/workerd.js"), "utf8");
  assert.match(entry, /from "\.\.\/\.\.\/wasm\/reader_bg\.wasm"/);
  const { exports } = JSON.parse(readFileSync(join(installed, "node_modules/portolan/package.json"), "utf8"));
  assert.deepEqual(Object.keys(exports["."]), ["types", "workerd", "node", "default"]);
});
