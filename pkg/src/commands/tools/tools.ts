/** Every tool, declared once. */

import type { CommandSpec, Group } from "../command-spec.js";
import { CHANGE_TOOLS } from "./change.js";
import { FIND_TOOLS } from "./find.js";
import { GRAPH_TOOLS } from "./graph.js";
import type { ToolRow } from "./tool-row.js";
import { UNDERSTAND_TOOLS } from "./understand.js";

export const TOOLS: readonly ToolRow[] = [...FIND_TOOLS, ...UNDERSTAND_TOOLS, ...CHANGE_TOOLS, ...GRAPH_TOOLS];

/** The commands of a group that ask tools. */
export function toolCommands(group: Group): CommandSpec[] {
  return TOOLS.flatMap(({ commands = [] }) => commands.filter((command) => command.group === group));
}
