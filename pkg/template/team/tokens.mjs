// Uploads the list of tokens that `portolan token … --shared tokens` keeps in tokens/: names, rights and digests, nothing secret.
//   node tokens.mjs --remote | --local
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const place = process.argv[2];
if (!["--remote", "--local"].includes(place)) throw new Error("node tokens.mjs --remote or --local");
const lists = readdirSync("tokens", { recursive: true }).filter((path) => /access[\\/]tokens~\d{10}$/.test(path));
const newest = lists.sort().at(-1);
if (!newest) throw new Error("there is none: npx portolan token create --shared tokens --name me --scope admin");
const args = [
  "r2",
  "object",
  "put",
  "{{NAME}}/shared/documents/access/tokens",
  "--file",
  join("tokens", newest),
  place,
];
const { status } = spawnSync("npx", ["wrangler", ...args], { stdio: "inherit", shell: process.platform === "win32" });
process.exitCode = status ?? 1;
if (status === 0 && place === "--remote") {
  // The server takes them into its audit log: the next upload has new ones only.
  const file = join("tokens", newest);
  const { events: _, ...list } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(list, null, 1));
}
