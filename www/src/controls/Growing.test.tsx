import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "preact-render-to-string";
import { Growing } from "./Growing.tsx";

test("only the first rows are drawn at once", () => {
  const items = Array.from({ length: 1_000 }, (_, at) => at);
  const html = renderToString(<Growing items={items} step={3} draw={(item) => <li key={item}>{item}</li>} />);
  assert.equal(html, "<li>0</li><li>1</li><li>2</li>");
});
