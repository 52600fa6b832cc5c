// Differential test: what two builds of the package answer to the same questions about the same folders, answer by answer.
//
//     node tests/benches/answers.mjs ask PACKAGE OUT.json FOLDER…      indexes each folder, asks, writes the answers
//     node tests/benches/answers.mjs compare BEFORE.json AFTER.json    tells each answer that differs; exit code 1 if any does
//
// PACKAGE is the folder of a built package (`pkg`), of this or of another checkout. A change that is to keep all answers is held
// against the commit before it.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { questions, spread } from "./questions.mjs";

const N_NAMES = 25;
const N_FILES = 6;
const N_QUESTIONS = 20;
/** Times differ from run to run. */
const OF_THE_CLOCK = /^(took_|elapsed|millis|time_ms|processing_time|indexed_at|built_at|saved_at|timestamp)/;

const [command, ...args] = process.argv.slice(2);
if (command === "ask") await ask(...args);
else if (command === "compare") process.exitCode = await compare(...args);
else throw new Error("the first argument is `ask` or `compare`");

async function ask(packageFolder, out, ...folders) {
  const { Portolan } = await load(packageFolder);
  const all = {};
  for (const folder of folders) {
    const index = await Portolan.index(folder);
    await index.complete;
    const answers = await answersOf(index);
    index.close();
    all[basename(resolve(folder))] = answers;
    console.error(`${folder}: ${Object.keys(answers).length} answers`);
  }
  await writeFile(out, JSON.stringify(all));
}

async function load(folder) {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const main = exports["."];
  const file = main.node?.default ?? main.node?.import ?? main.node ?? main.default;
  return import(pathToFileURL(resolve(folder, file)));
}

async function answersOf(index) {
  const answers = {};
  const put = async (method, request) => {
    const key = `${method} ${JSON.stringify(request)}`;
    try {
      answers[key] = withoutTimes(await index[camelCase(method)](request));
    } catch (error) {
      if (!error.code) throw error;
      answers[key] = { error: error.code };
    }
  };
  const rows = async (query) => (await index.cypher({ query })).rows;
  const names = await rows(
    "MATCH (f) WHERE f.startLine > 0 AND NOT f:File RETURN DISTINCT f.name AS name ORDER BY name LIMIT 5000",
  ).catch(() => []);
  const symbols = spread(names.flat().filter(Boolean), N_NAMES);
  const { files } = await index.files();
  const paths = spread(
    files.map(({ path }) => path),
    N_FILES,
  );
  for (const query of [...spread(questions, N_QUESTIONS), ...symbols]) {
    await put("search", { query, limit: 10, explain: true });
    await put("search", { query, limit: 10, mode: "lexical" });
    await put("assemble", { query, max_tokens: 1500 });
    await put("query", { query });
  }
  for (const symbol of symbols) {
    for (const method of ["find", "references", "callees", "context"]) await put(method, { symbol });
    await put("callers", { symbol, depth: 3 });
    await put("impact", { symbol, depth: 4 });
    await put("rename", { symbol, new_name: "renamed_here" });
    await put("traverse", { from: symbol, direction: "in", edges: ["CALLS"], depth: 2 });
    await put("subgraph", { from: symbol, depth: 1 });
    await put("find_chunks_for_symbol", { symbol });
    await put("get_callers_as_results", { symbol, depth: 2, limit: 5 });
    await put("get_callees_as_results", { symbol });
    await put("regex", { pattern: `\\b${symbol.replace(/\W/g, "\\$&")}\\b`, limit: 20 });
  }
  for (const [n, from] of symbols.entries()) {
    const to = symbols[(n + 7) % symbols.length];
    await put("trace", { from, to });
    await put("paths", { from, to });
  }
  for (const path of paths) {
    for (const method of ["outline", "chunks", "text"]) await put(method, path);
    for (const line of [3, 20, 60]) {
      await put("definition", { path, line, character: 8 });
      await put("link_lsp_to_chunk", { path, line, character: 8 });
    }
    await put("detect_changes", { after: [{ path, text: null }] });
  }
  await put("cycles", { edges: ["CALLS"], limit: 20 });
  await put("cycles", { edges: ["IMPORTS"], limit: 20 });
  await put("processes", { limit: 50 });
  await put("communities", { limit: 50 });
  await put("map", { max_tokens: 3000 });
  answers.files = withoutTimes(files);
  for (const query of [
    "MATCH (a)-[r]->(b) RETURN type(r) AS type, count(r) AS n ORDER BY type",
    "MATCH (a)-[r:CALLS]->(b) RETURN a.name AS a, b.name AS b, r.confidence AS c, r.reason AS r ORDER BY a, b, c, r LIMIT 4000",
    "MATCH (a)-[r:IMPORTS]->(b) RETURN a.name AS a, b.name AS b ORDER BY a, b LIMIT 2000",
  ])
    await put("cypher", { query });
  return answers;
}

function withoutTimes(value) {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !OF_THE_CLOCK.test(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutTimes(part)]));
}

async function compare(beforeFile, afterFile) {
  const [before, after] = await Promise.all(
    [beforeFile, afterFile].map(async (file) => JSON.parse(await readFile(file, "utf8"))),
  );
  let n = 0;
  let differ = 0;
  for (const [folder, answers] of Object.entries(before))
    for (const [question, answer] of Object.entries(answers)) {
      n += 1;
      const now = after[folder]?.[question];
      if (isDeepStrictEqual(answer, now)) continue;
      differ += 1;
      if (differ <= 40) console.log(`${folder}: ${question}\n  ${difference(answer, now)}`);
    }
  console.log(`${n} answers, ${differ} differ`);
  return differ === 0 ? 0 : 1;
}

/** Where two answers differ first. */
function difference(before, after, path = "") {
  if (before === null || after === null || typeof before !== "object" || typeof after !== "object")
    return `${path}: ${short(before)} → ${short(after)}`;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!isDeepStrictEqual(before[key], after[key])) return difference(before[key], after[key], `${path}/${key}`);
  return `${path}: the same`;
}

function short(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function camelCase(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
