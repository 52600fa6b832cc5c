// How the page looks to those who see it, and to those who do not: pictures, and what axe finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

/** Fails with the first places of each rule that the page breaks; `where` says which part of the page it is. */
export async function accessible(page, where) {
  // Evaluated through the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly }), rules);
  const placeOf = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(placeOf).join(" | ")}`),
    [],
    where,
  );
}

/** A picture for those who look, where PORTOLAN_SHOTS names a folder for it. */
export async function shot(page, name) {
  const folder = process.env.PORTOLAN_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
