// Writes the skills in plugin/skills: the steps of the server's guides, and the reference of the tools they take, out of
// docs/tools.md and the server's list. `--check` compares only.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { GUIDES } from "../dist/mcp/guides.js";
import { toolsFor } from "../dist/mcp/tools.js";

const REFERENCE = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");
const TOOLS = toolsFor({ structural: true, files: true });

/** The sentences about a tool in the reference, without its examples in JavaScript. */
function proseOf(tool) {
  const sections = REFERENCE.split(/^## /m).slice(1);
  const section = sections.find((text) =>
    text
      .slice(0, text.indexOf("\n"))
      .split(/[:,;]/)
      .some((word) => word.trim() === tool),
  );
  if (section === undefined) throw new Error(`docs/tools.md has no section about ${tool}`);
  const [, ...body] = section.split("\n");
  const prose = body.join("\n").replace(/```[\s\S]*?```\n?/g, "");
  const paragraphs = prose
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== "" && !isAboutJavaScript(text));
  return paragraphs
    .join("\n\n")
    .replace(/\]\((?!http)([\w-]+\.md)[^)]*\)/g, "]")
    .replace(/\[([^\]]*)\]/g, "$1");
}

/** What is said of the package's functions and of the command line is of no use to an agent with the server. */
function isAboutJavaScript(text) {
  return /`applyRename`|`portolan (?!mcp|index)|On the command line|portolan\/files/.test(text);
}

function toolText(name) {
  const { description, inputSchema } = TOOLS.find((tool) => tool.name === name);
  const required = inputSchema.required ?? [];
  const names = Object.keys(inputSchema.properties).map((key) =>
    required.includes(key) ? `**\`${key}\`**` : `\`${key}\``,
  );
  return [`### \`${name}\``, description, `Arguments: ${names.join(", ")}.`, proseOf(name)]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The parts of the reference that hold for every tool. */
const GENERAL = REFERENCE.slice(REFERENCE.indexOf("**Names.**"), REFERENCE.indexOf("\n## "))
  .trim()
  .replace(/: \[[\w.]+\]\([\w.]+\)/g, "")
  .replace(/an `offset`/g, "a `cursor`")
  .replace(/`offset`/g, "`cursor`")
  .replace(/\(32 KB if absent[^)]*\)/, "(16 KB if absent)");

export function skillText({ name, description, steps, tools }) {
  const title = name[0].toUpperCase() + name.slice(1).replace("-", " ");
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

<!-- Made by tools/skills.mjs for \`portolan setup\` and the plugin; written anew, not edited. -->

# ${title} with Portolan

Steps, with the tools of the MCP server \`portolan\`:

${steps.map((step, place) => `${place + 1}. ${step}`).join("\n")}

If the server says that there is no index, run \`portolan index\` in the repository, and again where an answer says that it is stale.
Without the server every tool is a command: \`portolan ask impact '{"symbol": "Cart.total"}'\`.

${GENERAL}

## The tools

${tools.map(toolText).join("\n\n")}
`;
}

export const SKILLS = GUIDES.map((guide) => ({ name: guide.name, text: skillText(guide) }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, text } of SKILLS) {
    const folder = new URL(`../plugin/skills/${name}/`, import.meta.url);
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL("SKILL.md", folder), text);
  }
}
