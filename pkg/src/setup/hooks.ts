/**
 * The hooks of each agent, as its documentation describes them in November 2026: at which events it takes text, and how they are configured.
 * All call one launcher, which is in Portolan's folder for data with the files that the hook loads.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { dataFolder } from "../node/registry.js";
import { JSONC, valueIn } from "./config-file.js";
import { PACKAGE } from "./launch.js";
import type { Part } from "./part.js";

/** The file that the hook loads: it is copied too, so that the hook runs wherever the package is by then. */
const HOOK_FILES = ["dist/node/hook.cjs", "wasm/reader_bg.wasm"];
const ABOUT = "hooks";
/** Tells our entries in a list of hooks from others, those of earlier versions included. */
const MARK = "hooks/portolan/hook.";
/** Seconds; the hook takes a tenth of one. */
const TIMEOUT = 5;

const folder = () => join(dataFolder() ?? "", "hooks", "portolan");
/** With slashes, which every system takes, and so that the mark is found. */
const launcher = () => join(folder(), "hook.cjs").replaceAll("\\", "/");
const command = (...operands: string[]) => ["node", `"${launcher()}"`, ...operands].join(" ");

/** An entry in the list of an event's hooks, as `hooks.EVENT` of a file of settings. */
function entry(file: string, event: string, value: object): Part {
  const setting = { path: ["hooks", event], value, mark: MARK };
  return { kind: "setting", file, format: JSONC, setting, about: ABOUT };
}

/** The form of Claude Code, Codex and Gemini CLI: matchers with hooks. */
function matched(file: string, event: string, matcher: string | undefined, more: object): Part {
  const hooks = [{ type: "command", command: command(), ...more }];
  return entry(file, event, { ...(matcher !== undefined && { matcher }), hooks });
}

/** A resumed session has what was said at its start. */
const STARTS = "startup|clear|compact";

export function claudeHooks(settings: string): Part[] {
  const more = { timeout: TIMEOUT };
  return [
    matched(settings, "SessionStart", STARTS, more),
    matched(settings, "UserPromptSubmit", undefined, more),
    matched(settings, "SubagentStart", undefined, more),
    matched(settings, "PreToolUse", "Grep|Glob|Bash", more),
    matched(settings, "PostToolUse", "Edit|Write", more),
    ...files(),
  ];
}

export function codexHooks(hooks: string): Part[] {
  const more = { timeout: TIMEOUT };
  return [
    matched(hooks, "SessionStart", STARTS, more),
    matched(hooks, "UserPromptSubmit", undefined, more),
    matched(hooks, "SubagentStart", undefined, more),
    matched(hooks, "PreToolUse", "^Bash$", more),
    matched(hooks, "PostToolUse", "^apply_patch$", more),
    ...files(),
  ];
}

/** It takes no text before a tool runs, so a search is answered after it. */
export function geminiHooks(settings: string): Part[] {
  const more = { name: "portolan", timeout: 1000 * TIMEOUT };
  const tools = "replace|write_file|grep_search|search_file_content|glob|run_shell_command";
  return [
    matched(settings, "SessionStart", undefined, more),
    matched(settings, "BeforeAgent", undefined, more),
    matched(settings, "AfterTool", tools, more),
    ...files(),
  ];
}

/** `beforeSubmitPrompt` and `subagentStart` take no text by its documentation. */
export function cursorHooks(hooks: string): Part[] {
  const versioned = existsSync(hooks) && hasVersion(readFileSync(hooks, "utf8"));
  const version = { path: ["version"], value: 1 };
  return [
    ...(versioned
      ? []
      : [{ kind: "setting", file: hooks, format: JSONC, setting: version, about: ABOUT } satisfies Part]),
    entry(hooks, "sessionStart", { command: command() }),
    entry(hooks, "postToolUse", { command: command(), matcher: "Write|Grep|Shell" }),
    ...files(),
  ];
}

function hasVersion(text: string): boolean {
  try {
    return valueIn(JSONC, text, ["version"]) !== undefined;
  } catch {
    return true; // told when it is written to
  }
}

/** A file of our own beside others. It drops the output at a user's prompt; its events do not say which program sends them. */
export function copilotHooks(file: string): Part[] {
  const hook = (event: string, matcher?: string) => [
    {
      type: "command",
      command: command("copilot", event),
      timeoutSec: TIMEOUT,
      ...(matcher !== undefined && { matcher }),
    },
  ];
  const tools = "edit|create|str_replace_editor|apply_patch|grep|rg|glob|bash|powershell";
  const hooks = {
    sessionStart: hook("sessionStart"),
    subagentStart: hook("subagentStart"),
    postToolUse: hook("postToolUse", tools),
  };
  const content = `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
  return [{ kind: "file", file, content, about: ABOUT }, ...files()];
}

/** It runs plugins in its own process, and the hook in one of Node; of its documented events those of tools take text. */
export function opencodeHooks(file: string): Part[] {
  const content = `// Made by \`portolan setup\`: adds to the results of searches and edits what Portolan's index knows about them.
import { spawn } from "node:child_process";

const HOOK = ${JSON.stringify(launcher())};

function said(event) {
  return new Promise((resolve) => {
    const child = spawn("node", [HOOK, "opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: ${1000 * TIMEOUT} });
    let text = "";
    child.stdout.on("data", (piece) => (text += piece));
    child.on("error", () => resolve(""));
    child.on("close", () => {
      try {
        resolve(JSON.parse(text).additionalContext);
      } catch {
        resolve("");
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(event));
  });
}

export const Portolan = async ({ directory }) => {
  const given = new Map();
  return {
    "tool.execute.before": async ({ callID }, { args }) => void given.set(callID, args),
    "tool.execute.after": async ({ tool, callID, args }, output) => {
      const tool_input = args ?? given.get(callID);
      given.delete(callID);
      if (typeof output?.output !== "string" || !["grep", "glob", "bash", "edit", "write", "apply_patch"].includes(tool)) return;
      const text = await said({ hook_event_name: "postToolUse", tool_name: tool, tool_input, cwd: directory });
      if (text) output.output += \`\\n\\n\${text}\`;
    },
  };
};
`;
  return [{ kind: "file", file, content, about: ABOUT }, ...files()];
}

/** The launcher and all that it may load. */
function files(): Part[] {
  const part = (file: string, content: string | Uint8Array): Part => ({
    kind: "file",
    file: join(folder(), file),
    content,
    about: ABOUT,
  });
  return [part("hook.cjs", launcherText()), ...HOOK_FILES.map((file) => part(file, readFileSync(join(PACKAGE, file))))];
}

/**
 * The package where it is now, as long as it is there: it may be newer. Else the copy beside. CommonJS, since the loader of modules takes four
 * milliseconds.
 */
function launcherText(): string {
  return `// Made by \`portolan setup\`: tells agents what Portolan's index knows. Prints nothing on errors.
"use strict";
const { existsSync } = require("node:fs");

process.exitCode = 0;
try {
  const installed = ${JSON.stringify(join(PACKAGE, "dist/node/hook.cjs"))};
  const { main } = require(existsSync(installed) ? installed : "./dist/node/hook.cjs");
  main(["hook", ...process.argv.slice(2)]);
} catch {}
`;
}
