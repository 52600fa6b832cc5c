import assert from "node:assert/strict";
import { test } from "node:test";
import { because, inPlainWords, sureness } from "./words.ts";

test("confidence falls in steps that have a word each", () => {
  const steps = [1, 0.99, 0.8, 0.7, 0.3].map(sureness);
  assert.deepEqual(steps, ["Certain", "Nearly certain", "Likely", "Probable", "A guess"]);
});

test("the sentence says how sure, why, and how often it is right", () => {
  assert.equal(
    inPlainWords(0.8, "unique-name"),
    "Likely, because it is the only definition of this name in the repository (right in 80 of 100 cases)",
  );
  assert.equal(inPlainWords(1, "structure"), "Certain, because this is the definition itself");
  assert.equal(because("some-new-rule"), "some new rule");
});
