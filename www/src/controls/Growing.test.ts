import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { Growing } from "./Growing.tsx";

test("only the first rows are drawn at once", () => {
  const items = Array.from({ length: 1_000 }, (_, at) => at);
  const html = renderToString(h(Growing<number>, { items, step: 3, draw: (item: number) => h("li", { key: item }, item) }));
  assert.equal(html, "<li>0</li><li>1</li><li>2</li>");
});
