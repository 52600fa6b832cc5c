import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { openFake, settled } from "../../test/open.ts";
import { keepSymbol, tab } from "../state/symbol.ts";
import { SymbolPanel } from "./SymbolPanel.tsx";

test("a symbol is drawn with its place, its uses by file and its callers", async () => {
  await openFake({ symbol: "src/a.ts#add" });
  const stop = keepSymbol();
  await settled();
  const html = render(<SymbolPanel />);
  assert.match(html, /export function add\(\)/);
  assert.match(html, /function in <a class="place"/);
  assert.match(html, /return add\(\) \+ add\(\);/);
  tab.value = "callees";
  assert.match(render(<SymbolPanel />), /No call in it leads to a definition of this repository/);
  tab.value = "callers";
  const callers = render(<SymbolPanel />);
  assert.match(callers, /b\.ts:2/);
  assert.match(callers, /aria-selected="true"[^>]*>Callers/);
  stop();
});

test("a symbol that is not there is named in words", async () => {
  await openFake({ symbol: "nowhere" });
  const stop = keepSymbol();
  await settled();
  assert.match(render(<SymbolPanel />), /Nothing in this repository is named nowhere/);
  stop();
});
