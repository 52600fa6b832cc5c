import assert from "node:assert/strict";
import { test } from "node:test";
import { fromHits, fromRegex, wideGlob } from "./search.ts";

const match = (line: number, text: string, before: string[], after: string[], marks: [number, number][]) => ({ path: "a.ts", line, text, marks, before, after });

test("matching lines whose surroundings touch become one passage, and the marks stay on their words", () => {
  const source = ["zero", "one hit", "two", "hit three", "four", "five", "six", "seven hit"];
  const at = (n: number, marks: [number, number][]) => match(n + 1, source[n] ?? "", source.slice(n - 1, n), source.slice(n + 1, n + 2), marks);
  const { files, shown } = fromRegex({ matches: [at(1, [[4, 7]]), at(3, [[0, 3]]), at(7, [[6, 9]])], truncated: false, timed_out: false, n_files: 1 }, 0);
  const passages = files[0]?.passages ?? [];
  assert.equal(shown, 3);
  assert.deepEqual(passages.map(({ textLine, endLine }) => [textLine, endLine]), [[1, 5], [7, 8]]);
  for (const { text, marks } of passages) for (const [start, end] of marks) assert.equal(text.slice(start, end), "hit");
  assert.equal(passages[0]?.text, source.slice(0, 5).join("\n"));
});

test("neighbouring matches do not repeat a line", () => {
  const source = ["hit", "hit", "hit"];
  const matches = source.map((text, n) => match(n + 1, text, source.slice(Math.max(0, n - 1), n), source.slice(n + 1, n + 2), [[0, 3]]));
  const [file] = fromRegex({ matches, truncated: true, timed_out: false, n_files: 1 }, 0).files;
  assert.equal(file?.passages.length, 1);
  assert.equal(file?.passages[0]?.text, "hit\nhit\nhit");
  assert.deepEqual(file?.passages[0]?.marks, [[0, 3], [4, 7], [8, 11]]);
});

test("hits of one file stand together in the order of the best", () => {
  const hit = (path: string, start_line: number) => ({ path, language: "go", start_line, end_line: start_line + 3, score: 1, symbol: undefined, kind: undefined, snippet: { start_line, text: "x", marks: [] }, why: ["words"], more: [] });
  const answer = fromHits({ query: "x", mode: "hybrid", intent: "conceptual", total: 9, hits: [hit("b", 1), hit("a", 1), hit("b", 40)] }, 1);
  assert.deepEqual(answer.files.map((file) => [file.path, file.passages.map((passage) => passage.startLine)]), [["b", [1, 40]], ["a", [1]]]);
});

test("a bare word is widened, a glob is not", () => {
  assert.deepEqual(["src", "!test", "*.ts", "a/{b,c}", "!"].map(wideGlob), ["**/*src*{,/**}", "!**/*test*{,/**}", "*.ts", "a/{b,c}", "!"]);
});
