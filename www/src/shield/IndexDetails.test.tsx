import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { openFake } from "../../test/open.ts";
import { repository } from "../state/repository.ts";
import { byReason, IndexDetails } from "./IndexDetails.tsx";

test("files left out are grouped by reason, the largest group first", () => {
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

test("the details behind the shield: files left out with their reasons", async () => {
  await openFake();
  const html = render(<IndexDetails repository={repository.value!} />);
  assert.match(html, /1 path: not text/);
});
