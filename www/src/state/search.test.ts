import assert from "node:assert/strict";
import { test } from "node:test";
import { fromForm, fromHits, fromRegex, latest, paused, placeIn, type Search } from "./search.ts";
import { formOf, wideGlob } from "./search-fields.ts";

const match = (line: number, text: string, before: string[], after: string[], marks: [number, number][]) => ({
  path: "a.ts",
  line,
  text,
  marks,
  before,
  after,
});

test("matching lines whose surroundings touch become one passage, and the marks stay on their words", () => {
  const source = ["zero", "one hit", "two", "hit three", "four", "five", "six", "seven hit"];
  const at = (n: number, marks: [number, number][]) =>
    match(n + 1, source[n] ?? "", source.slice(n - 1, n), source.slice(n + 1, n + 2), marks);
  const { files, shown } = fromRegex(
    { matches: [at(1, [[4, 7]]), at(3, [[0, 3]]), at(7, [[6, 9]])], truncated: false, timed_out: false, n_files: 1 },
    0,
  );
  const passages = files[0]?.passages ?? [];
  assert.equal(shown, 3);
  assert.deepEqual(
    passages.map(({ textLine, endLine }) => [textLine, endLine]),
    [
      [1, 5],
      [7, 8],
    ],
  );
  for (const { text, marks } of passages) for (const [start, end] of marks) assert.equal(text.slice(start, end), "hit");
  assert.equal(passages[0]?.text, source.slice(0, 5).join("\n"));
});

test("neighbouring matches do not repeat a line", () => {
  const source = ["hit", "hit", "hit"];
  const matches = source.map((text, n) =>
    match(n + 1, text, source.slice(Math.max(0, n - 1), n), source.slice(n + 1, n + 2), [[0, 3]]),
  );
  const [file] = fromRegex({ matches, truncated: true, timed_out: false, n_files: 1 }, 0).files;
  assert.equal(file?.passages.length, 1);
  assert.equal(file?.passages[0]?.text, "hit\nhit\nhit");
  assert.deepEqual(file?.passages[0]?.marks, [
    [0, 3],
    [4, 7],
    [8, 11],
  ]);
});

test("hits of one file stand together in the order of the best", () => {
  const hit = (path: string, start_line: number) => ({
    path,
    language: "go",
    start_line,
    end_line: start_line + 3,
    score: 1,
    symbol: undefined,
    kind: undefined,
    snippet: { start_line, text: "x", marks: [] },
    why: ["words"],
    more: [],
  });
  const answer = fromHits(
    {
      query: "x",
      mode: "hybrid",
      plan: { mode: "hybrid", why: "a question" },
      intent: "conceptual",
      total: 9,
      hits: [hit("b", 1), hit("a", 1), hit("b", 40)],
    },
    1,
  );
  assert.deepEqual(
    answer.files.map((file) => [file.path, file.passages.map((passage) => passage.startLine)]),
    [
      ["b", [1, 40]],
      ["a", [1]],
    ],
  );
});

test("a bare word is widened, a glob is not", () => {
  assert.deepEqual(["src", "!test", "*.ts", "a/{b,c}", "!"].map(wideGlob), [
    "**/*src*{,/**}",
    "!**/*test*{,/**}",
    "*.ts",
    "a/{b,c}",
    "!",
  ]);
});

test("a query of tree-sitter is told from code with holes", () => {
  for (const query of [
    "(identifier) @name",
    '((call_expression function: (_) @f) (#eq? @f "x"))',
    '["if" "while"] @word',
    "  (_ body: (_) @match)",
  ])
    assert.ok("query" in formOf(query), query);
  for (const pattern of ["foo($A)", "($A) => $B", "(a, b)", "@Component($$$) class $C {}", "[$A, $B]", "(x) @ y"])
    assert.ok("pattern" in formOf(pattern), pattern);
});

test("code of a form keeps its place on the line, and what its holes stand for", () => {
  const range = { start: { line: 4, character: 2 }, end: { line: 4, character: 8 } };
  const found = {
    path: "a.ts",
    language: "typescript",
    start_line: 5,
    end_line: 5,
    range,
    text: "foo(1)",
    captures: [
      { name: "match", range, text: "foo(1)" },
      { name: "A", range, text: "1" },
    ],
  };
  const answer = fromForm(
    { matches: [found], truncated: false, timed_out: true, n_files: 1, languages: ["typescript"], unread: [] },
    1,
  );
  const passage = answer.files[0]?.passages[0];
  assert.deepEqual(
    [passage?.text, passage?.startLine, passage?.captures?.map(({ name }) => name)],
    ["  foo(1)", 5, ["A"]],
  );
  assert.deepEqual([answer.shown, answer.timedOut, answer.languages], [1, true, ["typescript"]]);
});

test("work that comes faster than it is done makes no queue: the first is done, then the last", async () => {
  const done: string[] = [];
  const give = latest();
  let finish = () => {};
  for (const letters of ["a", "ab", "abc", "abcd"])
    give(async () => {
      done.push(letters);
      await new Promise<void>((resolve) => (finish = resolve));
    });
  assert.deepEqual(done, ["a"], "the first at once, without a pause");
  finish();
  await new Promise((resolve) => setTimeout(resolve));
  finish();
  assert.deepEqual(done, ["a", "abcd"]);
});

test("a pause ends at once when it is stopped", async () => {
  const stopped = new AbortController();
  const pause = paused(60_000, stopped.signal);
  stopped.abort();
  assert.equal(await pause, false);
  assert.equal(await paused(60_000, stopped.signal), false);
  assert.equal(await paused(1, new AbortController().signal), true);
});

test("a better answer has another order: the mark goes with the passage that was chosen", () => {
  const answered = (...lines: number[]): Search => {
    const matches = lines.map((n) => ({ ...match(n, "hit", [], [], [[0, 3]]), path: `${n}.ts` }));
    return {
      state: "done",
      answer: fromRegex({ matches, truncated: false, timed_out: false, n_files: lines.length }, 0),
    };
  };
  assert.equal(placeIn(answered(3, 1, 2), answered(1, 2, 3), 0), 1);
  assert.equal(placeIn(answered(3, 2), answered(1, 2, 3), 0), 0, "it has gone");
  assert.equal(placeIn({ state: "idle" }, answered(1, 2, 3), 2), 2);
});
