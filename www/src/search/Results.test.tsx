import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { openFake, settled } from "../../test/open.ts";
import { keepSearching, search } from "../state/search.ts";
import { failureWords, literal, Results } from "./Results.tsx";
import { Score } from "./Why.tsx";

test("hits are drawn by file with marks, line numbers, links and reasons", async () => {
  await openFake({ query: "add" });
  const stop = keepSearching();
  await settled();
  const html = render(<Results />);
  stop();
  assert.match(html, /2 results/);
  assert.match(html, /<mark>add<\/mark>/);
  assert.match(html, /href="#\/f\/src\/a\.ts\?r=fake&amp;L=1-2&amp;q=add"/);
  assert.match(html, /class="badge badge-words"/);
  assert.match(render(<Results dense />), /results-dense/);
});

test("nothing found says what was searched and offers wider searches", async () => {
  await openFake({ query: "nowhere", within: "src", mode: "lexical" });
  const stop = keepSearching();
  await settled();
  const html = render(<Results />);
  stop();
  assert.match(html, /Nothing found for “nowhere”/);
  assert.match(html, /Searched 2 files in paths that match “src” by words\./);
  for (const offer of ["Search all paths", "Search by words and meaning", "Search this exact text"])
    assert.ok(html.includes(offer), offer);
});

test("a failure is said in its own words", () => {
  search.value = { state: "failed", message: "unclosed group", help: "close the bracket" };
  const html = render(<Results />);
  assert.match(html, /unclosed group/);
  assert.match(html, /close the bracket/);
});

test("what is wrong with a pattern comes first, its place below", () => {
  assert.deepEqual(failureWords("regex parse error:\n    (\n    ^\nerror: unclosed group"), {
    words: "Unclosed group.",
    drawing: "    (\n    ^",
  });
  assert.deepEqual(failureWords("no such tool"), { words: "no such tool", drawing: "" });
  assert.deepEqual(failureWords("this is no code\n  (\n  ^"), { words: "this is no code", drawing: "  (\n  ^" });
});

test("exact text becomes a pattern that matches only itself", () => {
  for (const text of ["a.b(c)*", "x[0]{1}", "1+1=2^n$", "c:\\d|e?"])
    assert.ok(new RegExp(`^${literal(text)}$`).test(text), text);
});

test("an explanation leaves out signals that changed nothing", () => {
  const html = render(
    <Score
      explanation={{
        terms: [{ term: "add", document_frequency: 3, score: 2 }],
        lexical_score: 2,
        lexical_rank: 1,
        vector_score: undefined,
        vector_rank: undefined,
        fused_score: 0.5,
        signals: [
          { name: "test_penalty", factor: 0.5, added: 0 },
          { name: "export_boost", factor: 1, added: 0 },
        ],
        score: 0.25,
      }}
    />,
  );
  assert.match(html, /test penalty/);
  assert.match(html, /× 0\.50/);
  assert.doesNotMatch(html, /export boost/);
  assert.doesNotMatch(html, /by meaning/);
});
