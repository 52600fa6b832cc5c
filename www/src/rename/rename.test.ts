import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenameEdit } from "portolan";
import { changesOf } from "../write/plan.ts";
import { nameProblem, plansOf } from "./rename.ts";

const edit = (line: number, character: number, more: Partial<RenameEdit> = {}): RenameEdit => ({
  line: line + 1,
  range: { start: { line, character }, end: { line, character: character + 3 } },
  old_text: "add",
  new_text: "sum",
  text: "",
  source: "graph",
  confidence: 1,
  reason: "import",
  place: "code",
  applied: true,
  ...more,
});

test("resolved places are chosen, words in comments are offered", () => {
  const text = "// add\nadd(1);\n";
  const word = edit(0, 3, { source: "text_search", place: "comment", applied: false });
  const { plans, n_lost } = plansOf(
    { changes: [{ path: "a.js", edits: [word, edit(1, 0)] }] },
    new Map([["a.js", text]]),
  );
  assert.equal(n_lost, 0);
  assert.deepEqual(
    plans[0]?.spots.map(({ sort, chosen, firstLine }) => [sort, chosen, firstLine]),
    [
      ["comment", false, 1],
      ["", true, 2],
    ],
  );
  assert.equal(changesOf(plans, new Map())[0]?.after, "// add\nsum(1);\n");
});

test("an edit whose place holds something else is counted and left out", () => {
  const { plans, n_lost } = plansOf(
    { changes: [{ path: "a.js", edits: [edit(0, 1), edit(9, 0)] }] },
    new Map([["a.js", "add"]]),
  );
  assert.deepEqual([plans.length, n_lost], [0, 2]);
});

test("names of languages pass, everything else has a reason", () => {
  for (const name of ["", "add", "_x1", "$store", "größe", "empty?", "kebab-case", "save!"])
    assert.equal(nameProblem(name), "", name);
  for (const name of ["a b", "1a", "a.b", "(", "a\n"]) assert.notEqual(nameProblem(name), "", name);
});
