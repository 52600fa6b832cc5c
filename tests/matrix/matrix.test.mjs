// The packed package where people build and run: it is installed into a fresh folder, built with each bundler from what a user would
// write, and asked: in headless Chromium, in Node, Bun and Deno, and in workerd. PORTOLAN_TARBALL names one that was packed elsewhere.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { answerOf, closeBrowser, served } from "./pages.mjs";
import * as projects from "./projects.mjs";
import { npm, runtime, toolModule, toolsFolder } from "./tools.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { ANSWER, ASK, CHOSEN_ANSWER, SOURCES } = projects;
const NO_BROWSER = !process.env.PORTOLAN_CHROMIUM && "PORTOLAN_CHROMIUM names no browser";
/** Engine, reader, two grammars, the model and scripts; the whole package has more than 60 MB. */
const MAX_CHOSEN = 18e6;

let tools;
/** Below the tools, so that projects find them, and the package, as they would find their own. */
let work;
before(() => {
  tools = toolsFolder();
  work = mkdtempSync(join(tools, "run-"));
  const source = resolve(process.env.PORTOLAN_TARBALL ?? join(ROOT, "pkg"));
  const [{ filename }] = JSON.parse(npm(["pack", source, "--json", "--pack-destination", work], work));
  writeFileSync(join(work, "package.json"), '{ "private": true, "type": "module" }\n');
  npm(["install", "--no-package-lock", "--ignore-scripts", join(work, filename)], work);
});
after(async () => {
  await closeBrowser();
  if (work) rmSync(work, { recursive: true, force: true });
});

/** A folder with these files. */
function project(name, files) {
  const folder = join(work, name);
  for (const [path, text] of Object.entries({ "ask.js": ASK, ...files })) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const portolan = (...args) =>
  execFileSync(process.execPath, [join(work, "node_modules/portolan/bin/portolan.js"), ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Bytes of all files, said in the report. */
function sizeOf(t, folder) {
  const files = readdirSync(folder, { recursive: true }).map((path) => statSync(join(folder, path)));
  const n_bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  t.diagnostic(`${t.name}: ${(n_bytes / 1e6).toFixed(1)} MB`);
  return n_bytes;
}

async function answers(folder, expected, run) {
  const { problems, ...answer } = await served(folder, (address) => answerOf(address, SOURCES, run));
  assert.deepEqual(answer, expected);
  return problems;
}

test("Vite with chosen languages", { skip: NO_BROWSER }, async (t) => {
  const folder = project("vite", { "page.js": projects.CHOSEN_PAGE, "index.html": projects.HTML });
  const { build } = await import("vite");
  await build({ root: folder, logLevel: "error" });
  assert.ok(sizeOf(t, join(folder, "dist")) < MAX_CHOSEN);
  assert.deepEqual(await answers(join(folder, "dist"), CHOSEN_ANSWER), []);
});

for (const [name, page, expected] of [
  ["webpack 5 with everything", projects.PAGE, ANSWER],
  ["webpack 5 with chosen languages", projects.CHOSEN_PAGE, CHOSEN_ANSWER],
]) {
  test(name, { skip: NO_BROWSER }, async (t) => {
    const folder = project(name.replaceAll(" ", "-"), { "page.js": page, "dist/index.html": projects.HTML });
    // Shortening scripts is most of the time, and one of the two builds is enough to see that it does no harm.
    const optimization = { minimize: page !== projects.PAGE };
    await webpack({ mode: "production", context: folder, entry: "./page.js", optimization }, folder);
    const n_bytes = sizeOf(t, join(folder, "dist"));
    assert.ok(page === projects.PAGE || n_bytes < MAX_CHOSEN, `${n_bytes} bytes`);
    assert.deepEqual(await answers(join(folder, "dist"), expected), []);
  });
}

function webpack(config, folder) {
  const run = toolModule(tools, "webpack");
  const output = { path: join(folder, "dist"), filename: "page.js" };
  return new Promise((resolve, reject) => {
    run({ ...config, output, performance: { hints: false } }, (error, stats) => {
      const told = stats?.toString({ all: false, errors: true, warnings: true });
      if (error || told) reject(error ?? new Error(told));
      else resolve();
    });
  });
}

const bundlers = {
  async esbuild(folder, names) {
    const { build } = await import("esbuild");
    const entryPoints = names.map((name) => join(folder, name));
    await build({ entryPoints, outdir: join(folder, "dist"), bundle: true, format: "esm", logLevel: "error" });
  },
  async Rollup(folder, names) {
    const { rollup } = toolModule(tools, "rollup");
    const { nodeResolve } = toolModule(tools, "@rollup/plugin-node-resolve");
    const bundle = await rollup({
      input: names.map((name) => join(folder, name)),
      plugins: [nodeResolve({ browser: true })],
      onwarn(warning) {
        throw new Error(warning.message);
      },
    });
    await bundle.write({ dir: join(folder, "dist"), format: "es" });
    await bundle.close();
  },
};

for (const [name, build] of Object.entries(bundlers)) {
  test(`${name}, files from a folder; a page, and a plain web worker`, { skip: NO_BROWSER }, async (t) => {
    const files = { "page.js": projects.HOSTED_PAGE, "worker.js": projects.HOSTED_WORKER };
    const folder = project(name, { ...files, "dist/index.html": projects.HTML });
    await build(folder, Object.keys(files));
    portolan("assets", "--languages", "python,typescript", "-o", join(folder, "dist/portolan"));
    assert.ok(sizeOf(t, join(folder, "dist")) < MAX_CHOSEN);
    const help = "write the folder again with portolan assets, and rust among its languages";
    for (const run of ["run", "runInWorker"]) {
      const expected = { ...ANSWER, warnings: [["grammar.load", help]] };
      const problems = await answers(join(folder, "dist"), expected, run);
      assert.ok(
        problems.every((problem) => /^404 .*tree-sitter-rust\.wasm$/.test(problem)),
        problems.join("\n"),
      );
    }
  });
}

test("portolan assets replaces what it wrote, and nothing else", () => {
  const folder = project("assets", { "out/precious.txt": "x" });
  assert.throws(() => portolan("assets", "-o", join(folder, "out")), /output\.unwritable/);
  assert.equal(readFileSync(join(folder, "out/precious.txt"), "utf8"), "x");
  const write = (...args) => JSON.parse(portolan("assets", "--json", "-o", join(folder, "made"), ...args));
  assert.deepEqual(write("--languages", "html,css").grammars, ["javascript", "typescript"]);
  assert.deepEqual(write("--languages", "go", "--no-embeddings", "--onnx").grammars, ["go"]);
  const made = readdirSync(join(folder, "made"), { recursive: true }).map(String);
  assert.ok(made.some((path) => path.endsWith("onnx_bg.wasm")) && !made.some((path) => path.endsWith(".bin")));
  assert.throws(() => write("--languages", "klingon"), /there is no language "klingon"/);
});

test("no bundler: an import map", { skip: NO_BROWSER }, async () => {
  project(".", { "page.js": projects.HOSTED_PAGE, "index.html": projects.IMPORT_MAP_HTML });
  portolan("assets", "-o", join(work, "portolan"));
  assert.deepEqual(await answers(work, ANSWER), []);
});

test("Next: a server component, and pages that run in the browser only", { skip: NO_BROWSER }, async (t) => {
  const folder = project("next", projects.NEXT);
  // The project is a folder of this test, so its root must be named; a user's own has a lock file there.
  writeFileSync(join(folder, "next.config.mjs"), `export default { turbopack: { root: ${JSON.stringify(tools)} } };\n`);
  const next = [join(tools, "node_modules/next/dist/bin/next")];
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  execFileSync(process.execPath, [...next, "build"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  sizeOf(t, join(folder, ".next/static"));
  const server = spawn(process.execPath, [...next, "start", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd: folder,
    env,
  });
  t.after(() => server.kill());
  const address = await new Promise((resolve, reject) => {
    let said = "";
    server.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found && /Ready/.test(said)) resolve(found[0]);
    });
    server.once("exit", () => reject(new Error(said)));
  });
  const html = await (await fetch(address)).text();
  const answer = /<pre>(.*?)<\/pre>/.exec(html)?.[1].replaceAll("&quot;", '"');
  assert.deepEqual(JSON.parse(answer), ANSWER);
  assert.deepEqual(await answerOf(`${address}/all`, SOURCES), { ...ANSWER, problems: [] });
  assert.deepEqual(await answerOf(`${address}/chosen`, SOURCES), { ...CHOSEN_ANSWER, problems: [] });
});

for (const name of ["Node 20", "Node 22", "Node 24", "Bun", "Deno"]) {
  test(name, (t) => {
    const { program, reason } = runtime(tools, name);
    if (reason) return t.skip(reason);
    const folder = project(name.replace(" ", "-"), { "run.mjs": projects.SCRIPT });
    const args = name === "Deno" ? ["run", "--allow-all", "run.mjs"] : ["run.mjs"];
    const said = execFileSync(program, args, { cwd: folder, encoding: "utf8" });
    assert.deepEqual(JSON.parse(said.trim().split("\n").at(-1)), [ANSWER, ANSWER]);
  });
}

const NO_WORKERD = Number(process.versions.node.split(".")[0]) < 22 && "wrangler needs Node 22";

async function withWorker(t, folder, use) {
  process.env.WRANGLER_SEND_METRICS = "false";
  process.env.WRANGLER_LOG ??= "none";
  const { createTestHarness } = await import("wrangler");
  const config = readdirSync(folder).find((file) => /^wrangler\.(jsonc|toml)$/.test(file));
  const server = createTestHarness({ root: folder, workers: [{ configPath: join(folder, config) }] });
  t.after(() => server.close());
  await server.listen();
  await use(server);
}

/** The bytes of an index of the repository. */
async function snapshot() {
  const { Portolan } = await import(pathToFileURL(join(work, "node_modules/portolan/dist/entry/node.js")).href);
  const files = Object.entries(SOURCES).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const index = await Portolan.index({ files }, { name: "main" });
  await index.complete;
  const bytes = await index.save();
  index.close();
  return bytes;
}

test("workerd: a Worker bundled by wrangler answers, with the model by meaning, too", {
  skip: NO_WORKERD,
}, async (t) => {
  const wrangler = 'name = "answers"\nmain = "worker.js"\ncompatibility_date = "2026-01-01"\n';
  const folder = project("worker", { "worker.js": projects.WORKER, "wrangler.toml": wrangler });
  const body = await snapshot();
  await withWorker(t, folder, async (server) => {
    const { answers, refused } = await (await server.fetch("/", { method: "POST", body })).json();
    assert.deepEqual(answers, [
      ["src/tax.ts", "lexical", "query.unsupported", "total"],
      ["src/tax.ts", "hybrid", "src/tax.ts", "total"],
    ]);
    assert.equal(refused, "host.read-only");
  });
});

test("workerd: the folder of portolan create-worker is deployable, and overwrites nothing", {
  skip: NO_WORKERD,
}, async (t) => {
  const folder = join(work, "code-search");
  const { files } = JSON.parse(portolan("create-worker", folder, "--json"));
  assert.deepEqual(files.map((file) => file.slice(folder.length + 1)).sort(), [
    ".gitignore",
    "README.md",
    "package.json",
    "worker.mjs",
    "wrangler.jsonc",
  ]);
  rmSync(join(folder, "README.md"));
  assert.throws(() => portolan("create-worker", folder), /output\.exists/);
  assert.deepEqual(readdirSync(folder).includes("README.md"), false, "nothing is written where something is there");
  const { scripts, dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(work, "node_modules/portolan/package.json"), "utf8"));
  assert.equal(dependencies.portolan, version);
  const bytes = await snapshot();
  await withWorker(t, folder, async (server) => {
    const { SNAPSHOTS } = await server.getWorker().getEnv();
    await SNAPSHOTS.put("main.portolan", bytes);
    const ask = async (path, init) => (await server.fetch(path, init)).json();
    assert.equal((await ask("/v1/search?q=value+added+tax")).hits[0].path, "src/tax.ts");
    assert.equal((await ask("/v1/symbol?name=addTax&view=callers")).calls[0].symbol.name, "total");
    // As the script uploads it: under the name that the Worker looks for.
    for (const [, key, file] of scripts.local.matchAll(/put code-search\/(models\/\S+) --file (\S+)/g))
      await SNAPSHOTS.put(key, readFileSync(join(work, file)));
    await SNAPSHOTS.put("again.portolan", bytes);
    const meant = await ask("/v1/search?q=duty+on+sales&mode=vector&repo=again");
    assert.deepEqual([meant.hits?.[0].path, meant.mode], ["src/tax.ts", "vector"]);
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    assert.equal((await server.fetch("/mcp", { ...init, body })).status, 200);
  });
});
