// Lays the Cloudflare Worker of crates/edge beside the package, as `portolan/edge`: its scripts with addresses as they are here, and its
// wasm. Without the wasm (`cargo xtask build edge` makes it) there is no such folder, and the package has no `portolan/edge`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const from = new URL("../../crates/edge/worker/", import.meta.url);
const to = new URL("../edge/", import.meta.url);
const WASM = ["edge.js", "edge_bg.wasm"];
const PLACES = [
  ["../../../pkg/wasm/", "../wasm/"],
  ['"portolan/mcp"', '"../dist/entry/mcp.js"'],
  ['"portolan/shared"', '"../dist/entry/shared.js"'],
  ["../../../docs/openapi.json", "./openapi.json"],
];

rmSync(to, { recursive: true, force: true });
if (WASM.every((file) => existsSync(new URL(`wasm/${file}`, from)))) {
  mkdirSync(new URL("wasm/", to), { recursive: true });
  for (const file of WASM) cpSync(new URL(`wasm/${file}`, from), new URL(`wasm/${file}`, to));
  for (const file of readdirSync(from).filter((file) => file.endsWith(".mjs"))) {
    const text = readFileSync(new URL(file, from), "utf8").replace(/^\/\/ @ts-check\n/, "");
    const placed = PLACES.reduce((text, [there, here]) => text.replaceAll(there, here), text);
    writeFileSync(new URL(file, to), placed);
  }
  const openapi = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  writeFileSync(new URL("openapi.json", to), JSON.stringify(openapi));
  cpSync(new URL("edge.d.mts", import.meta.url), new URL("index.d.mts", to));
} else {
  console.warn("portolan/edge is left out: crates/edge/worker/wasm is not built");
}
