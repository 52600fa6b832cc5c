// Takes the pictures of docs/explorer.md, of the built page over a real repository in both themes: `cargo xtask shots`, or
// `node tests/browser/shots.mjs [FOLDER]`. Fails where a view complains in the console or a picture is larger than it should be.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allDone, browse, indexFolder, openShield, problemsOf, serve } from "./harness.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/explorer", import.meta.url));
const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };
/** Bytes: they are part of every clone. */
const largest = 100_000;
const quality = 70;

const inside = (hash) => async (page, site) => {
  await page.goto(`${site.url}#/${hash.replace("?", "?r=fastify&")}`);
};

const diff = `diff --git a/lib/error-handler.js b/lib/error-handler.js
--- a/lib/error-handler.js
+++ b/lib/error-handler.js
@@ -145,6 +145,6 @@
 function buildErrorHandler (parent = rootErrorHandler, func) {
-  if (!func) {
+  if (func === undefined) {
     return parent
   }
 
   const errorHandler = Object.create(parent)
`;

async function pasteDiff(page, site) {
  await inside("?v=changes")(page, site);
  await page.getByRole("textbox", { name: "Diff" }).fill(diff);
  await page.getByRole("button", { name: "Show its effects" }).click();
}

const issue = `Wrong status code after an error in a hook

TypeError [FST_ERR_BAD_STATUS_CODE]: Called reply with an invalid status code: undefined
    at onSendEnd (/app/node_modules/fastify/lib/reply.js:618:11)
    at onSendHook (/app/node_modules/fastify/lib/reply.js:590:5)
`;

async function pasteIssue(page, site) {
  await inside("?v=locate")(page, site);
  await page.getByRole("textbox", { name: "Issue, error message or stack trace" }).fill(issue);
  await page.getByRole("button", { name: "Find its places" }).click();
}

/** Name, size, the way there, and what must be in sight. */
const views = [
  ["overview", wide, inside("?"), ".short li"],
  ["results", wide, inside("?q=error+handler"), ".snippet .hl-keyword"],
  ["code", wide, inside("f/lib/error-handler.js?L=145&sym=lib/error-handler.js%23buildErrorHandler"), ".symbol-name"],
  ["panes", wide, inside("f/lib/error-handler.js?L=145&b=lib/reply.js"), '.cm-content[aria-label="lib/reply.js"]'],
  ["atlas", wide, inside("?v=atlas"), ".atlas-body svg, .atlas-body canvas"],
  ["atlas-graph", wide, inside("?v=atlas&a.as=graph"), ".atlas-host[data-renderer] canvas"],
  ["locate", wide, pasteIssue, ".locate-file .code-line[data-chosen]"],
  ["impact", wide, inside("?v=impact&a.of=lib/error-handler.js%23buildErrorHandler"), ".middle .row"],
  ["changes", wide, pasteDiff, ".hunk-symbol .risk"],
  ["chat", wide, inside("?v=chat"), ".middle h2"],
  ["generate", wide, inside("?v=generate"), ".middle h3"],
  ["phone", phone, inside("?"), ".short li"],
  ["phone-impact", phone, inside("?v=impact&a.of=lib/error-handler.js%23buildErrorHandler"), ".middle .row"],
];

const ended = [];
const test = { after: (work) => ended.push(work) };
try {
  mkdirSync(folder, { recursive: true });
  const site = await serve();
  test.after(site.stop);
  for (const theme of ["light", "dark"]) await takeAll(site, theme);
} finally {
  for (const work of ended.reverse()) await work();
}

async function takeAll(site, colorScheme) {
  const page = await browse(test, { colorScheme, viewport: wide });
  const session = await page.context().newCDPSession(page);
  const take = async (name) => {
    // A picture of something that still moves would differ from run to run.
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    await page.waitForTimeout(600);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const bytes = Buffer.from(data, "base64");
    const file = `${name}-${colorScheme}.webp`;
    assert.ok(bytes.length <= largest, `${file} has ${bytes.length} bytes`);
    writeFileSync(join(folder, file), bytes);
    console.log(`${file} ${bytes.length} bytes`);
  };
  await page.route("**/sample/portolan.index", (route) =>
    route.fulfill({ status: 200, contentType: "application/octet-stream" }),
  );
  await page.goto(site.url);
  await page.waitForFunction(() =>
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null),
  );
  await page.locator(".picture").waitFor();
  await take("start");
  await indexFolder(page, "fastify");
  await allDone(page);
  for (const [name, size, go, wanted] of views) {
    await page.setViewportSize(size);
    await go(page, site);
    await page.locator(wanted).first().waitFor();
    await take(name);
  }
  await page.setViewportSize(wide);
  await openShield(page);
  await take("shield");
  assert.deepEqual(problemsOf(page), []);
}
