// ripwire by the truths of the graph and of localisation: node ripwire.mjs PROGRAM TRUTH DATA CLONES
//
// Its map tells the names that a symbol calls, not which definitions, so each function of the files that the truth covers is asked for its callees
// (`--callees=FILE:NAME`). An issue is asked as its own benchmark does: `--for=TEXT --format=candidates`, files and functions in the order of their rows.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { exportCommit, issuesOf } from "./replay/truth.mjs";

const REPOSITORIES = ["hono", "fastapi", "axum"];
const PROCESSES = 2;
/** Linux allows 128 KiB an argument. */
const MAX_ARGUMENT = 120_000;
const N_CANDIDATES = 200;
/** The rest of the file is a reserve. */
const N_ISSUES = 155;
const RANKS = [1, 3, 5, 10];

const [program, truth, data, clones] = process.argv.slice(2);
const run = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "portolan-ripwire-"));

async function ask(folder, ...flags) {
  const options = { cwd: folder, maxBuffer: 2 ** 30, env: { ...process.env, TMPDIR: scratch } };
  // It exits with 1 where it knows no such symbol.
  return run(program, [".", ...flags], options).then(
    ({ stdout }) => stdout,
    () => "",
  );
}

const pathOf = (place) => place.replace(/^\.\//, "").replace(/:\d+$/, "");
const lineOf = (place) => Number(/:(\d+)$/.exec(place)?.[1] ?? 0);

/** Calls `work` for each item, a few at a time. */
async function each(items, work) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Its call edges in the lines that the scorer reads. */
async function edgesOf(name) {
  const folder = join(data, "graph", name);
  const covered = new Set(
    readFileSync(join(truth, "graph/truth", `${name}.files.tsv`), "utf8")
      .split("\n")
      .map((line) => line.split("\t")[0]),
  );
  const map = JSON.parse(await ask(folder, "--json", "--top-k=1000000"));
  const asked = new Map();
  for (const { p, s } of map.r)
    if (covered.has(pathOf(p)))
      for (const { n, c } of s) if (c.length > 0) asked.set(`${p}:${n}`, { caller_file: pathOf(p), caller_name: n });
  const edges = [];
  await each([...asked], async ([symbol, caller]) => {
    const answer = await ask(folder, `--callees=${symbol}`, "--json", "--limit=100000");
    for (const { n, p } of answer === "" ? [] : JSON.parse(answer).callees)
      edges.push({ ...caller, callee_file: pathOf(p), callee_name: n, callee_line: lineOf(p), kind: "CALLS" });
  });
  return edges.map((edge) => `${JSON.stringify(edge)}\n`).join("");
}

async function graph() {
  const files = [];
  for (const name of REPOSITORIES) {
    const file = join(scratch, `${name}.jsonl`);
    writeFileSync(file, await edgesOf(name));
    files.push(`${name}=${file}`);
  }
  const { stdout } = await run("python3", [join(truth, "graph/score.py"), "--scope", "nontest", ...files], {
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

/** The candidates for a text: files, and functions as `file:Class.method`, each once. */
async function candidates(folder, text) {
  let asked = text.replaceAll("\0", " ").trim();
  while (Buffer.byteLength(asked) > MAX_ARGUMENT) asked = asked.slice(0, asked.length - 1000);
  const answer = await ask(folder, `--for=${asked}`, "--format=candidates", `--top-k=${N_CANDIDATES}`);
  const rows = [...answer.matchAll(/<cand [^>]*? n="([^"]*)" id="([^"]*)"[^>]*? p="([^"]*)"/g)];
  const found = rows.map(([, name, id, path]) => ({
    path: pathOf(path),
    name: id.split("::").slice(1).join(".") || name,
  }));
  return {
    files: [...new Set(found.map(({ path }) => path))],
    functions: [...new Set(found.map(({ path, name }) => `${path}:${name}`))],
  };
}

/** A function by its file and last name: its identifiers leave classes out where a name is unique. */
const short = (place) => place.replace(/:.*\./, ":");

async function localise() {
  const folder = join(scratch, "commit");
  const kinds = { "whole issue": (text) => text, "title only": (text) => text.trim().split("\n")[0] };
  const rows = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  const measured = new Set(
    readFileSync(join(truth, "localise/issues.jsonl"), "utf8")
      .split("\n", N_ISSUES)
      .map((line) => JSON.parse(line).instance_id),
  );
  for (const issue of issuesOf(truth, clones, Number.MAX_SAFE_INTEGER)) {
    if (!measured.has(issue.instance_id) || !exportCommit(issue, folder)) continue;
    for (const [kind, textOf] of Object.entries(kinds)) {
      const { files, functions } = await candidates(folder, textOf(issue.problem_statement));
      const first = new Set(functions.slice(0, 10).map(short));
      const found = issue.gold_functions.filter((place) => first.has(short(place)));
      rows[kind].push({
        strict: RANKS.map((rank) => issue.gold_files.every((path) => files.slice(0, rank).includes(path))),
        functions: found.length / issue.gold_functions.length,
      });
    }
  }
  const percent = (share) => (100 * share).toFixed(1);
  const mean = (values) => values.reduce((sum, value) => sum + Number(value), 0) / values.length;
  const lines = Object.entries(rows).map(([kind, of]) => {
    const ranks = RANKS.map((_, at) => percent(mean(of.map(({ strict }) => strict[at]))));
    return `| ${kind} | ${of.length} | ${ranks.join(" | ")} | ${percent(mean(of.map(({ functions }) => functions)))} |`;
  });
  return ["| question | issues | @1 | @3 | @5 | @10 | functions@10 |", "|---|--:|--:|--:|--:|--:|--:|", ...lines].join(
    "\n",
  );
}

try {
  console.log(await localise());
  console.log(`\n\`\`\`\n${(await graph()).trim()}\n\`\`\``);
} finally {
  rmSync(scratch, { recursive: true });
}
