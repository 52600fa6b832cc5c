import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { hasSample } from "../state/sample.ts";
import { Picture } from "./Picture.tsx";

test("the picture links into the sample, and is not there without one", () => {
  hasSample.value = false;
  assert.equal(render(<Picture />), "");
  hasSample.value = true;
  const html = render(<Picture />);
  assert.match(html, /href="#\/\?r=portolan\+\(sample\)&amp;v=atlas&amp;a\.folder=crates\/graph"/);
  assert.match(html, /aria-label="crates in the sample"/);
  hasSample.value = false;
});
