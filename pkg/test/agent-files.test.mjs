// The files that agents read: front matter as their YAML parsers see it, manifests of plugin, marketplace and extension, skills made from
// the reference.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { parseDocument } from "yaml";

import { toolsFor } from "../dist/mcp/tools.js";
import { SKILLS } from "../tools/skills.mjs";

const PKG = fileURLToPath(new URL("../", import.meta.url));
const json = (path) => JSON.parse(readFileSync(join(PKG, path), "utf8"));
const { version, files } = json("package.json");

/** The front matter of a file as a strict YAML parser reads it. */
function frontMatter(text) {
  const [, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  assert.ok(yaml !== undefined, "begins with front matter");
  const document = parseDocument(yaml, { strict: true, uniqueKeys: true });
  assert.deepEqual([...document.errors, ...document.warnings].map(String), []);
  return document.toJS();
}

test("every front matter is YAML, with the fields that agents ask for", () => {
  const texts = readdirSync(join(PKG, "plugin"), { recursive: true })
    .filter((path) => /\.(md|mdc)$/.test(path) && basename(path) !== "README.md")
    .map((path) => join(PKG, "plugin", path));
  assert.equal(texts.length, 4);
  for (const path of texts) {
    const fields = frontMatter(readFileSync(path, "utf8"));
    assert.deepEqual(Object.keys(fields), ["name", "description"], path);
    assert.match(fields.name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.equal(fields.name, basename(dirname(path)));
    assert.ok(fields.description.length >= 40 && fields.description.length <= 1024, path);
  }
});

test("a description with a colon, quotes or a number sign stays one text", () => {
  const description = 'Find "it": where, # how, and \\ why';
  assert.equal(
    frontMatter(`---\nname: a\ndescription: ${JSON.stringify(description)}\n---\n`).description,
    description,
  );
});

test("plugin, marketplace and extension name what is in the package, at its version", () => {
  const plugin = json(".claude-plugin/plugin.json");
  const { plugins } = json(".claude-plugin/marketplace.json");
  const extension = json("gemini-extension.json");
  for (const manifest of [plugin, plugins[0], extension])
    assert.deepEqual([manifest.name, manifest.version], ["portolan", version]);
  assert.equal(plugins[0].source, "./");
  for (const place of [...plugin.skills, plugin.hooks]) assert.ok(existsSync(join(PKG, place)), place);
  for (const folder of [".claude-plugin", "gemini-extension.json", "plugin", "bin"]) assert.ok(files.includes(folder));
  const program = ["bin", "portolan.js"].join("/");
  assert.deepEqual(plugin.mcpServers.portolan, { command: "node", args: [`\${CLAUDE_PLUGIN_ROOT}/${program}`, "mcp"] });
  assert.equal(extension.mcpServers.portolan.args[0].replaceAll(/\$\{\/\}/g, "/"), `\${extensionPath}/${program}`);
  const [{ hooks }] = json("plugin/hooks/hooks.json").hooks.PreToolUse;
  const [, hook] = /^node "\$\{CLAUDE_PLUGIN_ROOT\}\/(.*)"$/.exec(hooks[0].command);
  assert.ok(existsSync(join(PKG, hook)), hook);
  assert.ok(!JSON.stringify([plugin, plugins, extension]).includes("npx"));
});

test("the skills are made from the reference, and name only what there is", () => {
  const tools = toolsFor({ structural: true, files: true });
  const types = readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8");
  const answers = readFileSync(new URL("../src/mcp/answer.ts", import.meta.url), "utf8");
  const known = new Set([
    ...tools.flatMap(({ name, inputSchema, outputSchema }) => [
      name,
      ...Object.keys(inputSchema.properties),
      ...Object.keys(outputSchema.properties),
      ...enums(inputSchema),
    ]),
    ...[...types.matchAll(/^ {4}(\w+)\??: /gm)].map(([, field]) => field),
    ...[...types.matchAll(/"([\w-]+)"/g)].map(([, word]) => word),
    ...["next_cursor", "stale"].filter((field) => answers.includes(field)),
    ...["CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "DISPATCH", "ALIASES"],
  ]);
  const ERRORS = /^(symbol\.ambiguous|rename\.conflict)$/;
  assert.deepEqual(SKILLS.map(({ name }) => name).sort(), ["debugging", "exploring", "impact-analysis", "refactoring"]);
  for (const { name, text } of SKILLS) {
    assert.equal(
      readFileSync(new URL(`../plugin/skills/${name}/SKILL.md`, import.meta.url), "utf8"),
      text,
      "node tools/skills.mjs writes them anew",
    );
    for (const [, code] of text.matchAll(/`([^`\n]+)`/g)) {
      if (/^portolan( |$)|^(Router\.)?add$|^src\/router|^node /.test(code) || ERRORS.test(code)) continue;
      const [, word] = /^\{? ?(\w+)/.exec(code) ?? [];
      for (const part of code.match(/(?<!")\b[a-zA-Z_]+\b(?!\.)/g) ?? [])
        if (!["true", "false"].includes(part)) assert.ok(known.has(part), `${name}: ${code}: ${part}`);
      assert.ok(word, code);
    }
    assert.ok(text.length < 6000, `${name}: ${text.length}`);
  }
});

function enums({ enum: words = [], properties = {}, items }) {
  return [...words, ...Object.values(properties).flatMap(enums), ...(items ? enums(items) : [])];
}
