/** Commands for agents: the server, and what tells their programs about it. */

import type { Command } from "../commands/options.js";
import { packageVersion } from "./version.js";

export async function mcp({ operands, options }: Command): Promise<void> {
  const { serveMcp } = await import("../mcp/stdio.js");
  const only = options.index === undefined ? operands : [options.index, ...operands];
  await serveMcp({
    version: packageVersion(),
    cwd: process.env.CLAUDE_PROJECT_DIR ?? process.cwd(),
    only,
    config: options.config,
  });
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
