// A question that stops the engine costs that question only, in Chromium: an index that a page made in its worker, one that it opened, one
// in the store, and one in a worker of its own (`portolan/worker`). The artifacts stop on purpose (poison.mjs).
import assert from "node:assert/strict";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { before, test } from "node:test";

import { poisonedPackage } from "./poison.mjs";
import { sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";
import { BROWSER_RUNS, watchedPage } from "./watch-programs.mjs";

const TYPES = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".html": "text/html",
  ".json": "application/json",
};
const PAGE = `<!doctype html><meta charset="utf-8"><script type="importmap">
{ "imports": { "portolan": "/node_modules/portolan/dist/entry/browser.js", "idb": "/node_modules/idb/build/index.js" } }
</script>`;

let root;
before(() => {
  const box = sandbox();
  root = box.root;
  poisonedPackage(root);
  process.once("exit", () => box.close());
});

/** Serves the package as it is; a bundler would put `idb` in its place, here the server does. */
async function served(t) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    const file = join(root, path);
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true && !path.includes("..");
    if (!isThere) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    if (!path.endsWith("/indexed-db.js")) return createReadStream(file).pipe(response);
    let text = "";
    const whole = createReadStream(file, "utf8").on("data", (piece) => (text += piece));
    whole.on("end", () => response.end(text.replace('"idb"', '"/node_modules/idb/build/index.js"')));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

/** In the page: stops the engine of an index in every way, and asks on after each. */
async function asked(kind) {
  const { Portolan } = await import("/node_modules/portolan/dist/entry/browser.js");
  const text = "export function addTax(net) { return net * 1.19; }\n";
  const files = [{ path: "src/tax.js", bytes: new TextEncoder().encode(text) }];
  let index = await Portolan.index({ files }, { embeddings: false, name: "shop", store: kind === "stored" });
  await index.complete;
  if (kind === "opened") {
    const bytes = await index.save();
    index.close();
    index = await Portolan.open(bytes);
  }
  const cyclic = {};
  cyclic.symbol = cyclic;
  const questions = [
    () => index.detectChanges({ diff: "diff --git a/x b/x\n" }),
    () => index.findChunksForSymbol("addTax"),
    () => index.communities(),
    () => index.find(cyclic),
  ];
  const outcome = [];
  for (const question of questions) {
    outcome.push(
      await question().then(
        () => "answered",
        ({ code }) => code,
      ),
    );
    outcome.push((await index.find("addTax")).symbols.length);
  }
  index.close();
  return outcome;
}

/** In the page: the same in a worker of the page's own, where the index lives in that worker's thread. */
async function askedInOwnWorker() {
  const script = `
    import { Portolan } from "${location.origin}/node_modules/portolan/dist/entry/worker.js";
    const bytes = new TextEncoder().encode("export function addTax(net) { return net * 1.19; }\\n");
    const index = await Portolan.index({ files: [{ path: "src/tax.js", bytes }] }, { embeddings: false });
    await index.complete;
    const outcome = [];
    for (const question of [() => index.findChunksForSymbol("addTax"), () => index.communities()]) {
      outcome.push(await question().then(() => "answered", ({ code }) => code));
      outcome.push((await index.find("addTax")).symbols.length);
    }
    postMessage(outcome);`;
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  worker.terminate();
  return answer;
}

/** Runs in a page served from `root`, whose files must not change. */
async function inPage(t, run, given) {
  const url = await served(t);
  return watchedPage(t, async (page) => {
    await page.goto(url);
    return watched(root, { allow: [], processes: BROWSER_RUNS }, () => page.evaluate(run, given));
  });
}

for (const kind of ["made", "opened", "stored"])
  test(`an index that was ${kind}`, async (t) => {
    const stopped = Array.from({ length: 3 }, () => ["internal.trap", 1]).flat();
    assert.deepEqual(await inPage(t, asked, kind), [...stopped, "request.cycle", 1]);
  });

test("an index in a worker of the page's own", async (t) => {
  assert.deepEqual(await inPage(t, askedInOwnWorker), ["internal.trap", 1, "internal.trap", 1]);
});
