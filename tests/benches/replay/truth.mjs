// The issues and questions, their right answers, and the files that they are about.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

import { spread } from "../questions.mjs";

const MAX_FILE = 1024 * 1024;
/** Callers that a question may have: one is no list, and more than twenty no agent reads. */
const CALLERS = [2, 20];
/** Four bytes are a token, as in the other benches. */
const TOKEN_BYTES = 4;

export function tokensOf(text) {
  return Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES);
}

/** Whether a text has the name as a word of its own. */
export function wordIn(text, name) {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + name.length] ?? "")) return true;
  return false;
}

/** Issues of which there is a clone, evenly over the file. */
export function issuesOf(truth, clones, n) {
  const lines = readFileSync(join(truth, "localise/issues.jsonl"), "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line)).map((issue) => ({ ...issue, git: gitOf(clones, issue.repo) }));
  const here = all.filter(({ git, gold_functions }) => existsSync(git) && gold_functions.length > 0);
  // Those of one repository after each other, so that an update makes the next index.
  return spread(here, n)
    .sort((a, b) => (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0))
    .map((issue) => ({ ...issue, wanted: issue.gold_functions.map(placeOf) }));
}

function gitOf(clones, repo) {
  return join(clones, repo.replace("/", "+"), "repo");
}

/** `file:Class.method` */
function placeOf(gold) {
  const [path, qualified] = gold.split(":");
  const name = qualified.split(".").at(-1);
  return { path, name, defines: new RegExp(`\\b(?:def|class)\\s+${name}\\b`) };
}

/** Writes the files of the issue's commit; returns whether those of its fix are among them. */
export function exportCommit({ git, base_commit, gold_files }, folder) {
  if (existsSync(folder))
    for (const name of readdirSync(folder)) if (name !== ".portolan") rmSync(join(folder, name), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const run = (args, input) => spawnSync("git", ["--git-dir", git, ...args], { input, maxBuffer: 2 ** 31 - 1 }).stdout;
  const entries = run(["ls-tree", "-r", "-z", "-l", base_commit])
    .toString("utf8")
    .split("\0")
    .map((entry) => /^100\d+ blob (\w+) +(\d+)\t(.+)$/s.exec(entry))
    .filter((entry) => entry && Number(entry[2]) <= MAX_FILE && !entry[3].split("/").includes(".."));
  const blobs = run(["cat-file", "--batch"], entries.map(([, hash]) => `${hash}\n`).join(""));
  let at = 0;
  for (const [, , , path] of entries) {
    const end = blobs.indexOf(10, at);
    const [, kind, size] = blobs.subarray(at, end).toString("utf8").split(" ");
    at = end + 1;
    if (kind !== "blob") continue;
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, blobs.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return gold_files.every((path) => existsSync(join(folder, path)));
}

/** The texts of a folder, copied before where `to` is given; folders whose names begin with a dot are left out. */
export function sourcesIn(folder, to) {
  if (to !== undefined) cpSync(folder, to, { recursive: true });
  const found = [];
  const walk = (path) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") walk(below);
      else if (entry.isFile()) {
        const bytes = readFileSync(join(folder, below));
        if (bytes.length <= MAX_FILE && !bytes.subarray(0, 8_000).includes(0))
          found.push({ path: below, lines: bytes.toString("utf8").split("\n") });
      }
    }
  };
  walk("");
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Functions with their callers as compilers know them: the same share of each repository, names that only one definition has. */
export function questionsOf(truth, n) {
  const folder = join(truth, "graph/truth");
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.tsv\.gz$/.exec(file)?.[1] ?? []);
  const each = Math.ceil(n / names.length);
  return names.flatMap((repository) => spread(ofRepository(repository, folder), each)).slice(0, n);
}

function ofRepository(repository, folder) {
  const [head, ...lines] = gunzipSync(readFileSync(join(folder, `${repository}.tsv.gz`)))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const rows = lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at]])));
  const functions = new Map();
  const places = new Map();
  const callerFiles = new Map();
  for (const row of rows) {
    const { callee_file: path, callee_name: symbol } = row;
    callerFiles.set(row.caller_name, (callerFiles.get(row.caller_name) ?? new Set()).add(row.caller_file));
    places.set(symbol, (places.get(symbol) ?? new Set()).add(path));
    if (row.is_call !== "1" || row.callee_kind !== "function" || row.caller_name === "<file>") continue;
    const callers = functions.get(`${path}#${symbol}`) ?? { repository, symbol, path, callers: new Map() };
    callers.callers.set(`${row.caller_file}#${row.caller_name}`, { path: row.caller_file, name: row.caller_name });
    functions.set(`${path}#${symbol}`, callers);
  }
  return [...functions.values()]
    .map((one) => ({
      ...one,
      callers: [...one.callers.values()].map((caller) => ({
        ...caller,
        isUnique: callerFiles.get(caller.name).size === 1,
      })),
    }))
    .filter(
      ({ symbol, callers: { length } }) =>
        length >= CALLERS[0] && length <= CALLERS[1] && places.get(symbol).size === 1,
    )
    .sort((a, b) => (a.path + a.symbol < b.path + b.symbol ? -1 : 1));
}
