/**
 * Where each agent keeps its settings, and what goes into them, as their documentation says in November 2026. `docs/agents.md` has
 * the same table for readers.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { JSONC, TOML, type Format, type Setting, valueIn } from "./config-file.js";
import { type Launch, PACKAGE } from "./launch.js";

export type ClientId = "claude-code" | "cursor" | "opencode" | "codex" | "gemini" | "vscode" | "copilot";

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
  parts(launch: Launch): Part[];
}

/** The file that the hook loads: it is copied too, so that the hook runs wherever the package is by then. */
const HOOK_FILES = ["dist/node/hook.js", "wasm/reader_bg.wasm"];

/** A folder that the environment names. A relative one would lead into whatever folder is worked in. */
const env = (name: string) => {
  const folder = process.env[name];
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
};
const home = (...parts: string[]) => join(homedir(), ...parts);
const config = (...parts: string[]) => join(env("XDG_CONFIG_HOME") ?? home(".config"), ...parts);
const claude = (...parts: string[]) => join(env("CLAUDE_CONFIG_DIR") ?? home(".claude"), ...parts);
const opencode = (...parts: string[]) => config("opencode", ...parts);
const codex = (...parts: string[]) => join(env("CODEX_HOME") ?? home(".codex"), ...parts);
const gemini = (...parts: string[]) => join(env("GEMINI_CLI_HOME") ?? homedir(), ".gemini", ...parts);
const copilot = (...parts: string[]) => join(env("COPILOT_HOME") ?? home(".copilot"), ...parts);
/** The folder of skills that several agents read. */
const shared = () => home(".agents", "skills");

export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    isHere: () => existsSync(claude()) || existsSync(claudeState()),
    parts: ({ command, args }) => [
      server(claudeState(), JSONC, ["mcpServers", "portolan"], { type: "stdio", command, args, env: {} }),
      ...hookParts(),
      ...skills(claude("skills")),
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    isHere: () => existsSync(home(".cursor")),
    parts: ({ command, args }) => [
      server(home(".cursor", "mcp.json"), JSONC, ["mcpServers", "portolan"], { type: "stdio", command, args }),
      ...skills(home(".cursor", "skills")),
    ],
  },
  {
    id: "opencode",
    name: "OpenCode",
    isHere: () => existsSync(opencode()),
    parts: (launch) => [opencodeServer(launch), ...skills(opencode("skills"))],
  },
  {
    id: "codex",
    name: "Codex",
    isHere: () => existsSync(codex()),
    parts: ({ command, args }) => [
      server(codex("config.toml"), TOML, ["mcp_servers", "portolan"], { command, args }),
      ...skills(shared()),
    ],
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    isHere: () => existsSync(gemini()),
    parts: ({ command, args }) => [
      server(gemini("settings.json"), JSONC, ["mcpServers", "portolan"], { command, args }),
      ...skills(shared()),
    ],
  },
  {
    id: "vscode",
    name: "VS Code",
    isHere: () => existsSync(vscode()),
    parts: ({ command, args }) => [
      server(vscode("mcp.json"), JSONC, ["servers", "portolan"], { type: "stdio", command, args }),
      ...skills(shared()),
    ],
  },
  {
    id: "copilot",
    name: "Copilot CLI",
    isHere: () => existsSync(copilot()),
    parts: ({ command, args }) => [
      server(copilot("mcp-config.json"), JSONC, ["mcpServers", "portolan"], {
        type: "local",
        command,
        args,
        tools: ["*"],
      }),
      ...skills(shared()),
    ],
  },
];

function server(file: string, format: Format, path: string[], value: object): Part {
  return { kind: "setting", file, format, setting: { path, value }, about: "MCP server" };
}

function claudeState(): string {
  return env("CLAUDE_CONFIG_DIR") ? claude(".claude.json") : home(".claude.json");
}

/** The folder of the user's own settings of VS Code. */
function vscode(...parts: string[]): string {
  const folder =
    process.platform === "win32"
      ? join(env("APPDATA") ?? home("AppData", "Roaming"), "Code", "User")
      : process.platform === "darwin"
        ? home("Library", "Application Support", "Code", "User")
        : config("Code", "User");
  return join(folder, ...parts);
}

/**
 * Version 2 names servers under `mcp.servers`, and reads the form of version 1 as well; version 1 reads only its own. So the newer
 * form is written only where the file has it already.
 */
function opencodeServer({ command, args }: Launch): Part {
  const file = opencodeSettings();
  const entry = { type: "local", command: [command, ...args] };
  const isVersion2 = existsSync(file) && hasServers(readFileSync(file, "utf8"));
  return isVersion2
    ? server(file, JSONC, ["mcp", "servers", "portolan"], entry)
    : server(file, JSONC, ["mcp", "portolan"], { ...entry, enabled: true });
}

function hasServers(text: string): boolean {
  try {
    const servers = valueIn(JSONC, text, ["mcp", "servers"]);
    // A server of version 1 may have this name, and then a type.
    return typeof servers === "object" && servers !== null && typeof (servers as { type?: unknown }).type !== "string";
  } catch {
    return false; // told when it is written to
  }
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
  return [
    {
      kind: "setting",
      file: claude("settings.json"),
      format: JSONC,
      setting: { path: ["hooks", "PreToolUse"], value, mark: "hooks/portolan/hook.mjs" },
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
  return `// Made by \`portolan setup\`: adds results of Portolan to an agent's searches. Prints nothing on errors.
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
