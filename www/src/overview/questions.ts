//! Questions that this repository can answer: made of its own names, each a link whose answer exists.

import type { CommunitySummary, ProcessSummary, SymbolRef } from "portolan";
import type { View, ViewArgs } from "../state/link.ts";

/** A question and where it is answered. */
export type Question =
  | { readonly words: string; readonly view: View; readonly args: ViewArgs }
  | { readonly words: string; readonly query: string };

/** The names and files that questions are made of. */
export interface Known {
  readonly central: readonly SymbolRef[];
  readonly flows: readonly ProcessSummary[];
  readonly areas: readonly CommunitySummary[];
  readonly hot: readonly { readonly path: string }[];
  readonly hasTests: boolean;
}

/** Questions for searches whose words may or may not occur: the caller asks the index first. */
export const tried: readonly string[] = [
  "error handling",
  "read the configuration",
  "parse the input",
  "retry timeout",
];

/** At most one question of each kind; none about what is not there. */
export function questionsOf({ central, flows, areas, hot, hasTests }: Known): readonly Question[] {
  const [first, second] = central;
  const last = central[2] ?? second;
  const [flow] = flows;
  const area = areas.find(({ central: [one] }) => one && one.path !== first?.path) ?? areas[0];
  const file = hot[0]?.path;
  const found: (Question | undefined)[] = [
    first && {
      words: `If I change “${first.name}”, what else is affected?`,
      view: "impact",
      args: { of: selectorOf(first) },
    },
    flow && { words: `How does ${ends(flow.label)} work, step by step?`, view: "flows", args: { flow: flow.label } },
    second && {
      words: `Who uses “${second.name}”, and what does it use?`,
      view: "atlas",
      args: { of: selectorOf(second) },
    },
    area && { words: `What belongs to “${area.label}”?`, view: "atlas", args: { area: area.label, as: "graph" } },
    file === undefined
      ? undefined
      : { words: `Who imports ${nameOf(file)}?`, view: "cypher", args: { q: importers(file) } },
    { words: "Which functions are the most complex?", view: "cypher", args: { q: complex } },
    hasTests && last && last !== first
      ? {
          words: `Which tests should run after a change of “${last.name}”?`,
          view: "impact",
          args: { of: selectorOf(last) },
        }
      : undefined,
  ];
  return found.filter((question) => question !== undefined);
}

const complex =
  "MATCH (f:Symbol) WHERE f.complexity > 5 AND f.test = false\nRETURN f, f.complexity AS complexity, f.line AS line\nORDER BY complexity DESC LIMIT 25";

function importers(path: string): string {
  return `MATCH (f:File)-[:IMPORTS]->(g:File {path: ${quoted(path)}})\nRETURN f.path AS path ORDER BY path LIMIT 100`;
}

/** A text of Cypher. Names come from the repository, so nothing of them may end it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}

/** `a → b` as a sentence has it. */
function ends(label: string): string {
  const [from = "", to = ""] = label.split(" → ");
  return to === "" ? from : `${from} … ${to}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function selectorOf({ path, qualified_name }: SymbolRef): string {
  return `${path}#${qualified_name}`;
}
