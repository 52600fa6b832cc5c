// Every tool in the worker of a page, on this project's own sources: the same answers as in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Portolan } from "portolan";
import { browse } from "./harness.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const requests = JSON.parse(readFileSync(join(root, "tests/tools.json"), "utf8"));
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

const page = `import { Portolan } from "portolan";
window.run = async (files, requests) => {
  const bytes = files.map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const index = await Portolan.index({ files: bytes }, { name: "own", embeddings: false });
  await index.complete;
  const answers = {};
  for (const [tool, request] of Object.entries(requests)) answers[tool] = await index.ask(tool, request).catch((error) => ({ code: error.code, message: error.message }));
  return answers;
};
`;

/** The Rust sources that the requests are about, and the manifests that name their crates. */
function sources() {
  const parts = ["source", "graph", "engine", "api"].map((part) => `crates/${part}`);
  const paths = parts.flatMap((part) =>
    readdirSync(join(root, part), { recursive: true }).map((path) => `${part}/${path}`),
  );
  return [...paths, "Cargo.toml"]
    .filter((path) => /\.rs$|Cargo\.toml$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

test("every tool answers in a page as it does in Node", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-tools-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "pkg"), join(folder, "node_modules/portolan"));
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>',
  );
  writeFileSync(join(folder, "page.js"), page);
  execFileSync(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const server = createServer((request, response) => {
    const path = join(folder, "dist", request.url === "/" ? "index.html" : decodeURIComponent(request.url));
    try {
      const body = readFileSync(path);
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());

  const files = sources();
  const bytes = files.map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const index = await Portolan.index({ files: bytes }, { name: "own", embeddings: false });
  await index.complete;
  t.after(() => index.close());
  const tab = await browse(t);
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => "run" in window);
  const answers = await tab.evaluate(([files, requests]) => window.run(files, requests), [files, requests]);
  for (const [tool, request] of Object.entries(requests)) {
    // When it was built differs, and nothing else.
    const plain = (answer) => JSON.parse(JSON.stringify({ ...answer, built_at: 0, elapsed_ms: 0 }));
    assert.equal(answers[tool].code, undefined, `${tool}: ${answers[tool].message}`);
    assert.deepEqual(plain(answers[tool]), plain(await index.ask(tool, request)), tool);
  }
});
