import assert from "node:assert/strict";
import { test } from "node:test";
import { staleWords } from "./stale-words.ts";

test("the files that have changed are counted, and the first are named", () => {
  for (const [n_files, paths, is_whole, words] of [
    [1, ["a.ts"], true, "1 file has changed since it was indexed: a.ts"],
    [2, ["a.ts", "b.ts"], true, "2 files have changed since they were indexed: a.ts, b.ts"],
    [4, ["a", "b", "c", "d"], true, "4 files have changed since they were indexed: a, b, c, …"],
    [1200, ["a", "b", "c", "d"], false, "At least 1,200 files have changed since they were indexed: a, b, c, …"],
  ] as const)
    assert.equal(staleWords({ n_files, paths, is_whole }), words);
});
