// An agent waits for these: the hook, a question on the command line, the start of the MCP server, and its answers, through the real
// programs. One JSON line on standard output.
//
//     node tests/benches/agents.mjs FOLDER               FOLDER/.portolan/index.portolan is asked
//     node tests/benches/agents.mjs FOLDER PROGRAM ARG…  another MCP server, started in FOLDER, with the names of the index
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Portolan } from "portolan";

import { spread, words } from "./questions.mjs";
import { quantile } from "./times.mjs";

// Node reads these certificates in each process, 30 ms for those of Debian: on a machine that sets this, the bench would measure that.
delete process.env.NODE_EXTRA_CA_CERTS;

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const N_STARTS = 11;
const N_NAMES = 30;
const N_ROUNDS = 3;

const [folder, program, ...args] = [resolve(process.argv[2]), ...process.argv.slice(3)];
const index = await Portolan.open(join(folder, ".portolan/index.portolan"));
const called = (await index.edges()).filter((edge) => edge.kind === "CALLS").map((edge) => edge.callee_name);
index.close();
const names = spread([...new Set(called)].filter((name) => name.length > 3).sort(), N_NAMES);

const row =
  program === undefined
    ? { ...starts(), ...(await server(process.execPath, [BIN, "mcp", folder])) }
    : await server(program, args);
for (const key in row) row[key] = Math.round(row[key] * 100) / 100;
console.log(JSON.stringify(row));

/** Commands that start, answer and end: wall time and processor time of all their threads. */
function starts() {
  const event = (pattern) =>
    JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern }, cwd: folder });
  const node = timed(() => spawnSync(process.execPath, ["-e", "0"]));
  const hook = timed((number) =>
    spawnSync(process.execPath, [BIN, "hook"], { input: event(names[number % names.length]) }),
  );
  const silent = timed(() => spawnSync(process.execPath, [BIN, "hook"], { input: event("zz") }));
  const find = timed((number) =>
    spawnSync(process.execPath, [BIN, "find", names[number % names.length], "--json"], { cwd: folder }),
  );
  const search = timed((number) =>
    spawnSync(process.execPath, [BIN, "search", words(names[number % names.length]), "--json"], { cwd: folder }),
  );
  return {
    node_ms: node.wall,
    node_cpu_ms: node.cpu,
    hook_ms: hook.wall,
    hook_cpu_ms: hook.cpu,
    hook_silent_ms: silent.wall,
    hook_silent_cpu_ms: silent.cpu,
    find_ms: find.wall,
    find_cpu_ms: find.cpu,
    search_ms: search.wall,
    search_cpu_ms: search.cpu,
  };
}

function timed(run) {
  const walls = [];
  run(0);
  const before = childTime();
  for (let number = 0; number < N_STARTS; number++) {
    const start = performance.now();
    run(number);
    walls.push(performance.now() - start);
  }
  return { wall: quantile(walls, 0.5), cpu: (childTime() - before) / N_STARTS };
}

/** Milliseconds of processor time that ended children took; Linux tells it. */
function childTime() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return NaN;
  }
}

/** From starting the server to its list of tools; then questions, warm. */
async function server(command, args) {
  const start = performance.now();
  const transport = new StdioClientTransport({ command, args, cwd: folder, env: process.env, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const ready = performance.now() - start;
  const questions = {
    // Another limit in each round: a server may keep its answers, and these times are those of new questions.
    search: (name, round) =>
      question(tools, [
        ["search", { query: words(name), limit: 10 + round }],
        ["query", { query: words(name) }],
        ["codegraph_explore", { query: words(name) }],
      ]),
    context: (name) =>
      question(tools, [
        ["context", { symbol: name }],
        ["context", { name }],
      ]),
    impact: (name, round) =>
      question(tools, [
        ["impact", { symbol: name, depth: 3, limit: 50 + round }],
        ["impact", { target: name, direction: "upstream" }],
      ]),
    cypher: (name) =>
      question(tools, [
        [
          "cypher",
          { query: `MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c {name: '${name}'}) RETURN DISTINCT a.name, b.name LIMIT 100` },
        ],
      ]),
  };
  const times = {};
  for (const [kind, ask] of Object.entries(questions)) {
    const one = ask(names[0], 0);
    if (one === undefined) continue;
    const taken = [];
    let n_bytes = 0;
    for (let round = 0; round < N_ROUNDS; round++) {
      for (const name of names) {
        const started = performance.now();
        const answer = await client.callTool(ask(name, round)).catch(() => undefined);
        if (round === 0) continue;
        taken.push(performance.now() - started);
        n_bytes += (answer?.content ?? []).reduce((total, { text }) => total + (text?.length ?? 0), 0);
      }
    }
    Object.assign(times, {
      [`${kind}_p50_ms`]: quantile(taken, 0.5),
      [`${kind}_p95_ms`]: quantile(taken, 0.95),
      [`${kind}_text_bytes`]: n_bytes / taken.length,
    });
  }
  const memory = memoryOf(transport.pid);
  await client.close();
  return {
    mcp_ready_ms: ready,
    tools: tools.length,
    tools_bytes: JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } }).length,
    memory_mb: memory,
    ...times,
  };
}

/** The question as this server takes it: the arguments of which it knows all. */
function question(tools, ways) {
  for (const [name, args] of ways) {
    const known = tools.find((tool) => tool.name === name)?.inputSchema.properties;
    if (known && Object.keys(args).every((key) => key in known)) return { name, arguments: args };
  }
  const cypher = ways.find(([name]) => name === "cypher");
  return cypher && tools.some(({ name }) => name === "cypher") ? { name: "cypher", arguments: cypher[1] } : undefined;
}

function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return NaN;
  }
}
