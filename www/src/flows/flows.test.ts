import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProcessSummary, SymbolRef } from "portolan";
import { endsOf, entryWords, matching } from "./flows.ts";

const place = (path: string): SymbolRef => ({ id: 1, name: "x", qualified_name: "x", kind: "function", path, line: 1 });
const flow = (label: string, from: string, to: string): ProcessSummary => ({
  id: 1,
  label,
  process_type: "intra_community",
  entry_kind: "route",
  n_steps: 3,
  entry: place(from),
  terminal: place(to),
});

test("every word typed must be in the label or in a path", () => {
  const flows = [
    flow("listen → bind", "lib/server.js", "lib/net.js"),
    flow("Router.add → insert", "lib/router.js", "a.js"),
  ];
  assert.deepEqual(
    matching(flows, "ROUTER insert").map(({ label }) => label),
    ["Router.add → insert"],
  );
  assert.equal(matching(flows, "lib").length, 2);
  assert.equal(matching(flows, "  ").length, 2);
  assert.equal(matching(flows, "lib nowhere").length, 0);
});

test("a label has two ends; a kind of entry that is not known is said as it is", () => {
  assert.deepEqual(endsOf("a → b → c"), ["a", "b → c"]);
  assert.deepEqual(endsOf("alone"), ["alone", ""]);
  assert.equal(entryWords("uncalled"), "called by nothing here");
  assert.equal(entryWords("new_kind"), "new kind");
});
