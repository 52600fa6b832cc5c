// The packed package is what users get: pack it, install it into empty projects, run it there. PORTOLAN_TARBALL names one that was packed
// elsewhere, for systems that do not build it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "portolan-packaging-"));
after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

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
let packed;
before(() => {
  const source = resolve(process.env.PORTOLAN_TARBALL ?? join(ROOT, "pkg"));
  [packed] = JSON.parse(npm(["pack", source, "--json", "--pack-destination", work], work));
  installed = project("installed", { type: "module" });
  npm(["install", "--no-audit", "--no-fund", "--prefer-offline", join(work, packed.filename)], installed);
});

function npm(args, cwd) {
  return execFileSync("npm", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
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

const LIST = new URL("contents.txt", import.meta.url);
/** With all grammars, the model and the page. */
const MAX_TARBALL = 25e6;

test("the tarball is within its limit, and holds exactly what is listed", () => {
  assert.ok(packed.size <= MAX_TARBALL, `${packed.size} bytes`);
  // Names with a digest of the contents change with every build. The bundler also chooses and names the parts that modules of the page share.
  const names = packed.files.map(({ path }) =>
    path
      .replace(/^(site\/page\/assets\/).*-[\w-]{8}(\.(js|css))$/, "$1NAME-HASH$2")
      .replace(/((?:pieces|chunk)-)[\w-]{8}(\.js)$/, "$1HASH$2"),
  );
  const counted = [...new Set(names)].sort().map((name) => {
    const n = names.filter((other) => other === name).length;
    return n === 1 ? name : `${name} (several)`;
  });
  const text = `${counted.join("\n")}\n`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(LIST, text);
  assert.equal(
    text,
    readFileSync(LIST, "utf8").replaceAll("\r", ""),
    "UPDATE_SNAPSHOTS=1 writes the list anew: read the diff",
  );
  for (const { path } of packed.files) assert.doesNotMatch(path, /\.(rs|ts\.map|tsbuildinfo)$|(^|\/)tests?\//, path);
});

test("it needs no other package but the one it names, and no system but Node", () => {
  const { dependencies, engines, os, cpu, scripts } = JSON.parse(
    readFileSync(join(installed, "node_modules/portolan/package.json"), "utf8"),
  );
  assert.deepEqual(Object.keys(dependencies), ["idb"]);
  assert.deepEqual(
    [engines.node, os, cpu, scripts.postinstall, scripts.install],
    [">=20.12", undefined, undefined, undefined, undefined],
  );
  // Bundled code must not be looked for at the user's.
  const folder = join(installed, "node_modules/portolan/dist");
  for (const file of readdirSync(folder, { recursive: true }).filter(
    (file) => file.endsWith(".js") && !file.startsWith("cli"),
  )) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, name] of text.matchAll(
      /(?:^|[;}\n])\s*(?:import|export)[^"';]{0,400}?from\s*["']([^."'][^"']*)["']/g,
    ))
      assert.ok(name === "idb" || name.startsWith("node:"), `${file}: ${name}`);
  }
});

test("Node, import", () => {
  write(installed, { "esm.mjs": `import { Portolan } from "portolan";${ASK}` });
  assert.deepEqual(JSON.parse(node(["esm.mjs"])), ANSWER);
});

test("Node, require", () => {
  write(installed, { "cjs.cjs": `(async () => { const { Portolan } = require("portolan");${ASK} })();` });
  assert.deepEqual(JSON.parse(node(["cjs.cjs"]).trim().split("\n").at(-1)), ANSWER);
});

test("the command line, as npm links it", () => {
  const bin = join(installed, "node_modules/.bin", process.platform === "win32" ? "portolan.cmd" : "portolan");
  const run = (...args) =>
    execFileSync(bin, args, { cwd: installed, encoding: "utf8", shell: process.platform === "win32" });
  assert.match(run("index", "repo"), /^2 files/);
  assert.equal(
    JSON.parse(run("find", "addTax", "--json", "--index", "repo/.portolan/index.portolan")).symbols[0].path,
    "src/tax.ts",
  );
  // Features that come out of bundles: settings in TOML, completion, the page, encryption.
  write(installed, { "portolan.toml": "[search]\nlimit = 1\n" });
  assert.match(run("config"), /search\.limit +1 +portolan\.toml:2/);
  assert.match(run("completion", "bash"), /complete -o filenames -F _portolan portolan/);
  write(installed, { "passphrase.txt": "three plain words\n" });
  run("export", "--passphrase-file", "passphrase.txt", "-o", "repo.sealed", "--index", "repo/.portolan/index.portolan");
  assert.match(
    run("find", "addTax", "--index", "repo.sealed", "--passphrase-file", "passphrase.txt"),
    /^src\/tax\.ts:2/,
  );
  assert.match(run("build", "repo", "-o", "site", "--no-embeddings"), /^repo: /);
  assert.ok(
    existsSync(join(installed, "site/index.html")) && existsSync(join(installed, "site/sample/portolan.index")),
  );
});

const CHECK = `import { Portolan, PortolanError, type CodeIndex, type SearchResponse } from "portolan";
import * as core from "portolan/core";
import * as chat from "portolan/chat";
import edge from "portolan/edge";
import * as files from "portolan/files";
import python from "portolan/grammars/python";
import model from "portolan/model";
import onnx from "portolan/onnx";
import * as mcp from "portolan/mcp";
import * as worker from "portolan/worker";
import engine from "portolan/engine.wasm";
export const all: object[] = [chat, files, mcp, worker, engine, edge];
export const chosen = core.createPortolan({ assets: [python, model, onnx] }).index({ files: [] });
export const hosted = core.createPortolan({ assets: "/portolan/" }).list();
// @ts-expect-error an asset is an import, not a name
core.createPortolan({ assets: ["python"] });
export async function ask(index: CodeIndex): Promise<SearchResponse> { return index.search({ query: "x", limit: 3 }); }
export const opened: Promise<CodeIndex> = Portolan.open(new Uint8Array(), {});
export const code = (error: unknown): string => (error instanceof PortolanError ? error.code : "");
void Portolan.index({ files: [{ path: "a.ts", bytes: new Uint8Array() }] }).then((index) => index.close());
// @ts-expect-error there is no such option
void Portolan.index("repo", { nonsense: true });
`;
/** Types that make sense only with the classes of a page. */
const CHECK_DOM = `import { Portolan } from "portolan";
export const index = (folder: FileSystemDirectoryHandle, files: File[], signal: AbortSignal) =>
  [Portolan.index(folder, { signal }), Portolan.index(files), Portolan.index({ archive: new Blob([]) })];
// @ts-expect-error a number is no file
void Portolan.index([1]);
`;

for (const [project, lib, types, sources] of [
  ["a page", ["ES2023", "DOM"], [], { "check.ts": CHECK, "dom.ts": CHECK_DOM }],
  ["a Node project without the DOM", ["ES2023"], ["node"], { "check.ts": CHECK }],
  ["a project with the language alone", ["ES2023"], [], { "check.ts": CHECK }],
]) {
  test(`TypeScript finds the types in ${project}`, () => {
    write(installed, sources);
    const compilerOptions = { strict: true, noEmit: true, module: "NodeNext", target: "ES2022", skipLibCheck: false };
    const typeRoots = [join(ROOT, "node_modules/@types")];
    write(installed, {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...compilerOptions, lib, types, typeRoots },
        files: Object.keys(sources),
      }),
    });
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", installed], {
      stdio: "inherit",
    });
  });
}

test("Vite: one copy of each wasm, the workers beside the page; it runs in a browser", async (t) => {
  write(installed, {
    "index.html": '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>',
    "page.js": `import { Portolan } from "portolan";
window.runOwnWorker = (sources) => new Promise((resolve, reject) => {
  const worker = new Worker(new URL("./own-worker.js", import.meta.url), { type: "module" });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(sources);
});
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
    "own-worker.js": `import { Portolan } from "portolan/worker";
onmessage = async ({ data: sources }) => {
  const files = Object.entries(sources).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const index = await Portolan.index({ files }, { name: "own", embeddings: false });
  await index.complete;
  const { calls } = await index.callers("addTax");
  const sealed = await index.save({ passphrase: "three plain words" });
  const opened = await Portolan.open(sealed, { passphrase: "three plain words" });
  postMessage([calls[0].symbol.name, (await opened.find("addTax")).symbols[0].path, await Portolan.open(sealed, { passphrase: "x" }).catch(({ code }) => code)]);
};
`,
    "vite.config.js": 'export default { worker: { format: "es" } };\n',
  });
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "error"], {
    cwd: installed,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const assets = readdirSync(join(installed, "dist/assets"));
  const count = (pattern) => assets.filter((file) => pattern.test(file)).length;
  for (const name of ["engine_bg", "reader_bg", "onnx_bg", "seal_bg", "hnsw_bg", "tree-sitter-rust"])
    assert.equal(count(new RegExp(`^${name}-.*\\.wasm$`)), 1, name);
  const nGrammars = readdirSync(join(installed, "node_modules/portolan/grammars")).filter((file) =>
    file.endsWith(".wasm"),
  ).length;
  assert.equal(count(/\.wasm$/), nGrammars + 5);
  await t.test(
    "in Chromium",
    { skip: !process.env.PORTOLAN_CHROMIUM && "PORTOLAN_CHROMIUM names no browser" },
    async () => {
      const sources = Object.fromEntries(
        Object.entries(SOURCES).map(([path, text]) => [path.replace("repo/", ""), text]),
      );
      const outcome = await inBrowser(join(installed, "dist"), (page) =>
        page.evaluate((sources) => window.run(sources), sources),
      );
      assert.deepEqual(outcome, { answer: ANSWER, stored: "saved", same: true, highlights: true, list: [["repo", 2]] });
    },
  );
  await t.test(
    "in a Web Worker of one's own",
    { skip: !process.env.PORTOLAN_CHROMIUM && "PORTOLAN_CHROMIUM names no browser" },
    async () => {
      const sources = Object.fromEntries(
        Object.entries(SOURCES).map(([path, text]) => [path.replace("repo/", ""), text]),
      );
      const outcome = await inBrowser(join(installed, "dist"), (page) =>
        page.evaluate((sources) => window.runOwnWorker(sources), sources),
      );
      assert.deepEqual(outcome, ["total", "src/tax.ts", "seal.passphrase"]);
    },
  );
});

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/** Serves a folder and runs something in a page of it. */
async function inBrowser(folder, run) {
  const { chromium } = await import("playwright-core");
  const server = createServer((request, response) => {
    const path = join(folder, request.url === "/" ? "index.html" : request.url);
    if (!existsSync(path)) return response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" })
      .end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: process.env.PORTOLAN_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
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

test("workerd: a Worker opens a snapshot and answers", async (t) => {
  const { exports } = JSON.parse(readFileSync(join(installed, "node_modules/portolan/package.json"), "utf8"));
  assert.deepEqual(Object.keys(exports["."]), ["types", "workerd", "node", "default"]);
  write(installed, {
    "worker.js": `import { Portolan } from "portolan";
export default {
  async fetch(request) {
    const index = await Portolan.open(new Uint8Array(await request.arrayBuffer()));
    const refused = await Portolan.index({ files: [] }).catch(({ code }) => code);
    const answer = [(await index.search("value added tax")).hits[0].path, (await index.callers("addTax")).calls[0].symbol.name, refused];
    index.close();
    return Response.json(answer);
  },
};
`,
  });
  const { build } = await import("esbuild");
  const out = join(work, "worker");
  await build({
    entryPoints: [join(installed, "worker.js")],
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error",
    plugins: [wasmModules(out)],
  });
  writeFileSync(
    join(out, "wrangler.toml"),
    'name = "answers"\nmain = "worker.js"\ncompatibility_date = "2026-01-01"\nno_bundle = true\n[[rules]]\ntype = "CompiledWasm"\nglobs = ["**/*.wasm"]\n[[rules]]\ntype = "ESModule"\nglobs = ["**/*.js"]\n',
  );
  const { createTestHarness } = await import("wrangler");
  const server = createTestHarness({ root: out, workers: [{ configPath: join(out, "wrangler.toml") }] });
  t.after(() => server.close());
  await server.listen();
  const body = readFileSync(join(installed, "repo/.portolan/index.portolan"));
  const response = await server.fetch("/", { method: "POST", body });
  assert.deepEqual(await response.json(), ["src/tax.ts", "total", "host.read-only"]);
});

/** As wrangler does: `.wasm` is a module beside the bundle, imported as it is. */
function wasmModules(out) {
  return {
    name: "wasm-modules",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        const name = path.split("/").at(-1);
        mkdirSync(out, { recursive: true });
        cpSync(join(resolveDir, path), join(out, name));
        return { path: `./${name}`, external: true };
      });
    },
  };
}
