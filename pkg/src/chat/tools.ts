/**
 * The tools that a model may ask for: rows of the tool table that only read, by the names that models know. The list below is the whole of
 * it: a name that is not in it is refused, whoever asks, so a text in the repository can at most make the model read more of it.
 */

import type { CodeIndex } from "../code-index.js";
import type { McpTool } from "../commands/tools/tool-row.js";
import { TOOLS } from "../commands/tools/tools.js";
import { fromThrown, PortolanError } from "../errors.js";
import { argumentsOf, type Arguments } from "../mcp/arguments.js";
import type { McpHost } from "../mcp/host.js";
import { sizedAnswer } from "../mcp/sized.js";
import { toolsFor, type ToolSpec } from "../mcp/tools.js";
import type { AbortSignal } from "../platform.js";
import type { OfferedTool } from "./types.js";

interface Offer {
  /** As the model calls it. */
  readonly name: string;
  /** The tool that answers. */
  readonly tool: string;
  readonly about?: string;
  /** Arguments that the model may give; all where it is absent. */
  readonly takes?: readonly string[];
  /** Arguments that are given for it. */
  readonly fixed?: Arguments;
}

const OFFERS: readonly Offer[] = [
  { name: "search_codebase", tool: "search", takes: ["query", "limit", "languages", "paths", "kinds", "cursor"] },
  { name: "read_file", tool: "read_code" },
  { name: "list_files", tool: "list_files" },
  {
    name: "find_callers",
    tool: "code_intelligence",
    about: "Callers of a symbol, `depth` steps back.",
    takes: ["symbol", "depth", "limit"],
    fixed: { command: "callers" },
  },
  {
    name: "find_callees",
    tool: "code_intelligence",
    about: "Functions that a symbol calls, `depth` steps on.",
    takes: ["symbol", "depth", "limit"],
    fixed: { command: "callees" },
  },
  {
    name: "find_references",
    tool: "code_intelligence",
    about: "Uses of a symbol.",
    takes: ["symbol", "limit"],
    fixed: { command: "refs" },
  },
  { name: "find_call_chain", tool: "trace", about: "Chains of calls from one symbol to another." },
  { name: "context", tool: "context" },
  { name: "query_flows", tool: "query" },
  { name: "impact", tool: "impact" },
  { name: "repo_map", tool: "repo_map" },
  { name: "cypher", tool: "cypher", takes: ["query", "parameters", "limit"] },
  { name: "structural_search", tool: "structural_search", takes: ["pattern", "languages", "paths", "limit"] },
  { name: "status", tool: "status" },
];

/** Longer answers of tools are cut: they are paid for with every later step. */
const MAX_CHARS = 16_000;

/** Lines of a file that an answer showed. */
export interface Lines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The answer of a tool for the model, and the lines that it shows. */
export interface ToolAnswer {
  readonly text: string;
  readonly read: readonly Lines[];
}

/** The tools that a model may call: all of them read, and nothing else. */
export class ChatTools {
  private readonly specs: ReadonlyMap<string, { offer: Offer; spec: ToolSpec }>;
  private readonly host: McpHost;

  constructor(index: CodeIndex, options: { readonly structural: boolean }) {
    const can = { structural: options.structural, files: false, index: false };
    const known = new Map(toolsFor(can).map((spec) => [spec.name, spec]));
    const rows = OFFERS.flatMap((offer) => {
      const spec = known.get(offer.tool);
      // The flag of the table goes before the list above.
      return spec && !changes(offer.tool) ? [[offer.name, { offer, spec: specOf(offer, spec) }] as const] : [];
    });
    this.specs = new Map(rows);
    this.host = hostOf(index, can);
  }

  /** As the model is told of them. */
  get offered(): OfferedTool[] {
    return [...this.specs.values()].map(({ spec: { name, description, inputSchema } }) => ({
      name,
      description,
      inputSchema,
    }));
  }

  has(name: string): boolean {
    return this.specs.has(name);
  }

  /** Runs a tool. Rejects with a `PortolanError`: `chat.tool` where there is no such tool. */
  async run(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const found = this.specs.get(name);
    if (!found)
      throw new PortolanError(
        "chat.tool",
        `there is no tool ${JSON.stringify(name.slice(0, 80))}`,
        `tools: ${[...this.specs.keys()].join(", ")}`,
      );
    const { offer, spec } = found;
    const args = { ...argumentsOf(spec, input), ...offer.fixed };
    try {
      const context = { signal, onProgress: () => {} };
      const { answer, text } = await sizedAnswer({ tool: offer.tool, args, host: this.host, context });
      return {
        text: text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… cut: ask for less` : text,
        read: linesIn(answer),
      };
    } catch (error) {
      throw fromThrown(error);
    }
  }
}

/** Whether any row of the table says that this tool can write. */
function changes(tool: string): boolean {
  return TOOLS.some(({ mcp }: { mcp?: McpTool }) => mcp?.name === tool && mcp.changes === true);
}

function specOf({ name, about, takes, fixed = {} }: Offer, spec: ToolSpec): ToolSpec {
  const { properties = {}, required = [] } = spec.inputSchema;
  const isTaken = (key: string) => key !== "repo" && !(key in fixed) && (takes === undefined || takes.includes(key));
  return {
    ...spec,
    name,
    description: about ?? spec.description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isTaken(key))),
      required: required.filter(isTaken),
    },
  };
}

function hostOf(index: CodeIndex, can: McpHost["can"]): McpHost {
  const repository = {
    name: index.name,
    ask: (tool: string, request: object) => index.ask(tool as never, request as never),
    structural: (request: Parameters<CodeIndex["structural"]>[0]) => index.structural(request),
  };
  return {
    version: "",
    can,
    repositories: async () => ({ repositories: [{ name: index.name, is_default: true }] }),
    open: async () => repository,
  };
}

/** Every range of lines that an answer names, wherever it is in it. */
function linesIn(answer: unknown): Lines[] {
  const found: Lines[] = [];
  const queue: unknown[] = [answer];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const { path, line, start_line, end_line } = value as Record<string, unknown>;
    const from = start_line ?? line;
    if (typeof path === "string" && typeof from === "number")
      found.push({ path, from, to: typeof end_line === "number" ? end_line : from });
    queue.push(...Object.values(value).filter((one) => typeof one === "object" && one !== null));
  }
  return found;
}
