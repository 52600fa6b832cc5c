import assert from "node:assert/strict";
import { test } from "node:test";
import { questionsOf, quoted } from "./questions.ts";

const symbol = (name: string) => ({
  id: 1,
  name,
  qualified_name: `a.${name}`,
  kind: "function",
  path: "src/a.ts",
  line: 3,
});
const flow = {
  id: 1,
  label: "main → save",
  process_type: "",
  entry_kind: "main",
  n_steps: 3,
  entry: symbol("main"),
  terminal: symbol("save"),
};

test("questions name what is there and lead to its answer", () => {
  const found = questionsOf({
    central: [symbol("add"), symbol("take")],
    flows: [flow],
    areas: [{ id: 1, label: "Cart", n_members: 5, central: [symbol("add")] }],
    hot: [{ path: "src/o'hara.ts" }],
    hasTests: true,
  });
  const by = (part: string) => found.find(({ words }) => words.includes(part));
  assert.deepEqual(by("what else"), {
    words: "If I change “add”, what else is affected?",
    view: "impact",
    args: { of: "src/a.ts#a.add" },
  });
  assert.deepEqual(by("step by step"), {
    words: "How does main … save work, step by step?",
    view: "flows",
    args: { flow: "main → save" },
  });
  assert.match(JSON.stringify(by("Who imports")), /src\/o\\\\'hara\.ts/);
  assert.ok(by("“Cart”") && by("Which tests"));
});

test("nothing is asked about what is not there", () => {
  const found = questionsOf({ central: [], flows: [], areas: [], hot: [], hasTests: false });
  assert.deepEqual(
    found.map(({ words }) => words),
    ["Which functions are the most complex?"],
  );
});

test("a name cannot end its text in Cypher", () => {
  assert.equal(quoted("a'b\\c\nd"), "'a\\'b\\\\c\\nd'");
});
