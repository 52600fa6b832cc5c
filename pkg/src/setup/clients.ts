/** Where each agent keeps its settings, and what goes into them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { JSONC, TOML, type Format, type Setting } from "./config-file.js";

export type ClientId = "claude-code" | "cursor" | "opencode" | "codex";

/** A value in a file that belongs to the user, or a whole file that is ours. */
export type Part =
  | {
      readonly kind: "setting";
      readonly file: string;
      readonly format: Format;
      readonly setting: Setting;
      readonly about: string;
    }
  | { readonly kind: "file"; readonly file: string; readonly content: string | Uint8Array; readonly about: string };

export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** Whether it seems to be used here. */
  isHere(): boolean;
  parts(): Part[];
}

/** The package's folder, seen from `dist/setup/`. */
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
/** What the hook loads: it goes along, so that it runs wherever the package itself is by then. */
const HOOK_FILES = ["dist/node/hook.js", "wasm/reader_bg.wasm"];

const COMMAND =
  process.platform === "win32" ? ["cmd", "/c", "npx", "-y", "portolan", "mcp"] : ["npx", "-y", "portolan", "mcp"];
const [command, ...args] = COMMAND as [string, ...string[]];

const home = (...parts: string[]) => join(homedir(), ...parts);
const claude = (...parts: string[]) => join(process.env["CLAUDE_CONFIG_DIR"] || home(".claude"), ...parts);
const opencode = (...parts: string[]) => join(process.env["XDG_CONFIG_HOME"] || home(".config"), "opencode", ...parts);
const codex = (...parts: string[]) => join(process.env["CODEX_HOME"] || home(".codex"), ...parts);

export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    isHere: () => existsSync(claude()) || existsSync(claudeState()),
    parts: () => [
      server(claudeState(), JSONC, ["mcpServers", "portolan"], { type: "stdio", command, args, env: {} }),
      ...hookParts(),
      ...skills(claude("skills")),
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    isHere: () => existsSync(home(".cursor")),
    parts: () => [
      server(home(".cursor", "mcp.json"), JSONC, ["mcpServers", "portolan"], { command, args }),
      ...skills(home(".cursor", "skills")),
    ],
  },
  {
    id: "opencode",
    name: "OpenCode",
    isHere: () => existsSync(opencode()),
    parts: () => [
      server(opencodeSettings(), JSONC, ["mcp", "portolan"], { type: "local", command: COMMAND, enabled: true }),
      ...skills(opencode("skill")),
    ],
  },
  {
    id: "codex",
    name: "Codex",
    isHere: () => existsSync(codex()),
    parts: () => [
      server(codex("config.toml"), TOML, ["mcp_servers", "portolan"], { command, args }),
      ...skills(codex("skills")),
    ],
  },
];

function server(file: string, format: Format, path: string[], value: object): Part {
  return { kind: "setting", file, format, setting: { path, value }, about: "MCP server" };
}

function claudeState(): string {
  return process.env["CLAUDE_CONFIG_DIR"] ? claude(".claude.json") : home(".claude.json");
}

/** The one of its files that is there; it reads all of them. */
function opencodeSettings(): string {
  const known = ["opencode.jsonc", "opencode.json", "config.json"].map((file) => opencode(file));
  return known.find((file) => existsSync(file)) ?? opencode("opencode.json");
}

function hookParts(): Part[] {
  const folder = claude("hooks", "portolan");
  const launcher = join(folder, "hook.mjs");
  const value = {
    matcher: "Grep|Glob|Bash",
    hooks: [{ type: "command", command: `node "${launcher.replaceAll("\\", "/")}"`, timeout: 5 }],
  };
  const isOurs = (item: unknown) => JSON.stringify(item)?.includes("hooks/portolan/hook.mjs") === true;
  return [
    {
      kind: "setting",
      file: claude("settings.json"),
      format: JSONC,
      setting: { path: ["hooks", "PreToolUse"], value, isOurs },
      about: "search hook",
    },
    { kind: "file", file: launcher, content: launcherText(), about: "search hook" },
    ...HOOK_FILES.map(
      (file): Part => ({
        kind: "file",
        file: join(folder, file),
        content: readFileSync(join(PACKAGE, file)),
        about: "search hook",
      }),
    ),
    { kind: "file", file: join(folder, "package.json"), content: '{ "type": "module" }\n', about: "search hook" },
  ];
}

/** The package where it is now, as long as it is there: it may be newer. Else the copy beside. */
function launcherText(): string {
  return `// Made by \`portolan setup\`: what Portolan knows goes along with an agent's searches. Silent whatever happens.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

try {
  const installed = ${JSON.stringify(join(PACKAGE, "dist/node/hook.js"))};
  const { main } = await import(existsSync(installed) ? pathToFileURL(installed).href : "./dist/node/hook.js");
  await main(["hook"]);
} catch {}
process.exitCode = 0;
`;
}

/** Skills, by names that nobody else has. */
function skills(folder: string): Part[] {
  const from = join(PACKAGE, "plugin/skills");
  return readdirSync(from)
    .sort()
    .map((skill): Part => {
      const content = readFileSync(join(from, skill, "SKILL.md"), "utf8").replace(
        /^name: .*$/m,
        `name: portolan-${skill}`,
      );
      return { kind: "file", file: join(folder, `portolan-${skill}`, "SKILL.md"), content, about: "skill" };
    });
}
