// Two indexed repositories and a client at `portolan mcp`, for the tests of the server.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Portolan } from "portolan";

import { remember } from "../dist/node/registry.js";
import { folderWith, SHOP } from "./fixture.mjs";

export const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
/** The tools of the server, in the order in which it lists them. */
export const NAMES =
  "list_repos search query context impact trace detect_changes rename cypher code_intelligence repo_map read_code structural_search status list_files index locate regex".split(
    " ",
  );

export const work = folderWith({
  "empty/.keep": "",
  "library/src/lib.rs": "/// Adds tax in the library.\npub fn add_tax(net: f64) -> f64 { net * 1.19 }\n",
});
export const [shop, library, empty, home] = ["shop", "library", "empty", "home"].map((name) => join(work, name));
for (const [path, text] of Object.entries(SHOP)) {
  mkdirSync(join(shop, path, ".."), { recursive: true });
  writeFileSync(join(shop, path), text);
}
for (let number = 0; number < 200; number++) {
  const lines = [0, 1, 2].map((part) => `export function value${number}_${part}() {\n  return addTax(${number});\n}\n`);
  writeFileSync(join(shop, `src/many${number}.ts`), `import { addTax } from "./tax";\n${lines.join("")}`);
}

/** A client of today at the server of the shop. */
export let modern;
before(async () => {
  // The servers below must see that these indexes were made by the same user.
  process.env.PORTOLAN_HOME = process.env.HOME = home;
  for (const root of [shop, library]) {
    const index = await Portolan.index(root, { store: true, embeddings: false });
    await index.complete;
    const { n_files, n_symbols } = await index.status();
    remember(root, join(root, ".portolan/index.portolan"), { n_files, n_symbols });
    index.close();
  }
  modern = await connect(shop);
});
after(() => modern?.close());

export const params = (cwd, ...args) => ({
  command: process.execPath,
  args: [BIN, "mcp", ...args],
  cwd,
  env: { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: home },
  stderr: "pipe",
});

/** A client of today, which speaks the newest protocol. */
export async function connect(cwd, ...args) {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(params(cwd, ...args)));
  return client;
}

export const call = (name, args = {}, client = modern) => client.callTool({ name, arguments: args });
export const textOf = ({ content }) => content[0].text;
/** The answer, which is no error. */
export async function answer(name, args, client) {
  const result = await call(name, args, client);
  assert.equal(result.isError ?? false, false, textOf(result));
  return { ...result.structuredContent, text: textOf(result) };
}
