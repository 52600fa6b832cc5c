/**
 * The tools as clients see them. An agent reads this list at the start of every conversation, so every word in it is paid for.
 * Names and fields of answers are as everywhere (`docs/tools.md`).
 */

import type { McpTool } from "../commands/tools/tool-row.js";
import { TOOLS } from "../commands/tools/tools.js";
import type { Schema } from "../commands/tools/schema.js";
import type { Abilities } from "./host.js";

/** Maximum size of the answer to `tools/list`, in bytes; `tests/measures/mcp.snap` has its parts. */
export const MAX_LIST_BYTES = 12 * 1024;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly outputSchema: Schema & { readonly type: "object" };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

/** In the order in which agents read them. */
const OFFERED: readonly McpTool[] = TOOLS.flatMap(({ mcp }) => mcp ?? []).sort((a, b) => a.place - b.place);

/** The tools that a host can offer. */
export function toolsFor(can: Abilities): ToolSpec[] {
  const is_offered: Readonly<Record<string, boolean>> = {
    structural_search: can.structural,
    index: can.index === true,
  };
  return OFFERED.filter(({ name }) => is_offered[name] ?? true).map((tool) => specOf(tool, can));
}

/** Arguments that are understood and not listed: every answer keeps to its limits without them (docs/agents.md). */
const UNLISTED: ReadonlySet<string> = new Set(["max_bytes", "max_millis", "timeout_ms"]);

/**
 * The tools as they are listed. Bounds of numbers are left out, and of answers the types: a fault in an argument is a sentence, and
 * docs/tools.md has the answers.
 */
export function listedTools(can: Abilities): ToolSpec[] {
  return toolsFor(can).map(({ inputSchema, outputSchema, ...tool }) => ({
    ...tool,
    inputSchema: { ...inputSchema, properties: propertiesWith(inputSchema, listed) },
    outputSchema: { type: "object", properties: propertiesWith(outputSchema, () => ({})) },
  }));
}

function propertiesWith({ properties = {} }: Schema, of: (schema: Schema) => Schema): Record<string, Schema> {
  const shown = Object.entries(properties).filter(([name]) => !UNLISTED.has(name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, of(schema)]));
}

function listed({ minimum: _, maximum: __, ...schema }: Schema): Schema {
  if (!schema.enum) return schema;
  const { type: ___, ...choice } = schema;
  return choice;
}

/** Arguments that need a work tree. */
const OF_FILES: Readonly<Record<string, readonly string[]>> = {
  detect_changes: ["staged", "base"],
  rename: ["apply", "force"],
};

function specOf({ name, about, input, required, output, changes }: McpTool, { files }: Abilities): ToolSpec {
  const hidden = files ? [] : (OF_FILES[name] ?? []);
  const properties = Object.fromEntries(Object.entries(input).filter(([key]) => !hidden.includes(key)));
  const needed = name === "detect_changes" && !files ? ["diff"] : required;
  const writes = changes === true && files;
  return {
    name,
    description: files
      ? about
      : about
          .replace(" Without diff: git's diff of the work tree.", "")
          .replace(" Writes files only with apply: true; check the edits first.", ""),
    // An unknown argument is refused with a sentence; saying so here would cost every conversation its bytes.
    inputSchema: { type: "object", properties, ...(needed && { required: needed }) },
    outputSchema: { type: "object", properties: fieldsOf(output), required: requiredOf(name, output) },
    annotations: writes
      ? {
          readOnlyHint: false,
          destructiveHint: name !== "index",
          ...(name === "index" && { idempotentHint: true }),
          openWorldHint: false,
        }
      : { readOnlyHint: true, openWorldHint: false },
  };
}

/** Fields without those of the items of their lists, which docs/tools.md has: they would cost every conversation 800 bytes. */
function fieldsOf(output: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(output).map(([name, { items: _, ...field }]) => [name, field]));
}

/** Fields that every answer has: all listed ones, except lists that may be absent. */
function requiredOf(name: string, output: Readonly<Record<string, Schema>>): string[] {
  return Object.keys(output).filter((field) => field !== "candidates" && !(name === "rename" && field === "applied"));
}
