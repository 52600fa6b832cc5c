/** Arguments that a call leaves out, from the settings of a repository: the same that the command line heeds, by the names of the tools' arguments. */

import type { Arguments } from "./arguments.js";
import { toolsFor } from "./tools.js";

/** Which argument of which tools a setting is; of all that have it, where none are named. */
interface Default {
  readonly argument: string;
  readonly tools?: readonly string[];
}

const DEFAULTS: Readonly<Record<string, readonly Default[]>> = {
  "search.limit": [{ argument: "limit", tools: ["search"] }],
  "search.mode": [{ argument: "mode", tools: ["search"] }],
  "search.languages": [{ argument: "languages", tools: ["search"] }],
  "search.paths": [{ argument: "paths", tools: ["search"] }],
  "search.weights": [{ argument: "weights", tools: ["search"] }],
  "map.tokens": [{ argument: "max_tokens", tools: ["repo_map"] }],
  "answers.max_bytes": [{ argument: "max_bytes" }],
  "answers.min_confidence": [{ argument: "min_confidence" }],
  "answers.depth": [{ argument: "depth" }, { argument: "max_depth" }],
  "changes.tests": [{ argument: "tests", tools: ["impact", "detect_changes"] }],
};

/** Settings that calls heed. */
export const SETTINGS_OF_CALLS = Object.keys(DEFAULTS);

/** The arguments that these settings give each tool. */
export function defaultsOf(settings: ReadonlyMap<string, unknown>): (tool: string) => Arguments {
  const specs = toolsFor({ structural: true, files: true });
  const given = [...settings].flatMap(([key, value]) => (DEFAULTS[key] ?? []).map((of) => ({ ...of, value })));
  return (tool) => {
    const properties = specs.find(({ name }) => name === tool)?.inputSchema.properties ?? {};
    const heeded = given.filter(({ argument, tools }) => (tools ? tools.includes(tool) : argument in properties));
    return Object.fromEntries(heeded.map(({ argument, value }) => [argument, value]));
  };
}

/** The call's arguments, and for those that it leaves out the repository's. Code packed into a number of tokens has settings of its own. */
export function withDefaults(
  tool: string,
  args: Arguments,
  defaults: ((tool: string) => Arguments) | undefined,
): Arguments {
  const is_packed = tool === "search" && args.max_tokens !== undefined;
  return defaults === undefined || is_packed ? args : { ...defaults(tool), ...args };
}
