import assert from "node:assert/strict";
import { test } from "node:test";
import { h, options } from "preact";
import { render } from "preact-render-to-string";

import { showEscaped } from "./escaped.ts";

test("control characters and marks of direction are written out, in texts and in what is read aloud", () => {
  const before = options.vnode;
  showEscaped();
  try {
    const name = "gpj.\u202esj";
    const Row = ({ name }: { name: string }) =>
      h("li", { title: name, "aria-label": `open ${name}` }, "file ", h("b", null, name), name);
    const html = render(h(Row, { name }));
    assert.equal(html.match(/gpj\.\\u202esj/g)?.length, 4, html);
    assert.ok(!html.includes("\u202e"));
    assert.match(render(h("p", null, "\x1b[31mred", 7, null)), /\\u001b\[31mred7/);
    assert.match(render(h("p", null, "שלום, 价格 €\tx\n")), /שלום, 价格 €\tx\n/);
  } finally {
    options.vnode = before as never;
  }
});
