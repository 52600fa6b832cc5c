// Structural search, the repository map, and a language that the reader adds, in a real browser.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  allDone,
  answered,
  browse,
  clickCode,
  indexFolder,
  problemsOf,
  resultPaths,
  searchFor,
  serve,
} from "./harness.mjs";
import { accessible } from "./looks.mjs";

const given = (path) => fileURLToPath(new URL(`../../pkg/test/${path}`, import.meta.url));
const grammar = given("grammars/tree-sitter-r.wasm");
const queries = given("queries/r/symbols.scm");

for (const colorScheme of ["light", "dark"]) {
  test(`structural search and the repository map, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);

    await t.test("without a pattern the page says how to write one", async () => {
      await page.getByRole("link", { name: "Structural search" }).click();
      await page.getByText("Write a code pattern").waitFor();
      await accessible(page, "guide");
    });

    await t.test("places and captures; the keyboard opens one", async () => {
      await page.keyboard.press("/");
      await page.keyboard.type("throw new $ERROR($$$ARGS)");
      await answered(page, "throw new $ERROR($$$ARGS)");
      const found = await page.locator(".captures dd").allTextContents();
      assert.ok(
        found.some((text) => /^FST_ERR|Error$/.test(text)),
        found.slice(0, 9).join(", "),
      );
      for (const text of await page.locator(".snippet-line:first-child .snippet-text").allTextContents())
        assert.match(text, /throw new/);
      await accessible(page, "places");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/#\/f\/.*m=form/);
      await page.waitForFunction(() => document.querySelector(".cm-chosen")?.textContent.includes("throw new"));
      await page.goBack();
    });

    await t.test("a language narrows it, and a language that cannot read it says so", async () => {
      const all = await resultPaths(page);
      await page.getByRole("combobox", { name: "Language" }).selectOption("typescript");
      await page.locator(".results:not([aria-busy=true])").waitFor();
      await page.waitForURL(/lang=typescript/);
      await page.waitForFunction((before) => document.querySelectorAll(".result-path").length !== before, all.length);
      for (const path of await resultPaths(page)) assert.match(path, /\.ts$/);
      await page.getByRole("combobox", { name: "Language" }).selectOption("");
      await page.getByRole("searchbox", { name: "Search the repository" }).fill("((((");
      await page.getByRole("alert").getByText("This pattern cannot be used").waitFor();
      await page.locator(".failure-place", { hasText: "^" }).waitFor();
    });

    await t.test("a query of tree-sitter does what a pattern cannot", async () => {
      await page.getByRole("combobox", { name: "Language" }).selectOption("javascript");
      await searchFor(
        page,
        '(function_declaration name: (identifier) @name (#match? @name "^build.*Handler$")) @match',
      );
      assert.deepEqual(await page.locator(".captures dd").allTextContents(), ["buildErrorHandler"]);
    });

    await t.test("the map names files and definitions within its tokens, and leads to them", async () => {
      await page.locator(".brand").focus();
      await page.goto(`${site.url}#/?r=fastify&v=map`);
      const map = page.getByRole("region", { name: "Repository map" });
      await map.getByText(/^\d+ files, [\d,]+ tokens/).waitFor();
      const files = await map.locator(".map-path").count();
      await map.getByRole("combobox", { name: "Tokens" }).selectOption("8192");
      await page.waitForFunction((before) => document.querySelectorAll(".map-path").length > before, files);
      await accessible(page, "map");
      await map.getByRole("textbox", { name: "In paths" }).fill("no-such-folder");
      await map.getByText("Nothing to show").waitFor();
      await map.getByRole("textbox", { name: "In paths" }).fill("lib");
      await map.locator(".map-path", { hasText: "lib/error-handler.js" }).click();
      await page.waitForURL(/#\/f\/lib\/error-handler\.js/);
    });

    assert.deepEqual(problemsOf(page), []);
  });
}

test("a language is added, refused with a message if its grammar does not fit, kept, and removed", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const made = mkdtempSync(join(tmpdir(), "portolan-r-"));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(made, "shop");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "tax.R"),
    "# Adds the tax.\nadd_tax <- function(net) {\n  net * 1.2\n}\n\ntotal <- function(nets) add_tax(sum(nets))\n",
  );
  const page = await browse(t);
  await page.goto(site.url);
  const own = page.getByRole("region", { name: "Your languages" });
  const choose = page.locator("input[name=grammar]");

  await choose.setInputFiles([queries]);
  await page.getByRole("alert").filter({ hasText: "there is no grammar among the files" }).waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();

  const wrong = {
    name: "symbols.scm",
    mimeType: "text/plain",
    buffer: Buffer.from("(no_such_node) @definition.function"),
  };
  await choose.setInputFiles([
    { name: "tree-sitter-r.wasm", mimeType: "application/wasm", buffer: readFileSync(grammar) },
    wrong,
  ]);
  await own.getByRole("button", { name: "Add it" }).click();
  await own
    .getByRole("alert")
    .getByText(/no_such_node|query/)
    .waitFor();
  await accessible(page, "a grammar that does not fit");
  await own.getByRole("button", { name: "Not now" }).click();

  await choose.setInputFiles([grammar, queries, given("queries/r/references.scm"), given("queries/r/highlights.scm")]);
  assert.equal(await own.getByRole("textbox", { name: "Name" }).inputValue(), "r");
  await own.getByRole("textbox", { name: "File extensions" }).fill(".r, rmd");
  await page.keyboard.press("Enter");
  await own.getByText(".r .rmd").waitFor();

  await page.locator("input[name=folder]").setInputFiles(folder);
  await page.getByRole("heading", { level: 1, name: "shop", exact: true }).waitFor();
  await allDone(page);
  await searchFor(page, "add_tax");
  await page.locator(".passage-link", { hasText: "add_tax" }).first().click();
  await page.locator(".cm-content .hl-comment", { hasText: "Adds the tax" }).waitFor();
  await clickCode(page, "add_tax(sum(nets))", "add_tax");
  await page.getByRole("region", { name: "Symbol" }).getByText("tax.R:2").waitFor();

  // After a reload the language is still there: colours and forms of the saved index need it.
  await page.goto(`${site.url}?again#/?r=shop&m=form&q=add_tax+<-+function($$$)+$BODY`);
  await page.locator(".captures dd", { hasText: "net * 1.2" }).first().waitFor();
  await page.goto(`${site.url}#/`);
  await own.getByRole("button", { name: "Remove r" }).click();
  await own.getByText("Twenty languages are built in").waitFor();
  assert.deepEqual(problemsOf(page), []);
});
