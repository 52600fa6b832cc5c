/**
 * Where each agent keeps its settings, and what goes into them, as their documentation says in November 2026. `docs/agents.md` has
 * the same table for readers.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { JSONC, TOML, type Format, valueIn } from "./config-file.js";
import { claudeHooks, codexHooks, copilotHooks, cursorHooks, geminiHooks, opencodeHooks } from "./hooks.js";
import { type Launch, PACKAGE } from "./launch.js";
import type { Part } from "./part.js";

export type ClientId = "claude-code" | "cursor" | "opencode" | "codex" | "gemini" | "vscode" | "copilot";

export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** Whether it seems to be used here. */
  isHere(): boolean;
  parts(launch: Launch): Part[];
}

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
      ...claudeHooks(claude("settings.json")),
      ...skills(claude("skills")),
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    isHere: () => existsSync(home(".cursor")),
    parts: ({ command, args }) => [
      server(home(".cursor", "mcp.json"), JSONC, ["mcpServers", "portolan"], { type: "stdio", command, args }),
      ...cursorHooks(home(".cursor", "hooks.json")),
      ...skills(home(".cursor", "skills")),
    ],
  },
  {
    id: "opencode",
    name: "OpenCode",
    isHere: () => existsSync(opencode()),
    parts: (launch) => [
      opencodeServer(launch),
      ...opencodeHooks(opencode("plugins", "portolan.js")),
      ...skills(opencode("skills")),
    ],
  },
  {
    id: "codex",
    name: "Codex",
    isHere: () => existsSync(codex()),
    parts: ({ command, args }) => [
      server(codex("config.toml"), TOML, ["mcp_servers", "portolan"], { command, args }),
      ...codexHooks(codex("hooks.json")),
      ...skills(shared()),
    ],
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    isHere: () => existsSync(gemini()),
    parts: ({ command, args }) => [
      server(gemini("settings.json"), JSONC, ["mcpServers", "portolan"], { command, args }),
      ...geminiHooks(gemini("settings.json")),
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
      ...copilotHooks(copilot("hooks", "portolan.json")),
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
