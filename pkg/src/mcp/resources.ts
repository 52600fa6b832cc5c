/**
 * Resources that can be read by an address: `portolan://REPO/map`, `/schema`, `/symbol/NAME`, `/process/LABEL`,
 * `/file/PATH?lines=FROM-TO`.
 */

import type { ProcessResponse, Status } from "../answers.js";
import { PortolanError } from "../errors.js";
import type { CallContext, McpHost } from "./host.js";
import { sizedAnswer } from "./sized.js";
import { percent, place } from "./text-parts.js";
import { onOneLine } from "../visible.js";

const SCHEME = "portolan://";

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export async function resourcesOf(host: McpHost): Promise<ResourceEntry[]> {
  const { repositories } = await host.repositories();
  return repositories.flatMap(({ name }) => {
    const base = `${SCHEME}${encodeURIComponent(name)}`;
    return [
      {
        uri: `${base}/map`,
        name: `${name}/map`,
        title: `Map of ${name}`,
        description: "Files and their definitions within a token budget",
        mimeType: "text/plain",
      },
      {
        uri: `${base}/schema`,
        name: `${name}/schema`,
        title: `Graph schema of ${name}`,
        description: "Labels, properties and relations for cypher, with counts",
        mimeType: "text/markdown",
      },
    ];
  });
}

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${SCHEME}{repo}/symbol/{selector}`,
    name: "symbol",
    title: "A symbol",
    description: "Definition, relations and flows; name as for context",
    mimeType: "text/plain",
  },
  {
    uriTemplate: `${SCHEME}{repo}/process/{process}`,
    name: "process",
    title: "An execution flow",
    description: "Its steps in order, by its label or number",
    mimeType: "text/plain",
  },
  {
    uriTemplate: `${SCHEME}{repo}/file/{+path}{?lines}`,
    name: "file",
    title: "A file",
    description: "Source with line numbers; lines=10-40 for a part",
    mimeType: "text/plain",
  },
];

/** The text behind an address. Rejects with `request.resource` where there is nothing. */
export async function readResource(
  host: McpHost,
  uri: string,
  context: CallContext,
): Promise<{ text: string; mimeType: string }> {
  const [, repo, kind, rest = "", query = ""] =
    /^portolan:\/\/([^/?]+)\/(map|schema|symbol|process|file)(?:\/([^?]*))?(?:\?(.*))?$/.exec(uri) ?? [];
  if (repo === undefined || kind === undefined) throw unknown(uri);
  const name = decoded(repo, uri);
  const ask = async (tool: string, args: Record<string, unknown>) =>
    (await sizedAnswer({ tool, args: { repo: name, ...args }, host, context })).text;
  if (kind === "map") return { text: await ask("repo_map", { max_tokens: 2000 }), mimeType: "text/plain" };
  if (kind === "schema") {
    const repository = await host.open(name);
    return { text: schemaOf((await repository.ask("status", {})) as Status), mimeType: "text/markdown" };
  }
  if (rest === "") throw unknown(uri);
  if (kind === "symbol") return { text: await ask("context", { symbol: decoded(rest, uri) }), mimeType: "text/plain" };
  if (kind === "process") return { text: await processText(host, name, decoded(rest, uri)), mimeType: "text/plain" };
  const [, from, to] = /^lines=(\d{1,9})-(\d{1,9})$/.exec(query) ?? [];
  if (query !== "" && from === undefined) throw unknown(uri);
  const lines = from === undefined ? {} : { start_line: Number(from), end_line: Number(to) };
  return {
    text: await ask("read_code", { path: decoded(rest, uri), ...lines, max_bytes: 64 * 1024 }),
    mimeType: "text/plain",
  };
}

async function processText(host: McpHost, repo: string, process: string): Promise<string> {
  const repository = await host.open(repo);
  const answer = (await repository.ask("process", { process })) as ProcessResponse;
  const {
    process: { label, entry_kind },
    steps,
  } = onOneLine(answer);
  const lines = steps.map(({ step, symbol, confidence }) => `${step}. ${place(symbol)} (${percent(confidence)})`);
  return [`${label}, begins as ${entry_kind}`, ...lines].join("\n");
}

function decoded(part: string, uri: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw unknown(uri);
  }
}

function unknown(uri: string): PortolanError {
  const help = "portolan://REPO/map, /schema, /symbol/NAME, /process/LABEL, /file/PATH?lines=FROM-TO";
  return new PortolanError("request.resource", `there is no resource ${uri.slice(0, 200)}`, help);
}

/** Names that a Cypher query can use, with the number of each. */
function schemaOf({ name, kinds, edges }: Status): string {
  const rows = (counts: readonly { name: string; count: number }[]) =>
    counts.map(({ name, count }) => `| ${name} | ${count} |`).join("\n");
  return `# Graph of ${name}

Labels: \`Symbol\` (any definition), \`Function\`, \`Method\`, \`Class\`, \`Interface\`, \`Struct\`, … (a kind, capitalised), \`File\`, \`Folder\`, \`External\`, \`Community\`, \`Process\`.
Properties of nodes: \`name\`, \`qualified_name\`, \`kind\`, \`path\`, \`language\`, \`line\`, \`start_line\`, \`end_line\`, \`signature\`, \`doc\`, \`complexity\`, \`centrality\`, \`exported\`, \`test\`, \`async\`, \`static\`.
Of relations: \`type\`, \`confidence\` (0 to 1), \`reason\`, \`line\`, \`step\`.

| relation | count |
|---|---|
${rows(edges)}

| kind of definition | count |
|---|---|
${rows(kinds)}
`;
}
