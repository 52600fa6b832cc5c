// The two servers that the contract is about, each with the same repository and a token for each scope: the Node process, and the Worker in
// workerd. Nobody is limited, so that what is found is no 429.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { FolderStore } from "../../pkg/dist/shared/folder-store.js";
import { serveShared } from "../../pkg/dist/shared/node-server.js";
import { createToken } from "../../pkg/dist/shared/tokens.js";
import { makeTokens, putModel, ROOT, startWorkerd } from "../../tools/edge/workerd.mjs";

export const REPOSITORY = "acme/shop";
const SOURCES = {
  "src/tax.ts":
    "/** Adds value added tax. */\nexport function addTax(net: number): number {\n  return net * 1.19;\n}\n",
  "src/cart.ts":
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code that is indexed
    'import { addTax } from "./tax";\n\nexport class Cart {\n  prices: number[] = [];\n  total(): number {\n    return addTax(this.prices.reduce((a, b) => a + b, 0));\n  }\n}\n\nexport function checkout(cart: Cart): string {\n  return `${cart.total()}`;\n}\n',
  "tools/report.py": "def report(total):\n    return render(total)\n\ndef render(total):\n    return f'{total:.2f}'\n",
};
const SCOPES = ["read", "write", "admin"];
const MANY = { per_minute: 1e6, burst: 1e6 };

/** The index of a small repository, made by the command line. */
export function makeIndex() {
  const folder = mkdtempSync(join(tmpdir(), "portolan-contract-"));
  try {
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const out = join(folder, "shop.portolan");
    const args = [join(ROOT, "pkg/bin/portolan.js"), "index", folder, "-o", out, "-q"];
    execFileSync(process.execPath, args, { cwd: folder, env: { ...process.env, PORTOLAN_NATIVE: "no" } });
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `portolan serve --shared` over a folder. */
export async function startNode(index) {
  const folder = mkdtempSync(join(tmpdir(), "portolan-contract-node-"));
  const store = new FolderStore(folder);
  const tokens = {};
  for (const scope of SCOPES)
    tokens[scope] = (await createToken(store, { name: scope, scope, repositories: ["**"] })).token;
  const faults = [];
  const server = await serveShared({
    store,
    port: 0,
    host: "127.0.0.1",
    allowedHosts: [],
    origins: [],
    public: [],
    defaultRepository: REPOSITORY,
    audit: () => {},
    complain: (error) => faults.push(String(error?.stack ?? error)),
    rates: { principal: MANY, stranger: MANY },
  });
  const stop = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return seeded({ name: "Node", url: server.url, tokens, faults, stop }, index);
}

/** The Worker as it is deployed, over a bucket and Durable Objects in a folder. */
export async function startWorker(index) {
  const state = mkdtempSync(join(tmpdir(), "portolan-contract-worker-"));
  const tokens = await makeTokens(state, SCOPES);
  await putModel(state);
  const faults = [];
  const vars = { ACCESS: "tokens", DEFAULT_REPOSITORY: REPOSITORY, RATE_PER_MINUTE: "1000000" };
  const onLine = (line) => /^portolan:|Uncaught/.test(line) && faults.push(line);
  const worker = await startWorkerd({ state, vars, onLine });
  const stop = async () => {
    await worker.stop();
    rmSync(state, { recursive: true, force: true });
  };
  return seeded({ name: "workerd", url: worker.url, tokens, faults, stop }, index);
}

async function seeded(server, index) {
  const response = await fetch(`${server.url}/v1/repos/${encodeURIComponent(REPOSITORY)}?tag=seed`, {
    method: "PUT",
    body: index,
    headers: { authorization: `Bearer ${server.tokens.admin}` },
  });
  if (response.status !== 201) throw new Error(`${server.name}: ${response.status} ${await response.text()}`);
  return server;
}
