// The examples of README.md and docs/ run as written, on the small repository of the fixture.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { parseDocument } from "yaml";

import { parseCommand } from "../dist/commands/options.js";
import { folderWith, SHOP } from "./fixture.mjs";

const run = promisify(execFile);
const pkg = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(pkg);

/** Lines that need an account of the reader's or a server that goes on, or hours; or the page, where it has not been built yet. */
const NOT_RUN = new Set([
  "edge.md",
  "shared.md",
  "benchmarks.md",
  "performance.md",
  ...(existsSync(join(pkg, "site/files.json")) ? [] : ["static-site.md"]),
]);

const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && !NOT_RUN.has(name));

for (const page of ["README.md", ...docs.map((name) => `docs/${name}`)]) {
  for (const { language, code, line } of examples(readFileSync(join(root, page), "utf8"))) {
    test(`${page}:${line}`, async () => {
      const folder = folderWith(
        page === "docs/grammars.md" ? { ...SHOP, "tax.r": "add_tax <- function(net) net * 1.19\n" } : SHOP,
      );
      if (page === "docs/grammars.md") bringGrammar(folder);
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(pkg, join(folder, "node_modules/portolan"));
      if (language === "sh" && !code.includes("portolan index")) await shell("portolan index . --quiet", folder);
      const { stdout } = language === "sh" ? await shell(code, folder) : await script(code, folder);
      assert.notEqual(stdout.trim(), "", "the example prints something");
    });
  }
}

/** The files that a reader of that page has: a grammar and its queries. */
function bringGrammar(folder) {
  symlinkSync(join(pkg, "test/grammars/tree-sitter-r.wasm"), join(folder, "tree-sitter-r.wasm"));
  symlinkSync(join(pkg, "test/queries"), join(folder, "queries"));
}

/** The fenced `js` and `sh` blocks of a page that use the package. */
function examples(text) {
  const blocks = [...text.matchAll(/^```(js|sh)\n([\s\S]*?)^```/gm)];
  return blocks
    .filter(([, , code]) => code.includes("portolan"))
    .map(({ 1: language, 2: code, index }) => ({
      language,
      code,
      line: text.slice(0, index).split("\n").length,
    }));
}

async function script(code, folder) {
  writeFileSync(join(folder, "example.mjs"), code);
  return run(process.execPath, ["example.mjs"], { cwd: folder });
}

function shell(code, folder) {
  const define = `set -e; portolan() { "${process.execPath}" "${join(pkg, "bin/portolan.js")}" "$@"; }\nnpx() { "$@"; }\n`;
  return run("sh", ["-c", define + code], { cwd: folder });
}

test("CI files of docs/shared.md are YAML and run commands that there are", () => {
  const text = readFileSync(join(root, "docs/shared.md"), "utf8");
  const files = [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, code]) =>
    parseDocument(code, { strict: true }),
  );
  assert.deepEqual(
    files.map(({ errors, warnings }) => [...errors, ...warnings]),
    [[], [], []],
  );
  // The third is a file of Prometheus.
  const [github, gitlab] = files.map((file) => file.toJS());
  assert.equal(github.permissions["id-token"], "write");
  assert.equal(gitlab.index.id_tokens.PORTOLAN_SHARED_TOKEN.aud, gitlab.index.variables.PORTOLAN_SHARED_SERVER);
  const lines = [...github.jobs.index.steps.flatMap(({ run }) => run ?? []), ...gitlab.index.script];
  const commands = lines.flatMap((line) => [...line.matchAll(/\bportolan ((?:index|pull|push)(?: --[\w-]+)*)/g)]);
  assert.ok(commands.length >= 6);
  for (const [, command] of commands) parseCommand(command.split(" "));
});

test("CI files in the docs are YAML and run commands that there are", () => {
  const text = readFileSync(join(root, "docs/static-site.md"), "utf8");
  const files = [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, code]) =>
    parseDocument(code, { strict: true }),
  );
  assert.deepEqual(
    files.map(({ errors, warnings }) => [...errors, ...warnings]),
    [[], []],
  );
  const [github, gitlab] = files.map((file) => file.toJS());
  const steps = github.jobs.build.steps;
  assert.ok(
    github.on.push.branches.length > 0 && steps.every((step) => step.uses !== undefined || step.run !== undefined),
  );
  const built = steps.map(({ run }) => run).find((run) => run !== undefined);
  assert.equal(/ -o (\S+)/.exec(built)[1], steps.find(({ uses }) => uses?.includes("upload-pages-artifact")).with.path);
  assert.equal(/ -o (\S+)/.exec(gitlab.pages.script[0])[1], gitlab.pages.artifacts.paths[0]);
  for (const line of [built, ...gitlab.pages.script]) assert.match(line, /^npx --yes portolan build -o \w+$/);
});
