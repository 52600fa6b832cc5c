/** Commands for agents: the server, and what tells their programs about it. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { PortolanError } from "../errors.js";
import type { NodeHostOptions } from "../mcp/node-host.js";
import { isHostName } from "../node/http-guard.js";
import { isRootAt } from "../node/index-file.js";
import { isOwnIndex } from "../node/own-index.js";
import { findRoot, indexPathOf } from "../node/root.js";
import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { packageVersion } from "../node/version.js";

const PORT = 7333;

export async function mcp(command: Command): Promise<void> {
  const { operands, options } = command;
  const only = options.index === undefined ? operands : [options.index, ...operands];
  const cwd = process.env.CLAUDE_PROJECT_DIR ?? process.cwd();
  const http = options.http === true ? httpOptions(command) : undefined;
  const keeper = options["no-watch"] === true ? undefined : await keeperFor(command, cwd, only);
  const host: NodeHostOptions = { version: packageVersion(), cwd, only, config: options.config, keeper };
  // Hooks ask about the folder that an agent works in.
  const endHooks = only.length === 0 ? (await import("./hook-thread.js")).answerHooks(cwd) : undefined;
  await (http ? serveOverHttp(host, http) : (await import("../mcp/stdio.js")).serveMcp(host));
  await endHooks?.();
}

async function serveOverHttp(host: NodeHostOptions, options: ReturnType<typeof httpOptions>): Promise<void> {
  const server = await (await import("../mcp/node-http.js")).serveMcpOverHttp(host, options);
  process.stdout.write(`${server.url}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
  });
  await server.close();
}

/** Builds the index of the work tree that the client works in where there is none, and follows its changes. */
async function keeperFor({ options }: Command, cwd: string, only: readonly string[]) {
  if (process.env.PORTOLAN_MCP_WATCH === "false") return undefined;
  const { IndexKeeper, complainOnStderr } = await import("./index-keeper.js");
  const keeper = new IndexKeeper({ watches: true, config: options.config, complain: complainOnStderr });
  const root = findRoot(cwd);
  // A folder that is no work tree may be anything, such as everything that somebody has.
  const isWorkTree = [".git", ".hg", ".jj"].some((mark) => statSync(join(root, mark), { throwIfNoEntry: false }));
  const index = indexPathOf(root);
  const isForeign = statSync(index, { throwIfNoEntry: false }) !== undefined && !isOwnIndex(index);
  // Shards are made anew when somebody asks for it: that takes minutes.
  if (only.length === 0 && isWorkTree && !isForeign && !isRootAt(index))
    keeper.index(root).catch((error: PortolanError) => complainOnStderr(`${error.message} [${error.code}]`));
  return keeper;
}

function httpOptions({ options }: Command) {
  const allowedHosts = options["allow-host"] ?? [];
  for (const name of allowedHosts)
    if (!isHostName(name)) throw new UsageError(`--allow-host expects a name or an address, not "${name}"`);
  return {
    port: wholeNumber(options.port, "port", 0) ?? PORT,
    host: options.host ?? "127.0.0.1",
    allowedHosts,
    token: tokenIn(options["token-file"]),
  };
}

/** The first line of a file, or the variable: a token on a command line could be read by others. */
function tokenIn(file: string | undefined): string | undefined {
  if (file === undefined) return process.env.PORTOLAN_MCP_TOKEN || undefined;
  try {
    return readFileSync(file, "utf8").split("\n", 1)[0]?.trim();
  } catch (error) {
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}

export async function setup({ options }: Command): Promise<string> {
  const { CLIENTS, setUp, report } = await import("../setup/setup.js");
  const named = CLIENTS.filter(({ id }) => options[id] === true).map(({ id }) => id);
  const done = setUp({
    clients: named,
    dryRun: options["dry-run"] === true,
    undo: options.undo === true,
    npx: options.npx === true,
  });
  return options.json === true ? `${JSON.stringify(done)}\n` : report(done);
}
