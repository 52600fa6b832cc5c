/** A tool on every surface: the row that help, MCP list and the table of docs/tools.md are made from. */

import type { CommandSpec } from "../command-spec.js";
import type { RestRoute } from "./rest.js";
import type { Schema } from "./schema.js";

export interface ToolRow {
  /** On the wire: `POST /v1/NAME`, `index.ask(NAME, …)`. */
  readonly name: string;
  /** The tool that answers, where this row is only a command over another tool. */
  readonly asks?: string;
  /** The method of `CodeIndex`; absent where `ask` is the only way. */
  readonly method?: string;
  readonly commands?: readonly CommandSpec[];
  readonly mcp?: McpTool;
  /** Over HTTP by parameters, besides `POST /v1/NAME`. */
  readonly rest?: RestRoute;
}

/** A tool as agents see it. */
export interface McpTool {
  /** In the list of tools: agents read it from the start. */
  readonly place: number;
  readonly name: string;
  readonly about: string;
  readonly input: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly output: Readonly<Record<string, Schema>>;
  /** Whether it can write files. */
  readonly changes?: boolean;
}
