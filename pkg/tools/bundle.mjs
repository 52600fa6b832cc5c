// Puts what the package uses of others into its own files: the MCP SDK, and editors of JSON and TOML. So that installing it
// brings nothing else, and `portolan mcp` loads one file and not eighty. Their licences go along.
import { readdirSync, readFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const { metafile } = await build({
  absWorkingDir: dist,
  entryPoints: ["mcp/sdk.js", "mcp/sdk-stdio.js", "setup/editors.js"],
  outdir: dist,
  outbase: dist,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  chunkNames: "bundled/[name]-[hash]",
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  // Its variant without Node's own things runs everywhere: what Node needs is given to it.
  conditions: ["browser"],
  external: ["node:*"],
  minify: true,
  legalComments: "none",
  metafile: true,
});

for (const file of readdirSync(`${dist}node`)) if (file.startsWith("pieces-")) rmSync(`${dist}node/${file}`);
// The command line in one file, and in pieces what only some commands need: forty modules cost more to find than a question to answer.
// It lies where the modules that find files of the package lie, so that their addresses hold.
const { metafile: ofCommands } = await build({
  absWorkingDir: dist,
  entryPoints: [
    { in: "cli/main.js", out: "cli" },
    { in: "hook/main.js", out: "hook" },
  ],
  outdir: `${dist}node`,
  bundle: true,
  splitting: true,
  chunkNames: "pieces-[hash]",
  format: "esm",
  target: "node20",
  platform: "node",
  mainFields: ["module", "main"],
  minify: true,
  keepNames: true,
  legalComments: "none",
  metafile: true,
});

const packages = new Set([...Object.keys(metafile.inputs), ...Object.keys(ofCommands.inputs)].flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
const licences = [...packages].sort().map((folder) => {
  const read = (name) => readFileSync(`${dist}/${folder}/${name}`, "utf8");
  const { name, version, license } = JSON.parse(read("package.json"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((name) => existsSync(`${dist}/${folder}/${name}`));
  return `${name} ${version} (${license})\n\n${file ? read(file).trim() : ""}\n`;
});
writeFileSync(`${dist}/bundled/LICENSES.txt`, licences.join(`\n${"=".repeat(80)}\n\n`));
