// Puts what the package uses of others into its own files: the MCP SDK, the SDK of language models, signatures for S3, and editors of JSON and TOML. So that installing it
// brings nothing else, and `portolan mcp` loads one file and not eighty. Their licences go along.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = `${root}dist`;
// Zod brings its messages in 60 languages, 250 KB that nobody reads here: English is chosen where its schemas are made.
const oneLanguage = {
  name: "one-language",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /locales\/index\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: "none", namespace: "one-language" } : undefined,
    );
    onLoad({ filter: /./, namespace: "one-language" }, () => ({ contents: "export {};" }));
  },
};
rmSync(`${dist}/bundled`, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  // From the sources, in place of what the compiler made of them.
  entryPoints: [
    "src/mcp/sdk.ts",
    "src/mcp/sdk-stdio.ts",
    "src/setup/editors.ts",
    "src/chat/sdk.ts",
    "src/shared/aws.ts",
  ],
  outdir: dist,
  outbase: "src",
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
  plugins: [oneLanguage],
  minify: true,
  legalComments: "none",
  metafile: true,
});

for (const file of readdirSync(`${dist}/node`)) if (file.startsWith("pieces-")) rmSync(`${dist}/node/${file}`);
// The command line in one file, and in pieces what only some commands need: forty modules cost more to find than a question to answer.
// It is beside the modules that find files of the package, so that their addresses hold.
const forNode = {
  absWorkingDir: dist,
  outdir: `${dist}/node`,
  bundle: true,
  format: "esm",
  target: "node20",
  platform: "node",
  mainFields: ["module", "main"],
  minify: true,
  keepNames: true,
  legalComments: "none",
  logOverride: { "ignored-bare-import": "silent" },
  metafile: true,
};
// The SDK of language models is one file already, half a megabyte: a second copy of it would be for nothing.
const sdkOnce = {
  name: "sdk-once",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/sdk\.js$/ }, ({ importer }) =>
      importer.startsWith(join(dist, "chat")) ? { path: "../chat/sdk.js", external: true } : undefined,
    );
  },
};
const { metafile: ofCommands } = await build({
  ...forNode,
  plugins: [sdkOnce],
  entryPoints: [{ in: "cli/main.js", out: "cli" }],
  splitting: true,
  chunkNames: "pieces-[hash]",
});

// Once more for processes that answer and end: as CommonJS, which Node starts faster, without modules that no question needs. One that would be
// loaded later says that it is elsewhere, and the launcher turns to the whole command line. The hook is one file, which `portolan setup` can copy.
const elsewhere = (isHere) => ({
  name: "elsewhere",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path, importer }) =>
      kind === "dynamic-import" && !isHere(path, importer) ? { path, namespace: "elsewhere" } : undefined,
    );
    const contents = 'import { Elsewhere } from "./cli/elsewhere.js"; throw new Elsewhere();';
    onLoad({ filter: /./, namespace: "elsewhere" }, () => ({ contents, resolveDir: dist }));
  },
});
const forLaunch = {
  ...forNode,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  keepNames: false,
  define: { "import.meta.url": "placeOfThis" },
  banner: { js: 'const placeOfThis=require("node:url").pathToFileURL(__filename).href;' },
};
const isOfCommands = (importer) =>
  ["cli", "commands", "config"].some((folder) => importer.startsWith(join(dist, folder)));
const answers = (path) => path === "./ask.js";
const INDEXING = ["./index-command.js", "./pull-command.js", "./seal-commands.js", "../storage/encrypted.js"];
const indexes = (path, importer) => INDEXING.includes(path) || !isOfCommands(importer);
await build({
  ...forLaunch,
  entryPoints: [{ in: "cli/questions.js", out: "questions" }],
  plugins: [elsewhere(answers)],
});
await build({
  ...forLaunch,
  entryPoints: [{ in: "cli/questions.js", out: "indexing" }],
  plugins: [elsewhere(indexes)],
});
await build({ ...forLaunch, entryPoints: [{ in: "hook/main.js", out: "hook" }], plugins: [elsewhere(() => false)] });
// A parsing worker for them: a thread is up in a tenth less time.
await build({ ...forLaunch, entryPoints: [{ in: "node/parse.js", out: "parse" }] });

// Workers of browsers as scripts that need no bundler: `portolan assets` lays them beside a page.
rmSync(`${dist}/hosted`, { recursive: true, force: true });
await build({
  absWorkingDir: dist,
  entryPoints: ["index", "parse", "embed", "seal", "history"].map((name) => `browser/${name}.js`),
  outdir: `${dist}/hosted`,
  bundle: true,
  splitting: true,
  chunkNames: "chunk-[hash]",
  format: "esm",
  target: "es2022",
  platform: "browser",
  minify: true,
  legalComments: "none",
});

/** Folders of the packages that went into a bundle. */
function packagesIn({ inputs }, folder) {
  const places = Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return places.map((place) => resolve(folder, place));
}

const packages = new Set([...packagesIn(metafile, root), ...packagesIn(ofCommands, dist)]);
const licences = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((name) => join(folder, name)).find(existsSync);
  return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
});
writeFileSync(join(dist, "bundled/LICENSES.txt"), licences.join(`\n${"=".repeat(80)}\n\n`));
