/** User stories: what a person can do with the product, by its entries and public definitions, with the tests that describe them. */

import { list, note, paragraph, section, type Block, type Section, type Sentence } from "./document.js";
import { definitionLink, type Definition, type Facts } from "./facts.js";
import { areaTitle, docOf, isCallable, publicOf, sorted, unique } from "./select.js";
import { caseLink } from "./shared.js";
import type { TestCase } from "./tests.js";
import { inWords, plural, purpose, spoken } from "./words.js";

const MOST_AREAS = 14;
const MOST_STORIES = 6;

/** One chapter for each functional area; what no area has comes last. */
export async function userStories(facts: Facts): Promise<Section[]> {
  const open = publicOf(facts).filter((one) => isCallable(one) || docOf(one) !== "");
  const byTest = new TestNames(facts.tests);
  const told = new Set<Definition>();
  const chapters = facts.areas.slice(0, MOST_AREAS).flatMap((area) => {
    const own = sorted(open.filter((one) => one.area === area.id && docOf(one) !== "")).slice(0, MOST_STORIES);
    for (const one of own) told.add(one);
    return section(
      `area-${area.id}`,
      areaTitle(area),
      own.flatMap((one) => storyOf(one, roleOf(one, facts), byTest)),
    );
  });
  const rest = open.filter((one) => !told.has(one) && docOf(one) !== "" && one.area === 0);
  const others = section(
    "others",
    "Beside these",
    rest.slice(0, 10).flatMap((one) => storyOf(one, roleOf(one, facts), byTest)),
  );
  const all = [...chapters, ...others];
  if (all.length === 0) return [];
  const intro = note(
    "Each story is a public definition or an entry point with the first sentence of its comment. Acceptance criteria are test cases whose file or name mentions it. The benefit (“so that …”) is for people to add: code does not say it.",
  );
  return [{ id: "about", title: "About these stories", level: 2, blocks: [intro] }, ...all];
}

/** Who uses a definition, by the flows that begin in it. */
function roleOf(one: Definition, { flows }: Facts): string {
  const kind = flows.find(({ steps }) => steps[0]?.definition.id === one.id)?.entry_kind;
  if (kind === "main") return "a person who runs the program";
  if (kind === "route") return "a client of the service";
  return "a developer";
}

const MOST_CASES = 4;

function storyOf(one: Definition, role: string, tests: TestNames): Block[] {
  const verb = isCallable(one) ? "call" : "use";
  const why = purpose(docOf(one));
  const cases = tests.of(one);
  const shown = cases.slice(0, MOST_CASES).map((test): Sentence => [caseLink(test)]);
  const more = cases.length - shown.length;
  const story: Sentence = [
    `As ${role}, I can ${verb} `,
    definitionLink(one),
    why.startsWith(",") ? why : ` ${why}`,
    shown.length > 0
      ? `. ${shown.length === 1 ? "It works when this test passes" : "It works when these tests pass"}:`
      : ".",
  ];
  const unnamed: Sentence[] =
    cases.length === 0 && tests.areThere && one.n_users > 0
      ? [
          [
            "No test is named after ",
            definitionLink(one, one.name),
            `, which is used in ${inWords(one.n_users, "place")}.`,
          ],
        ]
      : [];
  return [
    paragraph(story, ...unnamed),
    ...(shown.length > 0 ? [list(shown)] : []),
    ...(more > 0 ? [note(`And ${plural(more, "more test")}.`)] : []),
  ];
}

/** Test cases by the names that their files and words mention. */
class TestNames {
  private readonly cases: readonly { readonly test: TestCase; readonly stem: string; readonly words: string }[];

  constructor(tests: readonly TestCase[]) {
    this.cases = tests.map((test) => ({
      test,
      stem: spoken((test.path.split("/").at(-1) ?? "").replace(/\.\w+$/, "")),
      words: ` ${spoken(test.name)
        .toLowerCase()
        .replace(/[^a-z0-9?!]+/g, " ")} `,
    }));
  }

  get areThere(): boolean {
    return this.cases.length > 0;
  }

  /** Cases about a definition: named in the case, or in a file that is named after it. */
  of({ qualified, name }: Definition): TestCase[] {
    const whole = spoken(qualified).toLowerCase();
    const simple = spoken(name).toLowerCase();
    const inFile = this.cases.filter(({ stem }) => {
      const file = stem
        .toLowerCase()
        .replace(/\b(test|tests|spec)\b/g, " ")
        .replace(/\s+/g, " ")
        .trim();
      return file === whole || (file === simple && simple.length > 4);
    });
    // Short names are words of English, too.
    const inWordsOf =
      simple.includes(" ") || simple.length > 7 ? this.cases.filter(({ words }) => words.includes(` ${simple} `)) : [];
    return unique(
      [...inFile, ...inWordsOf].map(({ test }) => test),
      ({ says }) => says,
    );
  }
}
