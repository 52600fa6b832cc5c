/** The MCP server over any host: what the protocol asks, put to the tools, resources and prompts of this folder. */

import { PortolanError, fromThrown } from "../errors.js";
import { argumentsOf } from "./arguments.js";
import { complete } from "./complete.js";
import { GUIDES, promptOf } from "./guides.js";
import type { CallContext, McpHost } from "./host.js";
import { readResource, resourcesOf, RESOURCE_TEMPLATES } from "./resources.js";
import { ProtocolError, ProtocolErrorCode, Server } from "./sdk.js";
import { sizedAnswer } from "./sized.js";
import { TASKS, taskText } from "./tasks.js";
import { visible } from "../visible.js";
import { listedTools, toolsFor, type ToolSpec } from "./tools.js";

const INSTRUCTIONS =
  "Portolan answers from an index of the code: where things are, callers and callees, what a change breaks. " +
  "Use it before grep and before reading files: search or query to find, context to understand, impact before an edit, detect_changes before a commit. " +
  "Symbols are given as name, Class.name, path#name or path:line. `repo` is a name or folder of list_repos; without it the repository of the working folder answers. " +
  "A long answer ends with next_cursor: repeat the call with it as `cursor`. `max_bytes` limits an answer.";

/** A server of its own for a connection or a request; servers share nothing but the host. */
export function mcpServer(host: McpHost): Server {
  const listed = listedTools(host.can);
  const byName = new Map(toolsFor(host.can).map((tool) => [tool.name, tool]));
  const server = new Server(
    { name: "portolan", title: "Portolan", version: host.version },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listed }) as never);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = byName.get(params.name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(params.name)}; tools: ${[...byName.keys()].join(", ")}`,
      );
    return (await called(host, tool, params.arguments, callContextOf(context as never))) as never;
  });
  server.setRequestHandler("resources/list", async () => ({ resources: await resourcesOf(host) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const { text, mimeType } = await readResource(host, uri, callContextOf(context as never)).catch(asProtocolError);
    return { contents: [{ uri, mimeType, text: visible(text) }] };
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: [...TASKS.map(taskEntry), ...GUIDES.map(promptEntry)] }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }, context) => {
    const text = await promptText(host, name, given, callContextOf(context as never));
    const { description } = [...TASKS, ...GUIDES].find((prompt) => prompt.name === name) ?? {};
    return { description, messages: [{ role: "user", content: { type: "text", text } }] } as never;
  });
  server.setRequestHandler("completion/complete", async ({ params: { argument, context } }) => ({
    completion: (await complete(host, argument.name, argument.value, context?.arguments ?? {})) as never,
  }));
  return server;
}

/** A failed question is an answer, too: the model reads it and asks better. */
async function called(host: McpHost, tool: ToolSpec, given: unknown, context: CallContext) {
  try {
    const { answer, text } = await sizedAnswer({ tool: tool.name, args: argumentsOf(tool, given), host, context });
    return { content: [{ type: "text", text }], structuredContent: answer };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { message, code, help } = fromThrown(error);
    return {
      isError: true,
      content: [{ type: "text", text: visible(`${message} [${code}]${help === "" ? "" : `\n${help}`}`) }],
    };
  }
}

/** As much of the SDK's context as is used. */
interface Context {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number };
    readonly notify: (notification: { method: string; params: object }) => Promise<void>;
  };
}

function callContextOf({ mcpReq: { signal, _meta, notify } }: Context): CallContext {
  const progressToken = _meta?.progressToken;
  return {
    signal,
    onProgress(progress, total, message) {
      if (progressToken === undefined || signal.aborted) return;
      const params = { progressToken, progress, total, ...(message !== undefined && { message }) };
      notify({ method: "notifications/progress", params }).catch(() => {}); // the answer matters, not this
    },
  };
}

function asProtocolError(error: unknown): never {
  const { message, help } = fromThrown(error);
  const is_asked_wrong = error instanceof PortolanError && !error.code.startsWith("internal");
  throw new ProtocolError(
    is_asked_wrong ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    help === "" ? message : `${message}; ${help}`,
  );
}

/** The text of a task with its answers, or of a guide. */
async function promptText(
  host: McpHost,
  name: string,
  given: Readonly<Record<string, string>>,
  context: CallContext,
): Promise<string> {
  const task = TASKS.find((one) => one.name === name);
  const guide = GUIDES.find((one) => one.name === name);
  if (guide) return promptOf(guide, given);
  const known = [...TASKS, ...GUIDES].map((prompt) => prompt.name).join(", ");
  if (!task)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no prompt ${JSON.stringify(name)}; prompts: ${known}`,
    );
  for (const [argument, , required] of task.arguments)
    if (required && !given[argument])
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name}: \`${argument}\` is missing`);
  return taskText(task, given, host, context);
}

function taskEntry({ name, description, arguments: names }: (typeof TASKS)[number]) {
  return {
    name,
    title: name.replace("-", " "),
    description,
    arguments: names.map(([name, description, required]) => ({ name, description, required })),
  };
}

function promptEntry({ name, description, arguments: names }: (typeof GUIDES)[number]) {
  return {
    name,
    title: name.replace("-", " "),
    description,
    arguments: names.map(([name, description], place) => ({ name, description, required: place === 0 })),
  };
}
