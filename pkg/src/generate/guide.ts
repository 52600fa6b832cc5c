/** The guide for newcomers: what it is, where to begin to read, a walk along one flow, its words, where to change what, how to run tests. */

import { type Block, fileLink, list, paragraph, section, type Section, type Sentence } from "./document.js";
import { definitionLink, type Definition, type Facts } from "./facts.js";
import { areaTitle, docOf, grouped, isCallable, isNamed, isType, sorted, unique } from "./select.js";
import { foldersBlocks, purposeOf, stepsOf, testsBlocks, toldFlows } from "./shared.js";
import { inWords, joined } from "./words.js";

/** The guide for newcomers. */
export async function guideFor(facts: Facts): Promise<Section[]> {
  return [
    ...section("purpose", "What this is", purposeOf(facts)),
    ...section("first", "Read these files first", firstFiles(facts)),
    ...section("map", "How it is laid out", foldersBlocks(facts)),
    ...section("walk", "A walk through one flow", walkOf(facts)),
    ...section("words", "Words of this code", glossaryOf(facts)),
    ...section("changes", "Where to change what", changesOf(facts)),
    ...section("run", "Build and test it", [...runOf(facts), ...testsBlocks(facts)]),
    ...section("begin", "Good first reads", easyOf(facts)),
  ];
}

const N_FILES = 5;

/** The files whose definitions most others use. */
function firstFiles({ definitions, links, about }: Facts): Block[] {
  const used = grouped(links, ({ to }) => to);
  const users = (path: string) => new Set((used.get(path) ?? []).map(({ from }) => from)).size;
  const files = [...grouped(definitions, ({ path }) => path)]
    .map(([path, own]) => ({ path, own: sorted(own.filter((one) => isNamed(one))), n: users(path) }))
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => b.n - a.n || b.own.length - a.own.length);
  const items = files
    .slice(0, N_FILES)
    .map(
      ({ path, own, n }): Sentence => [
        fileLink(path),
        n > 0 ? `, which ${inWords(n, "other file uses", "other files use")}, defines ` : " defines ",
        ...joined(own.slice(0, 3).map((one) => definitionLink(one, one.name))),
        own.length > 3 ? " and more." : ".",
      ],
    );
  const readme: Sentence[] = about.readme
    ? [["Begin with ", fileLink(about.readme), ", then read these in order."]]
    : [];
  return [...(readme.length > 0 ? [paragraph(...readme)] : []), list(items, true)];
}

/** The flow with the most explained steps. */
function walkOf({ flows }: Facts): Block[] {
  const told = toldFlows(flows);
  const explained = ({ steps }: (typeof told)[number]) =>
    steps.filter(({ definition }) => docOf(definition) !== "").length * 2 + Math.min(6, steps.length);
  const [flow] = [...told].sort((a, b) => explained(b) - explained(a));
  const entry = flow?.steps[0]?.definition;
  if (!flow || !entry) return [];
  return [
    paragraph([
      "Follow the calls from ",
      definitionLink(entry),
      ` through ${inWords(flow.steps.length - 1, "further step")}.`,
    ]),
    list(stepsOf(flow), true),
  ];
}

const N_WORDS = 16;

/** Types and their purposes: the nouns of the code. */
function glossaryOf({ definitions }: Facts): Block[] {
  const nouns = definitions.filter((one) => isType(one) && isNamed(one) && docOf(one) !== "");
  const things =
    nouns.length >= 3
      ? nouns
      : definitions.filter((one) => isNamed(one) && docOf(one) !== "" && !one.qualified.includes("."));
  const chosen = unique(sorted(things), ({ name }) => name).slice(0, N_WORDS);
  const words = [...chosen].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return [list(words.map((one): Sentence => [definitionLink(one, one.name), `: ${docOf(one)}`]))];
}

const N_AREAS = 14;

function changesOf({ areas }: Facts): Block[] {
  const items = areas.slice(0, N_AREAS).map((area): Sentence => {
    const central = area.members.filter(isNamed).slice(0, 3);
    const files = area.files.length > 2 ? ` and ${inWords(area.files.length - 2, "more file")}` : "";
    return [
      `${areaTitle(area)}: look in `,
      ...joined(area.files.slice(0, 2).map((path) => fileLink(path))),
      files,
      ...(central.length > 0
        ? [
            "; begin at ",
            ...joined(
              central.map((one) => definitionLink(one)),
              "or",
            ),
          ]
        : []),
      ".",
    ];
  });
  return [list(items)];
}

function runOf({ about }: Facts): Block[] {
  const sentences = about.commands
    .filter(({ does }) => does !== "test")
    .map(
      ({ does, path, line, text }): Sentence => [
        { code: text },
        does === "build" ? " builds it, as " : " starts it, as ",
        { words: `${path}:${line}`, at: { path, line, holds: { file: true } } },
        " says.",
      ],
    );
  return sentences.length > 0 ? [paragraph(...sentences)] : [];
}

const EASY: (one: Definition) => boolean = (one) =>
  isCallable(one) && isNamed(one) && one.complexity <= 6 && one.end - one.start >= 5 && one.end - one.start <= 40;

/** Short, documented functions that much code uses: understanding one explains many places. */
function easyOf({ definitions }: Facts): Block[] {
  const easy = sorted(definitions.filter((one) => EASY(one) && docOf(one) !== "" && one.n_users >= 2)).slice(0, 8);
  if (easy.length === 0) return [];
  return [
    paragraph([
      "Short functions with a comment that much other code uses, such as ",
      definitionLink(easy[0] as Definition),
      ":",
    ]),
    list(
      easy.map(
        (one): Sentence => [
          definitionLink(one),
          ` (${inWords(one.end - one.start + 1, "line")}, used in ${inWords(one.n_users, "place")}): ${docOf(one)}`,
        ],
      ),
    ),
  ];
}
