// Strategies with an index: servers of tools over MCP, and our hook.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { tokensOf, wordIn } from "./truth.mjs";

const BIN = fileURLToPath(new URL("../../../pkg/bin/portolan.js", import.meta.url));

/** A server of tools in a folder. */
class Server {
  constructor(client, folder) {
    this.client = client;
    this.folder = folder;
  }

  static async started(command, args, folder) {
    const transport = new StdioClientTransport({ command, args, cwd: folder, env: process.env, stderr: "ignore" });
    const client = new Client({ name: "bench", version: "1.0.0" });
    await client.connect(transport);
    return client;
  }

  /** Makes these calls until the answer is on the table; one that goes on needs the cursor of the one before. */
  async asked({ wanted, n_needed }, calls, before = { n_tokens: 0, n_calls: 0, text: "" }) {
    let { n_tokens, n_calls, text } = before;
    let cursor;
    const isEnough = () => shownIn(text, wanted) >= n_needed;
    for (const [name, args, goesOn] of calls) {
      if (isEnough() || (goesOn && cursor === undefined)) break;
      const given = { name, arguments: goesOn ? { ...args, cursor } : args };
      const { content, structuredContent } = await this.client.callTool(given, { timeout: 120_000 });
      const answer = content.map((part) => part.text ?? "").join("\n");
      cursor = structuredContent?.next_cursor;
      n_calls++;
      n_tokens += tokensOf(answer);
      text += `\n${answer}`;
    }
    return { n_tokens, n_calls, has_found: isEnough() };
  }

  close() {
    return this.client.close();
  }
}

/** Number of the wanted places that a text names: path and name, or the name alone where nothing else has it. */
function shownIn(text, wanted) {
  return wanted.filter(({ path, name, isUnique }) => {
    const hasName = name === undefined || wordIn(text, name);
    return hasName && (text.includes(path) || isUnique === true);
  }).length;
}

export class Portolan extends Server {
  static async open(folder) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, "index", folder, "--quiet"], { encoding: "utf8" });
    if (status !== 0) throw new Error(`portolan index: ${stderr}`);
    return new Portolan(await Server.started(process.execPath, [BIN, "mcp", "--no-watch", folder], folder), folder);
  }

  /** The text that the hook adds to what the agent does anyway; then calls, where that was not enough. */
  async hooked(goal, event, calls = []) {
    const input = JSON.stringify({ cwd: this.folder, ...event });
    const { stdout } = spawnSync(process.execPath, [BIN, "hook"], { input, encoding: "utf8" });
    const text = stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
    return this.asked(goal, calls, { n_tokens: tokensOf(text), n_calls: 0, text });
  }
}

/** How other tools index a folder, start their server, and are asked who calls a function. */
const PEERS = {
  codegraph: {
    index: ["init", "."],
    serve: ["serve", "--mcp"],
    calls: ({ words }) => [["codegraph_explore", { query: words }]],
  },
  GitNexus: {
    index: ["analyze", "."],
    serve: ["mcp"],
    calls: ({ symbol }) => [["context", { name: symbol }]],
  },
};

/** The server of another tool, over its own index. */
export class Peer extends Server {
  static async open(name, program, folder) {
    const { index, serve, calls } = PEERS[name];
    const run = (command, args) => spawnSync(command, args, { cwd: folder, encoding: "utf8", env: process.env });
    // Both index what git has.
    if (!existsSync(join(folder, ".git"))) {
      run("git", ["init", "--quiet"]);
      run("git", ["add", "--all"]);
      run("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "All"]);
    }
    const { status, stderr } = run(program, index);
    if (status !== 0) throw new Error(`${program} ${index.join(" ")}: ${stderr}`);
    const peer = new Peer(await Server.started(program, serve, folder), folder);
    peer.name = name;
    peer.calls = calls;
    return peer;
  }
}
