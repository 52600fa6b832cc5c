import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "../../test/open.ts";
import { emptyLink } from "./link.ts";
import { link } from "./navigation.ts";
import { notices } from "./notices.ts";
import { followLink, ingest, job, missing, openSaved, repository } from "./repository.ts";

// Navigation writes the address; under Node there is none.
Object.assign(globalThis, { history: { pushState() {}, replaceState() {} } });

test("indexing opens the repository and puts its name into the link", async () => {
  link.value = emptyLink;
  const done = ingest([], "hono");
  assert.equal(job.value?.name, "hono");
  await done;
  assert.equal(repository.value?.name, "hono");
  assert.equal(link.value.repository, "hono");
  assert.equal(job.value, null);
});

test("cancelling leaves nothing behind, not even an error", async () => {
  repository.value = null;
  const done = ingest([], "late");
  job.value?.cancel();
  assert.equal(job.value, null);
  await done;
  assert.equal(repository.value, null);
  assert.deepEqual(notices.value, []);
});

test("what cannot be opened becomes a notice with the error's own words", async () => {
  await openSaved("gone");
  assert.match(notices.value[0]?.title ?? "", /Could not open gone: nothing is saved under this name/);
  assert.equal(notices.value[0]?.code, "storage.not-found");
});

test("a link to a repository that is not here names it", async () => {
  await followLink("elsewhere");
  await settled();
  assert.equal(missing.value, "elsewhere");
});
