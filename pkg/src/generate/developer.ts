/** The specification for developers: folders and what they use of each other, areas, public interface, flows, types, complexity, tests. */

import { type Block, fileLink, list, note, paragraph, section, type Section, type Sentence } from "./document.js";
import { definitionLink, type Definition, type Facts } from "./facts.js";
import { partOf } from "./parts.js";
import { areaTitle, docOf, grouped, isCallable, isNamed, isType, publicOf, sorted, unique } from "./select.js";
import { foldersBlocks, purposeOf, reliesOn, stepsOf, testsBlocks, toldFlows } from "./shared.js";
import { capital, inWords, joined, plural } from "./words.js";

/** The developer specification. */
export async function developerSpec(facts: Facts): Promise<Section[]> {
  return [
    ...section("overview", "Overview", purposeOf(facts)),
    ...section("folders", "Folders", foldersBlocks(facts)),
    ...section("areas", "Functional areas", areasBlocks(facts)),
    ...section("interface", "Public interface", interfaceOf(facts)),
    ...section("types", "Types", typesOf(facts)),
    ...flowsSections(facts),
    ...section("dependencies", "Packages it imports", reliesOn(facts)),
    ...section("complexity", "Where it is most complex", complexityOf(facts)),
    ...section("cycles", "Import cycles", await cyclesOf(facts)),
    ...section("tests", "Tests", testsBlocks(facts)),
  ];
}

function areasBlocks({ areas }: Facts): Block[] {
  const rows = areas.slice(0, 24).map((area): Sentence[] => [
    [areaTitle(area)],
    [String(area.members.length)],
    joined(area.files.slice(0, 2).map((path) => fileLink(path))),
    joined(
      area.members
        .filter(isNamed)
        .slice(0, 4)
        .map((one) => definitionLink(one)),
    ),
  ]);
  if (rows.length === 0) return [];
  return [
    note("Groups of definitions that use one another more than others, found in the graph."),
    { kind: "table", head: ["Area", "Definitions", "Files", "Most used"], rows },
  ];
}

const MOST_PUBLIC = 40;

/** The most used public definitions by file, with their signatures. */
function interfaceOf(facts: Facts): Block[] {
  const open = publicOf(facts);
  const shown = open.slice(0, MOST_PUBLIC);
  const files = [...grouped(shown, ({ path }) => path)];
  return [
    ...files.flatMap(([path, own]): Block[] => [paragraph([fileLink(path), ":"]), list(own.map(withSignature))]),
    ...(open.length > shown.length
      ? [note(`And ${plural(open.length - shown.length, "more public definition")}, which fewer places use.`)]
      : []),
  ];
}

function withSignature(one: Definition): Sentence {
  const doc = docOf(one);
  const signature = one.signature.replace(/\s+/g, " ").trim();
  const short = signature.length > 140 ? `${signature.slice(0, 139)}…` : signature;
  return [
    definitionLink(one),
    ...(short !== "" && short !== one.name ? [": ", { code: short }] : []),
    doc === "" ? "." : `. ${doc}`,
  ];
}

const MOST_TYPES = 14;

function typesOf({ definitions }: Facts): Block[] {
  const types = sorted(
    unique(
      definitions.filter((one) => isType(one) && isNamed(one)),
      ({ path, qualified }) => `${path}#${qualified}`,
    ),
  );
  const rows = types.slice(0, MOST_TYPES).map((type): Sentence[] => {
    const methods = definitions.filter((one) => isCallable(one) && one.qualified.startsWith(`${type.qualified}.`));
    return [
      [definitionLink(type)],
      [type.kind.replace(/_/g, " ")],
      [String(methods.length)],
      [String(type.n_users)],
      [docOf(type) || "–"],
    ];
  });
  return rows.length === 0 ? [] : [{ kind: "table", head: ["Type", "Kind", "Methods", "Used in", "Purpose"], rows }];
}

const MOST_FLOWS = 8;

/** The longest flows from distinct entries, each step with the line that leads to it. */
function flowsSections({ flows }: Facts): Section[] {
  const told = toldFlows(flows).slice(0, MOST_FLOWS);
  if (told.length === 0) return [];
  return [
    {
      id: "flows",
      title: "Execution flows",
      level: 2,
      blocks: [note("Chains of calls from where the program is entered.")],
    },
    ...told.flatMap((flow, at) => section(`flow-${at + 1}`, flow.label, [list(stepsOf(flow), true)], 3)),
  ];
}

const MOST_COMPLEX = 12;
const COMPLEX = 10;

function complexityOf({ definitions }: Facts): Block[] {
  const complex = definitions
    .filter((one) => one.complexity >= COMPLEX && isCallable(one))
    .sort((a, b) => b.complexity - a.complexity)
    .slice(0, MOST_COMPLEX);
  const rows = complex.map((one): Sentence[] => [
    [definitionLink(one)],
    [{ words: one.path, at: { path: one.path, line: one.start, holds: { file: true } } }],
    [String(one.complexity)],
    [String(one.end - one.start + 1)],
  ]);
  return rows.length === 0
    ? []
    : [
        note("Cyclomatic complexity: the number of independent paths through a function."),
        { kind: "table", head: ["Function", "File", "Complexity", "Lines"], rows },
      ];
}

async function cyclesOf({ index }: Facts): Promise<Block[]> {
  const { cycles } = await index.cycles({ edges: ["IMPORTS"], nodes: ["file"], limit: 20, max_bytes: 400_000 });
  const own = cycles.filter(({ members }) => members.every(({ path }) => partOf(path) === "product"));
  const items = own.slice(0, 8).map(({ n_members, path: { nodes, edges } }): Sentence => {
    const line = edges[0]?.use_line ?? 1;
    const from = nodes[0]?.path ?? "";
    return [
      `${capital(inWords(n_members, "file"))} import one another; the shortest way around is `,
      ...nodes.flatMap(({ path }, at) => [at === 0 ? "" : " → ", fileLink(path)]),
      ", beginning at ",
      { words: `line ${line}`, at: { path: from, line, holds: { file: true } } },
      ".",
    ];
  });
  return items.length === 0 ? [] : [list(items)];
}
