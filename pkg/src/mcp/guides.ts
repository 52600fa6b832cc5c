/**
 * How to work with the tools: four tasks, each in steps. The prompts of the MCP server are made from them, and so are the
 * skills (`tools/skills.mjs`).
 */

export interface Guide {
  readonly name: "exploring" | "debugging" | "impact-analysis" | "refactoring";
  /** Its purpose, and when to use it. */
  readonly description: string;
  /** Arguments that the user fills in: the first is needed. */
  readonly arguments: readonly (readonly [name: string, description: string])[];
  /** The steps, with `{name}` where an argument goes. */
  readonly task: string;
  readonly steps: readonly string[];
  /** Tools whose reference belongs to it. */
  readonly tools: readonly string[];
}

export const GUIDES: readonly Guide[] = [
  {
    name: "exploring",
    description:
      "Find out how unfamiliar code works: where something is done, what calls what, how the parts fit together. Use for questions like how does X work, where is Y, what is this repository.",
    arguments: [["question", "The question"]],
    task: "Find out: {question}",
    steps: [
      "`repo_map` for the layout, if the repository is new to you.",
      "`search` with the question in plain words, or with an identifier; `query` if the answer is a sequence of steps rather than a place.",
      "`context` of the main symbol: its callers, its callees, its flows.",
      "`trace` from one symbol to the other, if the question is how they are connected.",
      "`read_code` of symbols, not of whole files, and only now.",
    ],
    tools: ["search", "query", "context", "trace"],
  },
  {
    name: "debugging",
    description:
      "Find the place of a bug from a symptom, an error message or a failing test. Use when something is wrong and the cause is not known.",
    arguments: [["symptom", "The symptom: a message, a wrong result, a failing test"]],
    task: "Find the cause of: {symptom}",
    steps: [
      "`search` with the error message or the words of the symptom; `search` with `kinds` or `paths` if that is too wide.",
      "`context` of the function that reports it: its callers lead to the fault.",
      '`trace` from the entry point to that function; `code_intelligence` with `command: "callers"` and `depth` if there are many paths.',
      "`structural_search` for the same mistake elsewhere, once you know its pattern.",
      "`detect_changes` with `base`, if it worked before: the changes since then, and the flows that they affect.",
      "`read_code` of the suspects. Name the line, the cause, and other places with the same fault.",
    ],
    tools: ["search", "context", "trace", "detect_changes"],
  },
  {
    name: "impact-analysis",
    description:
      "Predict what a change will break, and review the effects of a finished change before you commit it. Use before editing shared code, before commits, for reviews and for choosing tests to run.",
    arguments: [["symbol", "The symbol to change"]],
    task: "Say what a change of {symbol} would break, and which tests to run.",
    steps: [
      "`context` first, if several definitions have the name: use the `selector` of the intended one.",
      "`impact` with `depth` 3: depth 1 will break, depth 2 is likely affected, depth 3 may need tests.",
      '`impact` with `tests: "only"`: the tests to run.',
      "`min_confidence` 0.8 if a name is common: a compiler would confirm most of the rest.",
      "After the edit: `detect_changes`. Its symbols should be the ones you meant to change, and no others.",
    ],
    tools: ["impact", "detect_changes", "context"],
  },
  {
    name: "refactoring",
    description:
      "Rename, move, split or reshape code without breaking callers. Use for renames across files, changed signatures and extracted functions.",
    arguments: [["change", "The change to make"]],
    task: "Carry out: {change}",
    steps: [
      "`impact` of what changes: the callers at depth 1 are the list of places to edit.",
      "`rename` for names: first without `apply`; check `conflicts` and every edit whose source is `text_search`; then with `apply: true`.",
      "`structural_search` for call sites of a certain shape, if a signature changes.",
      '`code_intelligence` with `command: "refs"` for uses other than calls.',
      'Update the index after the edits (`portolan index`), then `detect_changes`, then the tests that `impact` with `tests: "only"` names.',
    ],
    tools: ["rename", "impact", "detect_changes"],
  },
];

/** The text of a guide as a prompt. */
export function promptOf({ task, steps, arguments: names }: Guide, given: Readonly<Record<string, string>>): string {
  const asked = names.reduce(
    (text, [name]) => text.replace(`{${name}}`, given[name] ?? `the ${name} that the user names`),
    task,
  );
  return `${asked}\n\nUse the tools of Portolan:\n${steps.map((step, place) => `${place + 1}. ${step}`).join("\n")}\n`;
}
