import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { openFake } from "../../test/open.ts";
import { repository } from "../state/repository.ts";
import { Overview } from "./Overview.tsx";

test("the overview says how much there is in one line, and where the index is", async () => {
  await openFake();
  const html = render(<Overview repository={repository.value!} />);
  assert.match(html, /2 files, 10 lines, 1\.0 kB/);
  assert.match(html, /<dl class="figures">.*definitions.*connections/);
  assert.match(html, /1 path left out/);
  assert.match(html, /lost when you close it/);
});
