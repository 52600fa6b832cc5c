// A large folder indexed in shards, by the native program or in WebAssembly, and questions to the index in one Node process. Time, processor time,
// highest memory of a process, sizes and answers as one JSON line on standard output. The native program then makes the index again with one file
// more, which is written into FOLDER and removed.
//
//     node tests/benches/shards.mjs FOLDER native|wasm (--shards N | --memory-budget MB) [--no-embeddings] [QUESTION…]
//
// A QUESTION is a tool and its request: 'callers {"symbol":"kmalloc"}'. PORTOLAN_NATIVE names the native program.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
/** Times that each question is asked again. */
const N_WARM = 5;
const POLL_MS = 200;
/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

const [folder, engine, ...rest] = process.argv.slice(2);
const questions = rest.filter((argument) => argument.includes("{"));
const options = rest.filter((argument) => !argument.includes("{"));
const keep = process.env.PORTOLAN_BENCH_INDEX;
const out = keep === undefined ? mkdtempSync(join(tmpdir(), "portolan-bench-")) : keep;
const file = join(out, "index.portolan");
try {
  const made = options.includes("--asked-only") ? undefined : await indexed();
  const answered = await asked();
  const again = made && engine === "native" ? await withOneMore() : undefined;
  console.log(JSON.stringify({ load: loadavg()[0], ...made, ...answered, again }));
} finally {
  if (keep === undefined) rmSync(out, { recursive: true, force: true });
}

/** Runs `portolan index`, and looks at the memory of its process, which for the native engine is a child of it. */
async function indexed() {
  const args = ["index", folder, "--output", file, "--engine", engine, "--json", "--quiet", ...options];
  const started = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => (text += piece));
  let peak = 0;
  const used = new Map();
  const poll = setInterval(() => {
    for (const pid of [child.pid, ...childrenOf(child.pid)]) {
      peak = Math.max(peak, highest(pid));
      used.set(pid, Math.max(used.get(pid) ?? 0, processorSeconds(pid)));
    }
  }, POLL_MS);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(poll);
  if (code !== 0) throw new Error(`portolan ${args.join(" ")} ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  const cpu_seconds = Math.round([...used.values()].reduce((sum, n) => sum + n, 0));
  return { ...JSON.parse(text), seconds: Number(seconds.toFixed(1)), cpu_seconds, index_peak_mb: peak };
}

/** Makes the index again, with one file more. */
async function withOneMore() {
  const added = join(folder, `portolan-bench-${process.pid}.c`);
  writeFileSync(added, "int portolan_bench(void)\n{\n\treturn 1;\n}\n", { flag: "wx" });
  try {
    return await indexed();
  } finally {
    rmSync(added);
  }
}

/** Asks each question cold, then warm. */
async function asked() {
  const started = performance.now();
  const index = await Portolan.open(file, { cache: { seconds: 0 } });
  const opened_ms = Math.round(performance.now() - started);
  const answers = [];
  for (const question of questions) {
    const at = question.indexOf("{");
    const [tool, request] = [question.slice(0, at).trim(), JSON.parse(question.slice(at))];
    const times = [];
    let answer;
    for (let n = 0; n <= N_WARM; n++) {
      const began = performance.now();
      answer = await index.ask(tool, request).catch(({ code, message }) => ({ code, message }));
      times.push(Number((performance.now() - began).toFixed(1)));
    }
    const [cold, ...warm] = times;
    answers.push({ question, cold_ms: cold, warm_ms: warm.sort((a, b) => a - b)[N_WARM >> 1], answer: short(answer) });
  }
  index.close();
  return { opened_ms, answers, ask_peak_mb: highest(process.pid) };
}

/** The beginning of an answer. */
function short(answer) {
  return JSON.stringify(answer).slice(0, 600);
}

/** The highest resident memory of a process so far, in megabytes. */
function highest(pid) {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Math.round(Number(line?.[1] ?? 0) / 1000);
  } catch {
    return 0; // it has ended
  }
}

/** Processor time of a process so far, in seconds; its children are asked for theirs. */
function processorSeconds(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) / TICKS;
  } catch {
    return 0; // it has ended
  }
}

/** A process is started by any of the threads of another. */
function childrenOf(pid) {
  const children = (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ");
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(children).filter(Boolean).map(Number);
  } catch {
    return []; // it has ended
  }
}
