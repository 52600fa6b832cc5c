/** The specification for a product owner: what it is for, who enters it where, what it can do, what tests promise. */

import {
  fileLink,
  lineLink,
  list,
  note,
  paragraph,
  section,
  type Block,
  type Section,
  type Sentence,
} from "./document.js";
import { type Area, definitionLink, type Definition, type Facts, type Flow } from "./facts.js";
import { partOf } from "./parts.js";
import {
  areaTitle,
  described,
  docOf,
  grouped,
  isCallable,
  isNamed,
  isType,
  publicOf,
  sorted,
  unique,
} from "./select.js";
import { caseLink, purposeOf, reliesOn } from "./shared.js";
import type { TestCase } from "./tests.js";
import { capital, inWords, joined, plural } from "./words.js";

/** The product specification. */
export async function productSpec(facts: Facts): Promise<Section[]> {
  return [
    ...section("purpose", "Purpose", purposeOf(facts)),
    ...section("entries", "How it is entered", entriesOf(facts)),
    ...capabilitiesOf(facts),
    ...section("promises", "What the tests promise", promisesOf(facts)),
    ...section("dependencies", "What it relies on", reliesOn(facts)),
    ...section("open", "Open points", await openPointsOf(facts)),
  ];
}

const first = ({ steps }: Flow) => (steps[0] as Flow["steps"][number]).definition;
const last = ({ steps }: Flow) => (steps.at(-1) as Flow["steps"][number]).definition;
const link = (definition: Definition) => definitionLink(definition);
const MOST_ENTRIES = 8;

function entriesOf(facts: Facts): Block[] {
  const blocks: Block[] = [];
  const flows = unique(facts.flows, (flow) => `${first(flow).path}#${first(flow).qualified}`).filter((flow) =>
    isNamed(first(flow)),
  );
  const order = ["main", "route", "handler"];
  const shown = order.flatMap((kind) => flows.filter(({ entry_kind }) => entry_kind === kind)).slice(0, MOST_ENTRIES);
  if (shown.length > 0)
    blocks.push(
      paragraph(["Flows of calls begin in ", link(first(shown[0] as Flow)), shown.length > 1 ? " and these:" : ":"]),
      list(
        shown.map(
          (flow): Sentence => [
            link(first(flow)),
            ...(first(flow) === last(flow) ? [] : [" leads to ", link(last(flow))]),
            ` in ${inWords(flow.steps.length - 1, "call")}. ${docOf(first(flow))}`.trimEnd(),
          ],
        ),
      ),
    );
  const open = publicOf(facts);
  const top = open.slice(0, MOST_ENTRIES);
  if (top.length > 0) {
    const files = new Set(open.map(({ path }) => path)).size;
    blocks.push(
      paragraph([
        `Other programs use it through ${plural(open.length, "public definition")} in ${inWords(files, "file")}. `,
        top.length === open.length ? "They are " : "The most used are ",
        ...joined(top.map((one) => link(one))),
        ".",
      ]),
    );
  }
  return blocks;
}

const MOST_AREAS = 16;
const MOST_OF_AREA = 6;

/** Whether there is something to say of an area: a comment, or a definition that others use. */
const isTelling = ({ members }: Area) => members.some((one) => isNamed(one) && (docOf(one) !== "" || one.n_users > 2));

/** One chapter for each functional area, by its documented definitions. */
function capabilitiesOf(facts: Facts): Section[] {
  const areas = facts.areas.filter(isTelling).slice(0, MOST_AREAS);
  if (areas.length === 0) return [];
  const intro = note(
    `${capital(inWords(areas.length, "area"))} of definitions that use one another more than others. Names come from folders and members; descriptions are the first sentences of comments in the code.`,
  );
  return [
    { id: "capabilities", title: "What it can do", level: 2, blocks: [intro] },
    ...areas.flatMap((area) => {
      const members = area.members.filter(isNamed);
      const documented = members.filter((one) => docOf(one) !== "");
      const telling = members.filter((one) => isCallable(one) || isType(one));
      const shown = unique(sorted(documented.length >= 2 ? documented : telling), ({ qualified }) => qualified);
      const top = area.members[0] as Definition;
      const where: Sentence = [
        `${plural(area.members.length, "definition")} in `,
        ...joined(area.files.slice(0, 3).map((path) => fileLink(path))),
        area.files.length > 3 ? ` and ${inWords(area.files.length - 3, "more file")}` : "",
        ...(isNamed(top) && top.n_users > 1
          ? ["; ", link(top), ` is used most, in ${inWords(top.n_users, "place")}`]
          : []),
        ".",
      ];
      return section(
        `area-${area.id}`,
        areaTitle(area),
        [paragraph(where), list(shown.slice(0, MOST_OF_AREA).map(described))],
        3,
      );
    }),
  ];
}

const MOST_FILES = 12;
const MOST_CASES = 5;

/** Behaviour by the names of test cases, of the files that have most of them. */
function promisesOf({ tests }: Facts): Block[] {
  if (tests.length === 0) return [];
  const files = [...grouped(tests, ({ path }) => path)].sort((a, b) => b[1].length - a[1].length);
  const items = files.slice(0, MOST_FILES).map(([path, cases]): Sentence => {
    const told = unique(cases, ({ says }) => says);
    return [
      fileLink(path),
      ` (${plural(cases.length, "case")}): `,
      ...joined(told.slice(0, MOST_CASES).map(caseLink)),
      told.length > MOST_CASES ? "; and others." : ".",
    ];
  });
  const rest = files.length - items.length;
  return [
    paragraph([
      `${plural(tests.length, "test case")} in ${inWords(files.length, "file")} ${tests.length === 1 ? "describes" : "describe"} its behaviour, for example `,
      caseLink((files[0] as [string, TestCase[]])[1][0] as TestCase),
      rest > 0 ? ". These files have the most:" : ":",
    ]),
    list(items),
  ];
}

const MOST_NOTES = 12;

/** Words of a file's name: `map_response.rs` has `map` and `response`. */
function stemWords(path: string): string[] {
  return (path.split("/").at(-1) ?? "")
    .replace(/\.\w+$/, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Parts that the authors marked as unfinished, and areas that no test is named after. */
async function openPointsOf({ index, areas, tests }: Facts): Promise<Block[]> {
  const { matches } = await index.regex({ pattern: String.raw`\b(TODO|FIXME|XXX)\b`, limit: 400 });
  const marked = matches.filter(({ path }) => partOf(path) === "product");
  const items = marked.slice(0, MOST_NOTES).flatMap(({ path, line, text }): Sentence[] => {
    const mark = /\b(?:TODO|FIXME|XXX)\b\s*(?:\([^)]*\))?\s*[:-]?\s*(.{4,160})/.exec(text);
    const said = mark?.[1]?.replace(/\*\/.*$|-->.*$/, "").trim() ?? "";
    return said.length < 6
      ? []
      : [[lineLink(path, line, mark?.[0]?.slice(0, 4) ?? "", `${path}:${line}`), `: “${said}”`]];
  });
  const words = new Set(tests.flatMap(({ path }) => path.toLowerCase().split(/[^a-z0-9]+/)));
  const tested = new Set(tests.map(({ path }) => path));
  const silent = areas.filter(({ files }) =>
    files.every((path) => !tested.has(path) && !stemWords(path).every((word) => words.has(word))),
  );
  const untested: Sentence[] =
    tests.length === 0 || silent.length === 0
      ? []
      : silent.slice(0, 6).map((area) => [
          `${areaTitle(area)}: no test file is named after `,
          ...joined(
            area.files.slice(0, 3).map((path) => fileLink(path)),
            "or",
          ),
          ".",
        ]);
  const [first] = items[0] ?? [];
  const intro: Sentence = [
    `The authors marked ${inWords(marked.length, "place")} as unfinished, `,
    first ?? "",
    " among them:",
  ];
  return [
    ...(first === undefined ? [] : [paragraph(intro), list(items)]),
    ...(untested.length > 0 ? [list(untested)] : []),
  ];
}
