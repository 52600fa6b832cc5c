// The atlas of 50,000 definitions: how many frames a second it draws, by WebGL and without.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browse, problemsOf, serve, tarOf, askAtlas } from "./harness.mjs";
import { shot } from "./looks.mjs";

const view = (page) => page.getByRole("region", { name: "Atlas", exact: true });

/** A repository of `nFiles` files with `nFunctions` functions each, in files that call each other. */
function large(nFiles, nFunctions) {
  const files = {};
  for (let file = 0; file < nFiles; file += 1) {
    const lines = [`const { f0: next } = require("./f${(file * 7 + 3) % nFiles}.js");`];
    for (let n = 0; n < nFunctions; n += 1)
      lines.push(`exports.f${n} = function f${n}(x) { return ${n === 0 ? "next" : `f${n - 1}`}(x); };`);
    files[`pkg${file % 40}/f${file}.js`] = lines
      .join("\n")
      .replaceAll(`./f`, `../pkg${((file * 7 + 3) % nFiles) % 40}/f`);
  }
  return tarOf("large", files);
}

/** Frames a second while the picture is dragged for two seconds. */
async function framesOf(page) {
  const box = await page.locator(".atlas-host").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate(() => {
    window.frames = 0;
    const count = () => {
      window.frames += 1;
      window.counting = requestAnimationFrame(count);
    };
    window.counting = requestAnimationFrame(count);
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  const start = Date.now();
  for (let turn = 0; Date.now() - start < 2_000; turn += 1) {
    await page.mouse.move(x + Math.sin(turn / 9) * 120, y + Math.cos(turn / 9) * 120);
    await page.waitForTimeout(8);
  }
  const seconds = (Date.now() - start) / 1000;
  await page.mouse.up();
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.counting);
    return window.frames;
  });
  return frames / seconds;
}

test("50,000 definitions are a map that can be moved", { timeout: 900_000 }, async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  page.setDefaultTimeout(300_000);
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(large(1_000, 50));
  await page.getByRole("heading", { level: 1, name: /large/ }).waitFor();
  for (const draw of ["webgl", "canvas"]) {
    await askAtlas(page, { as: "graph", level: "symbols", draw });
    await page.locator(`.atlas-host[data-renderer=${draw}]`).waitFor();
    await view(page)
      .getByText(/50,000 definitions/)
      .waitFor();
    await page.waitForTimeout(3_000);
    await shot(page, `atlas-50000-${draw}`);
    const frames = await framesOf(page);
    t.diagnostic(`${draw}: ${frames.toFixed(1)} frames a second with 50,000 definitions, drawn in software`);
    // Without a graphics card the page chooses the canvas; a busy machine halves its rate.
    assert.ok(frames > (draw === "canvas" ? 10 : 0), `${draw}: ${frames}`);
  }
  assert.deepEqual(problemsOf(page), []);
});
