import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { applyEdits, changesOf, isChosen, linesOf, patchOf, spotsOf } from "./plan.ts";

const text = "let add = 1;\n// add to it\nadd(add);\r\nlast";
const word = (start: number, sort = "", chosen = true) => ({ start, end: start + 3, text: "sum", sort, chosen });
const at = [...text.matchAll(/add/g)].map((match) => match.index);

test("edits of one line are one place; another sort is another place", () => {
  const { spots, n_overlapping } = spotsOf(text, [
    word(at[3] ?? 0),
    word(at[0] ?? 0),
    word(at[1] ?? 0, "comment", false),
    word(at[2] ?? 0),
    word((at[2] ?? 0) + 1),
  ]);
  assert.equal(n_overlapping, 1);
  assert.deepEqual(
    spots.map(({ firstLine, sort, edits }) => [firstLine, sort, edits.length]),
    [
      [1, "", 1],
      [2, "comment", 1],
      [3, "", 2],
    ],
  );
  assert.deepEqual(linesOf(text, spots[2] as never), { before: ["add(add);"], after: ["sum(sum);"] });
});

test("only chosen places change; a file without a change is left out", () => {
  const { spots } = spotsOf(text, [word(at[0] ?? 0), word(at[1] ?? 0, "comment", false)]);
  const plans = [
    { path: "a.js", before: text, spots },
    { path: "b.js", before: "x", spots: [] },
  ];
  assert.deepEqual(
    changesOf(plans, new Map()).map(({ path, after, n_edits }) => [path, after.split("\n", 2), n_edits]),
    [["a.js", ["let sum = 1;", "// add to it"], 1]],
  );
  const [first, second] = spots;
  assert.ok(first && second);
  const chosen = new Map([
    [`a.js ${first.key}`, false],
    [`a.js ${second.key}`, true],
  ]);
  assert.equal(isChosen("a.js", first, chosen), false);
  assert.equal(changesOf(plans, chosen)[0]?.after.split("\n")[1], "// sum to it");
});

test("a match that is deleted leaves the rest, also over several lines", () => {
  const { spots } = spotsOf("a\nbb\ncc\nd", [{ start: 2, end: 8, text: "", sort: "", chosen: true }]);
  assert.deepEqual(linesOf("a\nbb\ncc\nd", spots[0] as never), { before: ["bb", "cc"], after: [] });
  assert.equal(applyEdits("a\nbb\ncc\nd", spots[0]?.edits ?? []), "a\nd");
});

test("git applies the patch, whatever the path and the ends of lines", () => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-patch-"));
  try {
    const files: [path: string, before: string, after: string][] = [
      ["a b/ü.txt", "one\ntwo\nthree\n", "one\n2\nthree\n"],
      ["crlf.txt", "one\r\ntwo\r\n", "one\r\nTWO\r\n"],
      ["no end.txt", "x\ny", "x\nz"],
      ['odd"name\\.txt', "q\n", "r\n"],
    ];
    for (const [path, before] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), before);
    }
    const patch = patchOf(files.map(([path, before, after]) => ({ path, before, after })));
    writeFileSync(join(folder, "it.patch"), patch);
    execFileSync("git", ["apply", "--whitespace=nowarn", "it.patch"], {
      cwd: folder,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: folder },
    });
    for (const [path, , after] of files) assert.equal(readFileSync(join(folder, path), "utf8"), after, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
