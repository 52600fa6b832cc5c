import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileEntry } from "portolan";
import { facetsOf, toggled } from "./facets.ts";
import { emptyLink } from "./link.ts";
import type { Answer, Passage } from "./search.ts";

const entry = (path: string, language: string) => ({ path, language }) as FileEntry;
const passage = (path: string, kind: string) => ({ path, kind }) as Passage;
const answer = {
  files: [
    { path: "lib/a.ts", passages: [passage("lib/a.ts", "function"), passage("lib/a.ts", "class")], more: [] },
    { path: "test/a.py", passages: [passage("test/a.py", "function")], more: [] },
    { path: "readme.md", passages: [passage("readme.md", "")], more: [] },
  ],
} as unknown as Answer;
const files = [entry("lib/a.ts", "typescript"), entry("test/a.py", "python"), entry("readme.md", "markdown")];

test("results are counted by language, kind, folder and whether they are tests", () => {
  assert.deepEqual(
    facetsOf(answer, files, emptyLink).map(({ group, value, count }) => `${group} ${value} ${count}`),
    [
      "language typescript 2",
      "language markdown 1",
      "language python 1",
      "kind function 2",
      "kind class 1",
      "folder lib/ 2",
      "folder test/ 1",
      "tests tests 1",
    ],
  );
});

test("what is turned on is in the link, is shown first, and can be turned off", () => {
  let link = { ...emptyLink, within: "!docs" };
  for (const facet of facetsOf(answer, files, link).filter(({ value }) => /python|class|test/.test(value)))
    link = { ...link, ...toggled(facet, link) };
  assert.deepEqual([link.language, link.kind, link.within], ["python", "class", "!docs test/** !test !spec"]);
  const on = facetsOf(answer, files, link).filter((facet) => facet.on);
  assert.deepEqual(
    on.map(({ value }) => value),
    ["python", "class", "test/", "tests"],
  );
  for (const facet of on) link = { ...link, ...toggled(facet, link) };
  assert.deepEqual(link, { ...emptyLink, within: "!docs" });
});

test("a chosen value stays in sight where nothing has it", () => {
  const none = { files: [] } as unknown as Answer;
  assert.deepEqual(
    facetsOf(none, files, { ...emptyLink, language: "rust" }).map(({ value, count, on }) => [value, count, on]),
    [["rust", 0, true]],
  );
});
