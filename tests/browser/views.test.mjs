// The views that work with a repository: impact, flows and the Cypher console, in both themes, by mouse and by keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const view = (page, name) => page.getByRole("region", { name, exact: true });

async function openView(page, title) {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`>${title}`);
  await page.keyboard.press("Enter");
}

for (const colorScheme of ["light", "dark"]) {
  test(`impact, flows and Cypher, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);

    await t.test("impact begins with central definitions, and follows one by keyboard", async () => {
      await openView(page, "Impact");
      const impact = view(page, "Impact");
      await impact.locator(".central .row").first().waitFor();
      await shot(page, `impact-empty-${colorScheme}`);
      await accessible(page, "impact without a symbol");
      await impact.getByRole("combobox", { name: "Of" }).fill("buildRouting");
      await impact.getByRole("option").first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/v=impact&a\.of=.*buildRouting/);
      await view(page, "Step 1").locator(".row").first().waitFor();
      assert.match(await view(page, "Risk").textContent(), /low|medium|high|critical/);
      await shot(page, `impact-${colorScheme}`);
      await accessible(page, "impact");
    });

    await t.test("a row shows its code, and leads to the place of the use", async () => {
      const row = view(page, "Step 1").locator("li").first();
      await row.getByRole("button").click();
      const chosen = row.locator(".code-line[data-chosen]");
      await chosen.waitFor();
      assert.match(await chosen.textContent(), /buildRouting/);
      const place = await row.locator(".row-path").textContent();
      await row.locator(".row-path").click();
      await page.locator(".cm-chosen").first().waitFor();
      assert.ok(decodeURIComponent(page.url()).includes(place.split(":")[0]));
      await page.goBack();
      await view(page, "Step 1").waitFor();
    });

    await t.test("steps, direction and tests are part of the link", async () => {
      await page.getByRole("combobox", { name: "Steps" }).selectOption("1");
      await page.waitForURL(/a\.depth=1/);
      await view(page, "Step 2").waitFor({ state: "detached" });
      await page.getByRole("combobox", { name: "Show" }).selectOption("downstream");
      await page.waitForURL(/a\.way=down/);
      await view(page, "Impact").getByText("Directly").waitFor();
      await page.reload();
      await view(page, "Impact").getByText("Directly").waitFor();
      await page.getByRole("combobox", { name: "Of" }).fill("no such thing here");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("symbol.not-found").waitFor();
      await accessible(page, "impact of nothing");
    });

    await t.test("the flows of a repository, one read step by step", async () => {
      await openView(page, "Execution flows");
      const flows = page.getByRole("navigation", { name: "Flows" });
      await flows.locator(".flow").first().waitFor();
      const all = await flows.locator(".flow").count();
      assert.ok(all > 3, String(all));
      await flows.locator(".flow").first().click();
      const steps = view(page, "Steps");
      await steps.locator(".step .code-line").first().waitFor();
      assert.ok((await steps.locator(".step").count()) > 1);
      await shot(page, `flows-${colorScheme}`);
      await accessible(page, "flows");
      await steps.getByRole("button", { name: "More lines of step 1" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".step:first-child .code-line").length > 5);
      await page.getByRole("textbox", { name: "Filter" }).fill("there is no such flow");
      await page.getByText("No flow matches").waitFor();
      await page.getByRole("textbox", { name: "Filter" }).fill("");
      const current = flows.locator("[aria-current=true]");
      assert.equal(await current.count(), 1);
    });

    await t.test("Cypher: an example, a table, a graph, an error at its place", async () => {
      await openView(page, "Cypher");
      await page.getByRole("button", { name: /Calls between files/ }).waitFor();
      await shot(page, `cypher-empty-${colorScheme}`);
      await accessible(page, "Cypher without a query");
      await page.getByRole("button", { name: /Functions that most others call/ }).click();
      const table = view(page, "Table");
      await table.locator("tbody tr").first().waitFor();
      assert.deepEqual(await table.locator("th").allInnerTexts(), ["name", "path", "callers"]);
      await shot(page, `cypher-table-${colorScheme}`);
      const query = page.getByRole("textbox", { name: "Query" });
      await query.fill("MATCH p = (a:Function)-[:CALLS]->(b:Function) WHERE a.path <> b.path RETURN p LIMIT 12");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("tab", { name: /Graph/ }).click();
      await page.locator(".cypher-node").first().waitFor();
      assert.ok((await page.locator(".cypher-edge").count()) > 0);
      await shot(page, `cypher-graph-${colorScheme}`);
      await accessible(page, "Cypher graph");
      await query.fill("MATCH (f:Funktion) RETURN f");
      await page.keyboard.press("Control+Enter");
      await page
        .getByRole("alert")
        .getByText(/Funktion/)
        .waitFor();
      await accessible(page, "Cypher error");
      await query.fill("MATCH (f:Function {name: 'no such name'}) RETURN f");
      await page.keyboard.press("Control+Enter");
      await page.getByText("No rows").waitFor();
    });

    await t.test("on a phone everything is in reach", async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      for (const [name, link] of [
        ["impact", "v=impact&a.of=lib/route.js%23buildRouting"],
        ["flows", "v=flows"],
        ["cypher", "v=cypher&a.q=MATCH+(f:Function)+RETURN+f,f.path+LIMIT+5"],
      ]) {
        await page.goto(`${site.url}#/?r=fastify&${link}`);
        await page
          .locator(".view[aria-busy=false] .row, .view[aria-busy=false] .flow, .view[aria-busy=false] td")
          .first()
          .waitFor();
        const wide = await page.evaluate(
          () => document.querySelector(".view").scrollWidth - document.querySelector(".view").clientWidth,
        );
        assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
        await shot(page, `${name}-phone-${colorScheme}`);
      }
    });

    assert.deepEqual(problemsOf(page), []);
  });
}
