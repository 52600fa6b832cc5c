// Makes the MCP bundle, server.json and marketplace.json in a folder that holds the npm tarball, and checks each: the bundle by its own
// program and by starting the server in it, the others by the rules of their registries.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { bundleManifest, marketplace, serverEntry } from "./manifests.mjs";
import { MARKETPLACE, SERVER } from "./rules.mjs";

const out = process.argv[2];
const home = join(process.env.PORTOLAN_CHECKERS, "node_modules");
const require = createRequire(join(home, "x.js"));
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const settings = json(join(out, "stage/settings.json"));
const tarball = join(out, `portolan-${settings.version}.tgz`);

const folder = join(out, "stage/bundle");
mkdirSync(folder, { recursive: true });
execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
// The page is for `portolan build`, not for the server.
rmSync(join(folder, "site"), { recursive: true, force: true });

const manifest = json(join(folder, "package.json"));
const plugin = json(join(folder, ".claude-plugin/plugin.json"));
const { toolsFor } = await import(pathToFileURL(join(folder, "dist/mcp/tools.js")).href);
const tools = toolsFor({ structural: true, files: true });
const write = (name, value) => writeFileSync(join(out, name), `${JSON.stringify(value, null, 2)}\n`);

checkPackage();
writeFileSync(
  join(folder, "manifest.json"),
  `${JSON.stringify(bundleManifest({ manifest, plugin, settings, tools }), null, 2)}\n`,
);
const bundle = join(out, `portolan-${settings.version}.mcpb`);
mcpb("validate", join(folder, "manifest.json"));
mcpb("pack", folder, bundle);
await checkServer();

const bundleDigest = createHash("sha256").update(readFileSync(bundle)).digest("hex");
const server = serverEntry({ manifest, settings, bundleDigest });
check("server.json", SERVER, server);
if (manifest.mcpName !== undefined && manifest.mcpName !== server.name)
  fail(`mcpName of package.json is ${manifest.mcpName}, the name in server.json ${server.name}`);
write("server.json", server);
const list = marketplace({ manifest, plugin });
check("marketplace.json", MARKETPLACE, list);
check(".claude-plugin/marketplace.json", MARKETPLACE, json(join(folder, ".claude-plugin/marketplace.json")));
write("marketplace.json", list);
cpSync(join(folder, "THIRD-PARTY-NOTICES.txt"), join(out, "THIRD-PARTY-NOTICES.txt"));

/** Checks that the tarball has the required files and none of the forbidden addresses. */
function checkPackage() {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt", "README.md"])
    readFileSync(join(folder, name));
  if (manifest.version !== settings.version) fail(`pkg/package.json has version ${manifest.version}`);
  const addresses = [manifest.repository, manifest.homepage, manifest.bugs, manifest.mcpName];
  if (settings.repository === "" && addresses.some((field) => field !== undefined))
    fail("a manifest names an address, and release.toml none");
  if ((settings.repository === "") !== (manifest.private === true))
    fail("a package without an address must be private, and one with an address must not");
}

function mcpb(...args) {
  const program = join(home, "@anthropic-ai/mcpb/dist/cli/cli.js");
  execFileSync(process.execPath, [program, ...args], { stdio: ["ignore", "inherit", "inherit"] });
}

/** Starts the server of the bundle as a host does, and asks for its tools. */
async function checkServer() {
  const { server } = json(join(folder, "manifest.json"));
  const args = server.mcp_config.args.slice(0, 2).map((arg) => arg.replace("${__dirname}", folder));
  const child = spawn(process.execPath, [...args, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "release", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/list" });
  const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
  let text = "";
  for await (const part of child.stdout) {
    text += part;
    if (text.includes('"id":2')) break;
  }
  clearTimeout(late);
  child.stdin.end();
  const ending = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await new Promise((resolve) => {
    child.once("exit", resolve);
    if (child.exitCode !== null || child.signalCode !== null) resolve();
  });
  clearTimeout(ending);
  const answer = text.split("\n").find((line) => line.includes('"id":2'));
  const listed = answer && JSON.parse(answer).result?.tools;
  if (listed?.length !== tools.length) fail(`the server of the bundle answered ${text.slice(0, 500)}`);
}

function check(name, schema, value) {
  const Ajv = require("ajv").default;
  const ajv = new Ajv({ allErrors: true });
  if (!ajv.validate(schema, value)) fail(`${name}: ${ajv.errorsText(ajv.errors, { separator: "\n" })}`);
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
