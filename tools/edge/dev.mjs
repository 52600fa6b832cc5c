// `cargo xtask edge dev`: the Worker on this machine, as it is deployed, with a login, the sample index and the page.
//   node tools/edge/dev.mjs [--port 8787] [--fresh]
// State is in target/edge-dev and is kept; --fresh begins anew. Prints addresses and a token; Ctrl-C stops everything.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { makeTokens, putModel, ROOT, startWorkerd } from "./workerd.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "8787" }, fresh: { type: "boolean" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port}: not a port number`);
const home = join(ROOT, "target/edge-dev");
const [state, site] = [join(home, "state"), join(home, "site")];
const SAMPLE = "portolan/sample";
/** As it is called from any folder: nothing of a clone is in PATH. */
const PROGRAM = `node ${join(ROOT, "pkg/bin/portolan.js")}`;

if (values.fresh) rmSync(home, { recursive: true, force: true });
mkdirSync(state, { recursive: true });
const assets = pageHere();
const tokens = await makeTokens(state, ["read", "admin"]);
await putModel(state);
const worker = await startWorkerd({
  state,
  port,
  vars: { ACCESS: "tokens", DEFAULT_REPOSITORY: SAMPLE },
  assets,
  onLine: (line) => {
    if (/^portolan:|Uncaught|\[ERROR\]/.test(line)) console.error(line);
  },
});
let isAsked = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, async () => {
    if (isAsked) return;
    isAsked = true;
    await worker.stop();
    process.exit(0);
  });
await seed();
tell();
await worker.ended;
if (!isAsked) {
  console.error(`the Worker ended:\n${worker.lines.slice(-20).join("\n")}`);
  process.exitCode = 1;
}

/** The page that opens shared indexes; without its build there is none. */
function pageHere() {
  if (!existsSync(join(ROOT, "pkg/site/files.json"))) {
    console.error("the page is not built: cargo xtask build; the Worker goes on without it");
    return undefined;
  }
  portolan("build", "--for-team", "-o", site);
  return site;
}

/** Uploads the index that the page shows as its sample, or one made of these sources. */
async function seed() {
  const made = join(ROOT, "www/public/sample/portolan.index");
  const own = join(home, "sample.portolan");
  if (!existsSync(made)) portolan("index", ROOT, "-o", own);
  const body = readFileSync(existsSync(made) ? made : own);
  const response = await fetch(`${worker.url}/v1/repos/${encodeURIComponent(SAMPLE)}`, {
    method: "PUT",
    body,
    headers: { authorization: `Bearer ${tokens.admin}` },
  });
  if (!response.ok) throw new Error(`the sample was not taken: ${response.status} ${await response.text()}`);
}

function portolan(...args) {
  execFileSync(process.execPath, [join(ROOT, "pkg/bin/portolan.js"), ...args], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function tell() {
  const { url } = worker;
  console.log(`
${assets ? `page       ${url}/\n` : ""}search     curl -H 'Authorization: Bearer ${tokens.read}' '${url}/v1/search?q=reader&limit=3'
agents     ${url}/mcp
routes     ${url}/openapi.json
metrics    ${url}/metrics
push       in a repository that is indexed (\`${PROGRAM} index\`):
           PORTOLAN_SHARED_SERVER=${url} PORTOLAN_SHARED_TOKEN=${tokens.admin} ${PROGRAM} push --repo NAME
token      ${tokens.admin}   (admin; the one above only reads)

Ctrl-C stops it; target/edge-dev keeps its state, --fresh begins anew.`);
}
