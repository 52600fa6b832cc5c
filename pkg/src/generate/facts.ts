/** The facts that documents are made from: definitions, areas, flows, packages and tests, asked of an index once. */

import type { CodeIndex } from "../code-index.js";
import type { Status, FileEntry } from "../../wasm/reader.js";
import type { Citation, Part } from "./document.js";
import { isStandard, partOf } from "./parts.js";
import { type TestCase, testsOf } from "./tests.js";
import { type About, aboutOf } from "./about.js";

/** The questions that documents ask; any index answers them. */
export type Asked = Pick<
  CodeIndex,
  "cypher" | "files" | "status" | "text" | "regex" | "communities" | "cycles" | "outline"
>;

export interface Definition {
  readonly id: number;
  readonly name: string;
  readonly qualified: string;
  /** `function`, `method`, `class`, … */
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly language: string;
  readonly signature: string;
  readonly doc: string;
  readonly exported: boolean;
  readonly complexity: number;
  readonly centrality: number;
  /** How many other definitions and files use it. */
  readonly n_users: number;
  /** Number of its functional area; 0 without. */
  readonly area: number;
}

export interface Area {
  readonly id: number;
  readonly label: string;
  /** Its definitions in product code, the most used first. */
  readonly members: readonly Definition[];
  readonly files: readonly string[];
}

export interface Flow {
  readonly label: string;
  readonly entry_kind: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly definition: Definition;
  /** Line in the file of the step before that leads here. */
  readonly line?: number;
}

export interface Package {
  readonly name: string;
  readonly files: readonly string[];
  readonly line: number;
  /** It comes with the language. */
  readonly standard: boolean;
}

/** Everything that documents are made of, read once. */
export interface Facts {
  readonly index: Asked;
  readonly status: Status;
  readonly files: readonly FileEntry[];
  readonly about: About;
  /** Definitions in product code, the most central first. */
  readonly definitions: readonly Definition[];
  readonly areas: readonly Area[];
  readonly flows: readonly Flow[];
  readonly packages: readonly Package[];
  /** Uses between files of product code, by definitions or imports. */
  readonly links: readonly { readonly from: string; readonly to: string; readonly line: number }[];
  readonly tests: readonly TestCase[];
}

const ROWS = { limit: 10_000, max_bytes: 16_000_000, timeout_ms: 20_000 };

type Row = readonly unknown[];

/** Asks the index for everything. */
export async function factsOf(index: Asked, signal?: { readonly aborted: boolean }): Promise<Facts> {
  const stop = () => {
    if (signal?.aborted) throw new DOMException("aborted", "AbortError");
  };
  const [status, { files }] = await Promise.all([index.status(), index.files()]);
  stop();
  const definitions = await definitionsOf(index);
  stop();
  const [areas, flows, packages, links] = [
    await areasOf(index, definitions),
    await flowsOf(index, definitions),
    await packagesOf(index, new Map(files.map(({ path, language }) => [path, language]))),
    await linksOf(index),
  ];
  stop();
  const paths = files.map(({ path }) => path);
  return {
    index,
    status,
    files,
    about: await aboutOf(index, paths, status.name),
    definitions,
    areas,
    flows,
    packages,
    links,
    tests: await testsOf(index, files),
  };
}

/** The rows of a Cypher query. */
export async function rows(index: Pick<Asked, "cypher">, query: string, parameters = {}): Promise<readonly Row[]> {
  return (await index.cypher({ query, parameters, ...ROWS })).rows;
}

async function definitionsOf(index: Asked): Promise<Definition[]> {
  const users = new Map(
    (
      await rows(
        index,
        "MATCH (a)-[r:CALLS|REFERENCES]->(b:Symbol) RETURN b.id, count(DISTINCT a) AS n ORDER BY n DESC",
      )
    ).map(([id, n]) => [id as number, n as number]),
  );
  const areas = new Map(
    (await rows(index, "MATCH (s:Symbol)-[:MEMBER_OF]->(c:Community) RETURN s.id, c.id")).map(([id, area]) => [
      id as number,
      area as number,
    ]),
  );
  const found = await rows(
    index,
    `MATCH (s:Symbol) WHERE s.test = false AND s.kind <> 'Section' AND s.kind <> 'section'
     RETURN s.id, s.name, s.qualified_name, s.kind, s.path, s.line, s.start_line, s.end_line, s.language, s.signature, s.doc,
       s.exported, s.complexity, s.centrality ORDER BY s.centrality DESC`,
  );
  return found
    .map((row) => definitionOf(row, users, areas))
    .filter(({ path, kind }) => partOf(path) === "product" && kind !== "section");
}

function definitionOf(row: Row, users: ReadonlyMap<number, number>, areas: ReadonlyMap<number, number>): Definition {
  const [
    id,
    name,
    qualified,
    kind,
    path,
    line,
    start,
    end,
    language,
    signature,
    doc,
    exported,
    complexity,
    centrality,
  ] = row as [
    number,
    string,
    string,
    string,
    string,
    number,
    number,
    number,
    string,
    string,
    string,
    boolean,
    number,
    number,
  ];
  return {
    id,
    name,
    qualified: qualified ?? name,
    kind: kind.toLowerCase(),
    path,
    line,
    start: start ?? line,
    end: end ?? line,
    language: language ?? "",
    signature: signature ?? "",
    doc: doc ?? "",
    exported: exported === true,
    complexity: complexity ?? 0,
    centrality: centrality ?? 0,
    n_users: users.get(id) ?? 0,
    area: areas.get(id) ?? 0,
  };
}

const N_AREAS = 40;

async function areasOf(index: Asked, definitions: readonly Definition[]): Promise<Area[]> {
  const { communities } = await index.communities({ limit: N_AREAS, max_bytes: 1_000_000 });
  return communities.flatMap(({ id, label }) => {
    const members = definitions
      .filter(({ area, kind }) => area === id && kind !== "field" && kind !== "variant")
      .sort((a, b) => b.n_users - a.n_users || b.centrality - a.centrality);
    if (members.length < 3) return [];
    return [{ id, label, members, files: [...new Set(members.map(({ path }) => path))].sort() }];
  });
}

const N_FLOWS = 60;

async function flowsOf(index: Asked, definitions: readonly Definition[]): Promise<Flow[]> {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const steps = await rows(
    index,
    `MATCH (s)-[r:STEP_IN_PROCESS]->(p:Process) WHERE p.entry_kind <> 'test'
     RETURN p.id, p.name, p.entry_kind, s.id, r.step ORDER BY p.id, r.step`,
  );
  const flows = new Map<number, { label: string; entry_kind: string; ids: number[] }>();
  for (const [id, label, entry_kind, symbol] of steps as [number, string, string, number][]) {
    const flow = flows.get(id) ?? { label, entry_kind, ids: [] };
    flow.ids.push(symbol);
    flows.set(id, flow);
  }
  const told = [...flows.values()].filter(({ ids }) => ids.every((id) => byId.has(id)) && ids.length > 1);
  return Promise.all(
    told.slice(0, N_FLOWS).map(async ({ label, entry_kind, ids }) => ({
      label,
      entry_kind,
      steps: await Promise.all(
        ids.map(async (id, at) => {
          const definition = byId.get(id) as Definition;
          const line = at === 0 ? undefined : await lineBetween(index, ids[at - 1] as number, id);
          return line === undefined ? { definition } : { definition, line };
        }),
      ),
    })),
  );
}

async function lineBetween(index: Asked, from: number, to: number): Promise<number | undefined> {
  const found = await rows(index, "MATCH (a)-[r:CALLS]->(b) WHERE a.id = $from AND b.id = $to RETURN r.line", {
    from,
    to,
  });
  const line = found[0]?.[0];
  return typeof line === "number" && line > 0 ? line : undefined;
}

async function packagesOf(index: Asked, languages: ReadonlyMap<string, string>): Promise<Package[]> {
  const found = await rows(index, "MATCH (f:File)-[r:IMPORTS]->(e:External) RETURN e.name, f.path, r.line");
  const packages = new Map<string, { files: Set<string>; first: [string, number] }>();
  for (const [name, path, line] of found as [string, string, number][]) {
    if (partOf(path) !== "product" || !line) continue;
    const known = packages.get(name) ?? { files: new Set<string>(), first: [path, line] as [string, number] };
    known.files.add(path);
    packages.set(name, known);
  }
  return [...packages]
    .map(
      ([
        name,
        {
          files,
          first: [path, line],
        },
      ]) => ({
        name,
        files: [path, ...[...files].filter((file) => file !== path)],
        line,
        standard: isStandard(name, languages.get(path) ?? ""),
      }),
    )
    .sort((a, b) => b.files.length - a.files.length || (a.name < b.name ? -1 : 1));
}

async function linksOf(index: Asked): Promise<{ from: string; to: string; line: number }[]> {
  const found = await rows(
    index,
    `MATCH (a)-[r:CALLS|REFERENCES|IMPORTS|EXTENDS|IMPLEMENTS]->(b)
     WHERE a.path IS NOT NULL AND b.path IS NOT NULL AND a.path <> b.path RETURN a.path, b.path, r.line`,
  );
  return (found as [string, string, number][])
    .filter(([from, to, line]) => partOf(from) === "product" && partOf(to) === "product" && line > 0)
    .map(([from, to, line]) => ({ from, to, line }));
}

/** A link to a definition, by its name. */
export function definitionLink(definition: Definition, words = definition.qualified): Part {
  return { code: words, at: placeOf(definition) };
}

/** The citation of a definition. */
export function placeOf({ path, line, qualified }: Definition): Citation {
  return { path, line, holds: { symbol: qualified } };
}
