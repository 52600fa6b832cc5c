import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "./parts.ts";

/** `a b` are texts, `<…>` is HTML; each letter counts. */
function check(blocks: string, size: number, parts: readonly string[]): void {
  test(`${blocks} by ${size}`, () => {
    const given = blocks.split(" | ").map((raw) => ({ type: raw.startsWith("<") ? "html" : "paragraph", raw }));
    const found = partsOf(given, size).map((part) => part.map(({ raw }) => raw).join(" | "));
    assert.deepEqual(found, parts);
  });
}

check("aaaa | bbbb | cc", 3, ["aaaa", "bbbb", "cc"]);
check("aa | bb | cc", 3, ["aa | bb", "cc"]);
check("<div> | aa | </div> | bb", 1, ["<div> | aa | </div>", "bb"]);
check("<details><summary>x</summary> | aa | </details> | bb", 1, [
  "<details><summary>x</summary> | aa | </details>",
  "bb",
]);
check("<img src='a'> | bb", 1, ["<img src='a'>", "bb"]);
check("<br/> | <!-- <div> --> | bb", 1, ["<br/>", "<!-- <div> -->", "bb"]);
check("</div> | bb", 1, ["</div>", "bb"]);
check("<div> | aa", 1, ["<div> | aa"]);

test("a tag without its end is read once", () => {
  const started = performance.now();
  for (const raw of [`<x>\n<${"a".repeat(300_000)}`, `<x>\n${"<a ".repeat(100_000)}`, "<!--".repeat(75_000)])
    assert.equal(partsOf([{ type: "html", raw }], 10).length, 1);
  assert.ok(performance.now() - started < 3_000, `${performance.now() - started} ms`);
});
