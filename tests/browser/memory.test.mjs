// Files that a tab has no memory for are left out and named; the rest is indexed, and stored in pieces that the page never holds as a whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browse, patience, problemsOf, servePackage } from "./harness.mjs";

const N_FILES = 60;
const LINES = 500;

test(
  "what there is no memory for is left out, told and listed; the rest is stored and opened again",
  async (t) => {
    const site = await servePackage();
    t.after(site.stop);
    const page = await browse(t, { serviceWorkers: "block" });
    await page.goto(site.url);
    const made = await page.evaluate(indexInPage, [N_FILES, LINES]);
    assert.deepEqual(made.warnings, ["index.large", "index.full", "index.too-large"]);
    assert.ok(made.n_files >= N_FILES / 3 && made.n_files <= N_FILES * 0.6, `${made.n_files} files`);
    assert.equal(made.n_files + made.n_left, N_FILES);
    assert.equal(made.stored, "saved");
    await page.reload();
    const opened = await page.evaluate(openInPage);
    assert.deepEqual(opened, {
      n_files: made.n_files,
      n_left: made.n_left,
      n_found: 1,
      text: made.text,
      n_bytes: made.n_bytes,
    });
    assert.deepEqual(problemsOf(page), []);
  },
  { timeout: 3 * patience },
);

/** Runs in the page. */
async function indexInPage([nFiles, lines]) {
  const { Portolan } = await import("/pkg/dist/entry/browser.js");
  const text = (n) =>
    `export function made${n}() {\n${Array.from({ length: lines }, (_, line) => `  use("line ${line * n} of the body of ${n}");\n`).join("")}}\n`;
  const files = Array.from({ length: nFiles }, (_, n) => ({
    path: `src/${String(n).padStart(2, "0")}.ts`,
    bytes: new TextEncoder().encode(text(n)),
  }));
  const n_bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const warnings = [];
  // Room for half of them, and the engine itself.
  const memory = (16 * 1024 * 1024 + 6 * n_bytes) / 0.95;
  const index = await Portolan.index(
    { files },
    { name: "half", memory, store: true, embeddings: false, onWarning: ({ code }) => warnings.push(code) },
  );
  await index.complete;
  const { n_files, skipped } = await index.status();
  const saved = await index.save();
  const { text: first } = await index.text("src/00.ts");
  const { state } = index.stored;
  index.close();
  return {
    warnings,
    n_files,
    n_left: skipped.filter(({ code }) => code === "memory").length,
    n_bytes: saved.length,
    text: first,
    stored: state,
  };
}

/** Runs in the page after it was reloaded. */
async function openInPage() {
  const { Portolan } = await import("/pkg/dist/entry/browser.js");
  const index = await Portolan.open("half");
  const { n_files, skipped } = await index.status();
  const { symbols } = await index.find({ symbol: "made3" });
  const { text } = await index.text("src/00.ts");
  index.close();
  const [{ n_bytes }] = await Portolan.list();
  return {
    n_files,
    n_left: skipped.filter(({ code }) => code === "memory").length,
    n_found: symbols.length,
    text,
    n_bytes,
  };
}
