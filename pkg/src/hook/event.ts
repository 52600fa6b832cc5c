/**
 * Events of agents, whatever program sends them: the moment, the tool and its input, and the form in which that program takes an answer.
 * Formats are those that the programs document; `docs/agents.md` names them.
 */

import { jsonShape } from "../reading/request-limits.js";

/** Maximum size of an event in bytes: no call of a search tool is longer, and of a longer edit nothing is said. */
export const MAX_EVENT = 1024 * 1024;

/** The moments at which the hook has something to say. */
export type Moment = "session" | "subagent" | "prompt" | "search" | "edit";

export interface HookEvent {
  readonly moment: Moment;
  /** Where the agent works. */
  readonly cwd: string;
  /** The text that the user sent. */
  readonly prompt: string;
  /** `Grep`, `Glob` or `Bash` for a search; for an edit the program's own name. */
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** The tool's own report, where it ran already. */
  readonly response: unknown;
  /** The text as the program wants it on stdout. */
  answer(text: string): object;
}

/** Programs whose events do not tell them apart say who they are as the hook's arguments. */
export type Program = "copilot" | "opencode";

/** Names of events, by moment; `after` is a tool that ran, which may have searched or edited. */
const MOMENTS: Readonly<Record<string, Moment | "before" | "after">> = {
  SessionStart: "session",
  sessionStart: "session",
  SubagentStart: "subagent",
  subagentStart: "subagent",
  UserPromptSubmit: "prompt",
  BeforeAgent: "prompt",
  PreToolUse: "before",
  PostToolUse: "after",
  AfterTool: "after",
  postToolUse: "after",
};

/** Programs that take no text before a tool runs get it with the result of the search. */
const SEARCHES_AFTER: ReadonlySet<string> = new Set(["AfterTool", "postToolUse"]);

const SEARCH_TOOLS: Readonly<Record<string, "Grep" | "Glob" | "Bash">> = {
  Grep: "Grep",
  grep: "Grep",
  rg: "Grep",
  grep_search: "Grep",
  search_file_content: "Grep",
  Glob: "Glob",
  glob: "Glob",
  Bash: "Bash",
  bash: "Bash",
  Shell: "Bash",
  powershell: "Bash",
  run_shell_command: "Bash",
};

const EDIT_TOOLS: ReadonlySet<string> = new Set([
  ...["Edit", "Write", "MultiEdit", "NotebookEdit"], // Claude Code, Cursor
  ...["apply_patch", "replace", "write_file"], // Codex, Gemini CLI
  ...["edit", "create", "write", "str_replace_editor"], // Copilot CLI, OpenCode
]);

/** Reads an event; nothing where it is none that the hook answers. Throws on what is no JSON. */
export function readEvent(text: string, program?: Program, named?: string): HookEvent | undefined {
  if (jsonShape(text).fault) return undefined;
  const event = recordOf(JSON.parse(text));
  const name = textOf(event.hook_event_name) || (named ?? "");
  const when = Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined;
  if (when === undefined) return undefined;
  const ran = textOf(event.tool_name ?? event.toolName);
  const search = Object.hasOwn(SEARCH_TOOLS, ran) ? SEARCH_TOOLS[ran] : undefined;
  const moment = momentOf(when, name, ran, search !== undefined);
  return (
    moment && {
      moment,
      cwd: folderOf(event),
      prompt: textOf(event.prompt),
      tool: moment === "search" ? (search ?? "") : ran,
      input: recordOf(event.tool_input ?? parsed(event.toolArgs)),
      response: event.tool_response,
      answer: (additionalContext) => answerOf(name, program, additionalContext),
    }
  );
}

function momentOf(when: Moment | "before" | "after", name: string, tool: string, isSearch: boolean) {
  if (when === "before") return isSearch ? "search" : undefined;
  if (when !== "after") return when;
  if (EDIT_TOOLS.has(tool)) return "edit";
  return isSearch && SEARCHES_AFTER.has(name) ? "search" : undefined;
}

/** Cursor and Copilot CLI take the text at the top, the others within the answer of the event. */
function answerOf(name: string, program: Program | undefined, additionalContext: string): object {
  if (program !== undefined) return { additionalContext };
  if (name === "sessionStart" || name === "postToolUse") return { additional_context: additionalContext };
  return { hookSpecificOutput: { hookEventName: name, additionalContext } };
}

/** Cursor names the folders of its window, the others the one that the agent is in. */
function folderOf({ cwd, workspace_roots: roots }: Record<string, unknown>): string {
  const [first] = Array.isArray(roots) ? roots : [];
  return textOf(cwd) || textOf(first) || ".";
}

/** Copilot CLI passes arguments as an object, or as its JSON. */
function parsed(args: unknown): unknown {
  return typeof args === "string" && !jsonShape(args).fault ? JSON.parse(args) : args;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
