import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact-render-to-string";
import { progressWords } from "../state/progress-words.ts";
import { job, missing, repository, saved } from "../state/repository.ts";
import { sharedList } from "../state/shared.ts";
import { Shared } from "./Shared.tsx";
import { Start } from "./Start.tsx";

test("saved repositories are listed with size and age, and can be deleted", () => {
  repository.value = null;
  saved.value = {
    state: "ready",
    entries: [{ name: "hono", saved_at: Date.now() - 7200_000, n_bytes: 4_200_000, n_files: 312 }],
  };
  const html = render(<Start />);
  assert.match(html, /hono/);
  assert.match(html, /312 files · 4\.2 MB · indexed 2 hours ago/);
  assert.match(html, /aria-label="Delete hono"/);
});

test("a browser that stores nothing says so, and a link to what is not here names it", () => {
  saved.value = { state: "unavailable", message: "no IndexedDB" };
  missing.value = "hono";
  const html = render(<Start />);
  assert.match(html, /an index lasts until the tab is closed/);
  assert.match(html, /The link is about “hono”/);
  missing.value = "";
});

test("indexing shows its phase in words with a way to cancel", () => {
  job.value = {
    name: "hono",
    what: "index",
    progress: { phase: "parsing", done: 812, total: 3204 },
    share: 0.25,
    usable: false,
    cancel: () => {},
  };
  const html = render(<Start />);
  assert.match(html, /Parsing 812 of 3,204 files/);
  assert.match(html, /<progress[^>]*value="0.25"[^>]*max="1"/);
  assert.match(html, />Cancel</);
  job.value = null;
  assert.equal(progressWords({ phase: "embedding", done: 1, total: 1 }), "Computing vectors 1 of 1 passage");
  assert.equal(progressWords({ phase: "saving", done: 5, total: 10 }), "Saving in this browser");
});

test("repositories of the server are links, with size, age and whether they are encrypted", () => {
  sharedList.value = {
    state: "ready",
    entries: [{ name: "acme/tools", n_bytes: 7_500_000, made_at: Date.now() - 7200_000, isSealed: true }],
  };
  const html = render(<Shared />);
  assert.match(html, /href="#\/\?r=shared\/acme\/tools"/);
  assert.match(html, /7\.5 MB · indexed 2 hours ago · encrypted/);
  sharedList.value = { state: "refused", message: "this needs a token" };
  assert.match(render(<Shared />), /placeholder="needed here"[\s\S]*role="alert"[\s\S]*this needs a token/);
});
