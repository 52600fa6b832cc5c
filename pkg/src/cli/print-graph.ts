/** Answers about the graph as text for people: `path:line` first, as everywhere. */

import type {
  CodeIntelligenceResponse,
  CommunitiesResponse,
  CommunityResponse,
  CommunitySummary,
  CyclesResponse,
  Page,
  PathsResponse,
  ProcessesResponse,
  ProcessResponse,
  ProcessSummary,
  SubgraphResponse,
  SymbolRef,
  TraverseResponse,
  WalkPath,
} from "../answers.js";
import * as print from "./print.js";
import { quantity } from "../quantity.js";

export function traversal({ steps, page }: TraverseResponse): string {
  const lines = steps.map(
    ({ symbol, depth, relation, confidence }) =>
      `${"  ".repeat(depth - 1)}${place(symbol)}  ${relation} (${percent(confidence)})\n`,
  );
  return lines.join("") + more(page);
}

export function paths({ found, paths, complete }: PathsResponse): string {
  if (!found) return "no path\n";
  return paths.map(path).join("\n") + (complete ? "" : "… more; raise --limit\n");
}

function path({ nodes, edges }: WalkPath): string {
  return nodes
    .map((node, nodeIdx) => `${nodeIdx === 0 ? "" : `  ${edges[nodeIdx - 1]?.kind} `}${place(node)}\n`)
    .join("");
}

export function cycles({ cycles, page }: CyclesResponse): string {
  return cycles.map(({ n_members, path: circle }) => `cycle of ${n_members}:\n${path(circle)}`).join("\n") + more(page);
}

export function subgraph({ nodes, edges, nodes_page }: SubgraphResponse): string {
  const names = new Map(nodes.map((node) => [node.id, node.qualified_name]));
  const lines = edges.map(({ source, target, kind }) => `  ${names.get(source)} ${kind} ${names.get(target)}\n`);
  return nodes.map((node) => `${place(node)}\n`).join("") + lines.join("") + more(nodes_page);
}

export function processes({ processes, page }: ProcessesResponse): string {
  return processes.map(processLine).join("") + more(page);
}

function processLine({ id, label, process_type, entry_kind, n_steps, entry }: ProcessSummary): string {
  return `${entry.path}:${entry.line}  ${label}  (#${id}, ${entry_kind}, ${quantity(n_steps, "step")}, ${process_type})\n`;
}

export function process({ process, steps }: ProcessResponse): string {
  const lines = steps.map(
    ({ step, symbol, community }) => `  ${step}. ${place(symbol)}${community ? `  [${community}]` : ""}\n`,
  );
  return processLine(process) + lines.join("");
}

export function communities({ communities, page }: CommunitiesResponse): string {
  return communities.map(communityLine).join("") + more(page);
}

function communityLine({ id, label, n_members, central }: CommunitySummary): string {
  return `${label}  (#${id}, ${quantity(n_members, "symbol")})  ${central.map(({ qualified_name }) => qualified_name).join(", ")}\n`;
}

export function community({ community, members, page }: CommunityResponse): string {
  return communityLine(community) + members.map((member) => `  ${place(member)}\n`).join("") + more(page);
}

export function intelligence(response: CodeIntelligenceResponse): string {
  switch (response.command) {
    case "find":
      return print.symbols(response);
    case "refs":
      return print.references(response);
    case "callers":
    case "callees":
      return print.calls(response);
    case "similar":
      return print.hits(response);
    case "graph":
      return traversal(response);
    case "query":
      return `callers\n${print.calls(response.callers)}references\n${print.references(response.references)}`;
  }
}

function place({ path, line, kind, qualified_name }: SymbolRef): string {
  return path === qualified_name || path === ""
    ? `${qualified_name}  ${kind}`
    : `${path}:${line}  ${kind} ${qualified_name}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function more({ total, truncated }: Page): string {
  return truncated ? `… of ${total}; raise --limit, or give --offset\n` : "";
}
