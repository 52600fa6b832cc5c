// Counts what an agent reads until the answer is on the table: issues with the functions of their fixes, and callers that a compiler knows, asked
// by scripted strategies. No model takes part. Prints tables in Markdown; `cargo xtask bench replay` puts them into docs/benchmarks.md.
//
//     node tests/benches/replay.mjs TRUTH REPOSITORIES CLONES [--issues N] [--questions N] [--codegraph PROGRAM] [--gitnexus PROGRAM]
//
// TRUTH has localise/issues.jsonl and graph/truth/NAME.tsv.gz, REPOSITORIES has graph/NAME, CLONES has OWNER+NAME/repo, a git directory.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

import { grepWholeFiles, grepWindows } from "./replay/grep.mjs";
import { Peer, Portolan } from "./replay/tools.mjs";
import { exportCommit, issuesOf, questionsOf, sourcesIn } from "./replay/truth.mjs";
import { quantile } from "./times.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    issues: { type: "string" },
    questions: { type: "string" },
    codegraph: { type: "string" },
    gitnexus: { type: "string" },
  },
});
const [truth, repositories, clones] = positionals.map((place) => resolve(place));
const N_ISSUES = Number(values.issues ?? 60);
const N_QUESTIONS = Number(values.questions ?? 40);
const BUDGETS = [1_000, 4_000, 16_000];
/** Programs of other tools by their names. */
const PEERS = Object.entries({ codegraph: values.codegraph, GitNexus: values.gitnexus }).filter(
  ([, program]) => program !== undefined,
);

// Data of the runs, the history of searches included, is nobody else's.
const work = mkdtempSync(join(tmpdir(), "replay-"));
process.env.HOME = process.env.PORTOLAN_HOME = join(work, "home");
mkdirSync(process.env.HOME);
delete process.env.NODE_EXTRA_CA_CERTS;
// Other tools want a newer Node than ours, and send no messages to anybody.
const { PORTOLAN_NODE22: node, PATH } = process.env;
if (node) process.env.PATH = `${dirname(node)}${delimiter}${PATH}`;
process.env.CODEGRAPH_TELEMETRY = "0";
process.env.DO_NOT_TRACK = "1";

try {
  const parts = [
    [await replayIssues(), "issues", "a function of the fix"],
    [await replayQuestions(), "questions", "every caller"],
  ].filter(([efforts]) => efforts.size > 0);
  const tables = parts.flatMap(([efforts, noun, answer]) => [
    describe(efforts, noun, answer),
    whereGrepIsEnough(efforts, noun),
  ]);
  console.log(tables.join("\n\n"));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Efforts of each strategy by its name; each entry is about the same issue as in the others. */
async function replayIssues() {
  const efforts = new Map();
  const folder = join(work, "issues");
  for (const issue of issuesOf(truth, clones, N_ISSUES)) {
    if (!exportCommit(issue, folder)) {
      process.stderr.write(`left out, the clone lacks files of it: ${issue.instance_id}\n`);
      continue;
    }
    const sources = sourcesIn(folder);
    const text = issue.problem_statement;
    const [title] = text.trim().split("\n");
    const goal = { wanted: issue.wanted, n_needed: 1 };
    const ours = await Portolan.open(folder);
    const ways = {
      "grep, then whole files": () => grepWholeFiles(sources, title, goal),
      "grep, then windows": () => grepWindows(sources, title, goal, 5),
      "`search` with the title": () => ours.asked(goal, pages("search", { query: title })),
      "`locate` with the whole text": () => ours.asked(goal, [["locate", { text }]]),
      "hook at the prompt": () => ours.hooked(goal, { hook_event_name: "UserPromptSubmit", prompt: text }),
      "hook at the prompt, else `locate`": () =>
        ours.hooked(goal, { hook_event_name: "UserPromptSubmit", prompt: text }, [["locate", { text }]]),
    };
    await runAll(efforts, ways);
    await ours.close();
    process.stderr.write(`${issue.instance_id}: ${lastOf(efforts)}\n`);
  }
  return efforts;
}

async function replayQuestions() {
  const efforts = new Map();
  const all = questionsOf(truth, N_QUESTIONS);
  for (const name of new Set(all.map(({ repository }) => repository))) {
    const folder = join(work, name);
    const sources = sourcesIn(join(repositories, "graph", name), folder);
    const ours = await Portolan.open(folder);
    const peers = [];
    for (const [peer, program] of PEERS) peers.push(await Peer.open(peer, resolve(program), folder));
    for (const { symbol, path, callers } of all.filter(({ repository }) => repository === name)) {
      const goal = { wanted: callers, n_needed: callers.length };
      const words = `callers of ${symbol}`;
      const selector = `${path}#${symbol}`;
      const ways = {
        "grep, then whole files": () => grepWholeFiles(sources, symbol, goal),
        "grep, then windows": () => grepWindows(sources, symbol, goal),
        "`search` in words": () => ours.asked(goal, pages("search", { query: words })),
        "`code_intelligence`, callers": () =>
          ours.asked(goal, pages("code_intelligence", { command: "callers", symbol: selector, limit: 100 }, 1)),
        "`context`": () => ours.asked(goal, pages("context", { symbol: selector, limit: 50 })),
        "hook at the search": () =>
          ours.hooked(goal, { hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: symbol } }),
        ...Object.fromEntries(peers.map((peer) => [peer.name, () => peer.asked(goal, peer.calls({ symbol, words }))])),
      };
      await runAll(efforts, ways);
      process.stderr.write(`${name} ${symbol}: ${lastOf(efforts)}\n`);
    }
    await ours.close();
    for (const peer of peers) await peer.close();
  }
  return efforts;
}

async function runAll(efforts, ways) {
  for (const [name, run] of Object.entries(ways)) {
    const list = efforts.get(name) ?? [];
    efforts.set(name, list);
    list.push(await run());
  }
}

/** A call, and as many more with the cursor of the one before. */
function pages(tool, args, most = 3) {
  return Array.from({ length: most }, (_, at) => [tool, args, at > 0]);
}

function lastOf(efforts) {
  const shown = ({ n_tokens, n_calls, has_found }) => `${has_found ? "" : "not "}${n_tokens}/${n_calls}`;
  return [...efforts.values()].map((list) => shown(list.at(-1))).join(" ");
}

function describe(efforts, noun, answer) {
  const n = [...efforts.values()][0]?.length ?? 0;
  const rows = [...efforts].map(([name, list]) => {
    const share = (keep) => `${Math.round((100 * list.filter(keep).length) / n)} %`;
    const median = (of, from = list) => (from.length === 0 ? "–" : Math.round(quantile(from.map(of), 0.5)));
    const found = list.filter(({ has_found }) => has_found);
    return `| ${[
      name,
      share(({ has_found }) => has_found),
      median(({ n_tokens }) => n_tokens),
      median(({ n_tokens }) => n_tokens, found),
      (list.reduce((sum, { n_calls }) => sum + n_calls, 0) / n).toFixed(1),
      ...BUDGETS.map((most) => share(({ has_found, n_tokens }) => has_found && n_tokens <= most)),
    ].join(" | ")} |`;
  });
  return [
    `${n} ${noun}: tokens and calls until ${answer} is on the table`,
    "",
    `| strategy | found | tokens, median | where found | calls, mean | ${BUDGETS.map((most) => `within ${most}`).join(" | ")} |`,
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...rows,
  ].join("\n");
}

/** Those in which reading with grep costs no more than the cheapest of our tools. */
function whereGrepIsEnough(efforts, noun) {
  const isGrep = (name) => name.startsWith("grep");
  const cheapest = (at, mine) =>
    Math.min(
      ...[...efforts]
        .filter(([name]) => isGrep(name) !== mine && !PEERS.some(([peer]) => peer === name))
        .map(([, list]) => list[at])
        .filter(({ has_found }) => has_found)
        .map(({ n_tokens }) => n_tokens),
    );
  const n = [...efforts.values()][0]?.length ?? 0;
  const at = Array.from({ length: n }, (_, number) => ({
    grep: cheapest(number, false),
    ours: cheapest(number, true),
  }));
  const cheaper = at.filter(({ grep, ours }) => grep <= ours && grep < Infinity).length;
  const small = at.filter(({ grep }) => grep <= BUDGETS[1]).length;
  const only = at.filter(({ grep, ours }) => grep < Infinity && ours === Infinity).length;
  return `Of the ${n} ${noun}, grep found the answer within ${BUDGETS[1]} tokens in ${small}, was no dearer than the cheapest of ours in ${cheaper}, and found it where none of ours did in ${only}.`;
}
