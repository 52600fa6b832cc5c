//! The overview's questions to the index, answered as one object, so that it is drawn at once.

import type { CodeIndex, CommunitySummary, ProcessSummary, SymbolRef } from "portolan";
import { readmeAmong } from "../readme/links.ts";
import { type About, aboutOf, manifestsAmong } from "./about.ts";
import { type Question, questionsOf, tried } from "./questions.ts";

/** A file that is both complex and much used. */
export interface HotFile {
  readonly path: string;
  readonly complexity: number;
  readonly users: number;
}

/** Everything that the overview says about a repository. */
export interface Facts {
  readonly about: About;
  readonly flows: readonly ProcessSummary[];
  readonly central: readonly SymbolRef[];
  readonly areas: readonly CommunitySummary[];
  readonly hot: readonly HotFile[];
  readonly questions: readonly Question[];
}

const rows = 8;
const mostQuestions = 9;

const centralQuery = `MATCH (s:Symbol) WHERE s.test = false AND s.kind IN ['function', 'method', 'class', 'struct', 'interface', 'trait', 'enum', 'macro'] RETURN s.id, s.name, s.qualified_name, s.kind, s.path, s.line ORDER BY s.centrality DESC LIMIT ${rows}`;
const complexQuery =
  "MATCH (s:Symbol) WHERE s.test = false AND s.complexity > 1 RETURN s.path AS path, sum(s.complexity) AS complexity ORDER BY complexity DESC LIMIT 60";
const usedQuery =
  "MATCH (a)-[:CALLS|REFERENCES]->(b:Symbol) WHERE a.path <> b.path AND b.test = false RETURN b.path AS path, count(DISTINCT a.path) AS users ORDER BY users DESC LIMIT 60";

/** Facts of the indexes that were shown, each of its newest state. */
const known = new WeakMap<CodeIndex, { readonly state: string; readonly facts: Promise<Facts> }>();

/** Facts about a state of an index: asked for once, however often the overview is shown. */
export function knownFacts(index: CodeIndex, state: string, paths: () => readonly string[]): Promise<Facts> {
  const before = known.get(index);
  if (before?.state === state) return before.facts;
  const facts = factsOf(index, paths());
  known.set(index, { state, facts });
  return facts;
}

/** Asks for all of it, one after the other: what the reader asks for meanwhile waits for one question, not for all. A
 * question that fails leaves its part empty. */
async function factsOf(index: CodeIndex, paths: readonly string[]): Promise<Facts> {
  const readme = readmeAmong(paths);
  const files = await inTurn(manifestsAmong(paths), (path) => textOf(index, path));
  const readmeText = readme === undefined ? "" : (await textOf(index, readme)).text;
  const flows = await entriesOf(index);
  const central = await centralOf(index);
  const areas = await index.communities({ limit: rows + 4 }).then(
    ({ communities }) => communities,
    () => [],
  );
  const hot = await hotOf(index);
  const about = aboutOf(files, readmeText);
  const there = new Set(paths);
  const found = { central, flows, areas: areas.slice(0, rows), hot, hasTests: paths.some(isTest) };
  return {
    about: { ...about, entries: about.entries.filter((path) => there.has(path)) },
    flows,
    central,
    areas: found.areas,
    hot,
    questions: [...questionsOf(found), ...(await answerable(index))].slice(0, mostQuestions),
  };
}

async function inTurn<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<readonly R[]> {
  const answers: R[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

const isTest = (path: string) => /test|spec/i.test(path);

function textOf(index: CodeIndex, path: string): Promise<{ path: string; text: string }> {
  return index.text(path).then(
    ({ text }) => ({ path, text }),
    () => ({ path, text: "" }),
  );
}

/** The surest entry points, one flow of each. */
async function entriesOf(index: CodeIndex): Promise<readonly ProcessSummary[]> {
  const { processes } = await index.processes({ limit: 40 }).catch(() => ({ processes: [] }));
  const seen = new Set<string>();
  return processes
    .filter(
      ({ entry }) =>
        !seen.has(`${entry.path}#${entry.qualified_name}`) && seen.add(`${entry.path}#${entry.qualified_name}`),
    )
    .slice(0, rows);
}

async function centralOf(index: CodeIndex): Promise<readonly SymbolRef[]> {
  const { rows: found } = await index.cypher({ query: centralQuery }).catch(() => ({ rows: [] }));
  return found.map(([id, name, qualified_name, kind, path, line]) => ({
    id: Number(id),
    name: String(name),
    qualified_name: String(qualified_name),
    kind: String(kind).toLowerCase(),
    path: String(path),
    line: Number(line),
  }));
}

/** Complexity times users from other files: where a change is hard and reaches far. */
async function hotOf(index: CodeIndex): Promise<readonly HotFile[]> {
  const asked = (query: string) => index.cypher({ query }).catch(() => ({ rows: [] as unknown[][] }));
  const complex = await asked(complexQuery);
  const used = await asked(usedQuery);
  const users = new Map(used.rows.map(([path, n]) => [String(path), Number(n)]));
  return complex.rows
    .map(([path, n]) => ({ path: String(path), complexity: Number(n), users: users.get(String(path)) ?? 0 }))
    .filter(({ path, users: n }) => n > 0 && !isTest(path))
    .sort((a, b) => b.complexity * b.users - a.complexity * a.users)
    .slice(0, rows);
}

/** Searches that find their words here. */
async function answerable(index: CodeIndex): Promise<readonly Question[]> {
  const found = await inTurn(tried, (query) =>
    index.search({ query, mode: "lexical", limit: 1 }).then(
      ({ hits }) => hits.length > 0,
      () => false,
    ),
  );
  return tried.flatMap((query, at) => (found[at] ? [{ words: sentences[query] ?? query, query }] : []));
}

const sentences: Readonly<Record<string, string>> = {
  "error handling": "How are errors handled?",
  "read the configuration": "Where is the configuration read?",
  "parse the input": "Where is input parsed?",
  "retry timeout": "What is tried again, and when does it give up?",
};
