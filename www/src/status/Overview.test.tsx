import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { openFake } from "../../test/open.ts";
import { repository } from "../state/repository.ts";
import { byReason, Overview } from "./Overview.tsx";

test("the overview says the contents of the index, the skipped files and where the code is", async () => {
  await openFake();
  const html = render(<Overview repository={repository.value!} />);
  assert.match(html, /2 files, 10 lines, 1\.0 kB/);
  assert.match(html, /1 path: not text/);
  assert.match(html, /Code stays in this tab/);
  assert.match(html, /lost when you close it/);
});

test("skipped files are grouped by reason, the largest group first", () => {
  const file = (path: string, code: string) => ({ path, code, message: "" });
  const groups = byReason([file("a", "binary"), file("b", "ignored"), file("c", "ignored")]);
  assert.deepEqual(
    groups.map(([code, files]) => [code, files.length]),
    [
      ["ignored", 2],
      ["binary", 1],
    ],
  );
});
