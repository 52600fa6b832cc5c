import assert from "node:assert/strict";
import { test } from "node:test";
import { type CodeIndex, type IndexOptions, Portolan } from "portolan";
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

test("files that an index learns of while its state is read are shown, whichever answer comes last", async (t) => {
  const entry = (path: string) => ({ path, language: "python", n_bytes: 1, n_lines: 1, n_symbols: 0 });
  let paths = ["README.md"];
  let told: IndexOptions["onUpdate"];
  let complete = () => {};
  const whole = await Portolan.index([], { name: "whole" });
  const early = {
    ...whole,
    complete: new Promise<void>((resolve) => (complete = resolve)),
    files: async () => ({ files: paths.map(entry) }),
    status: async () => {
      await settled(20);
      return { ...(await whole.status()), n_files: paths.length };
    },
  } as unknown as CodeIndex;
  t.mock.method(Portolan, "index", async (_: unknown, options: IndexOptions) => {
    told = options.onUpdate;
    return early;
  });
  link.value = emptyLink;
  const done = ingest([], "whole");
  await settled(5);
  // The list of files is being read for the first time.
  paths = ["README.md", "pydantic/main.py", "tests/test_main.py"];
  told?.("files");
  await settled(40);
  told?.("vectors");
  paths = [...paths, "docs/index.md"];
  told?.("files");
  told?.("saved");
  complete();
  await done;
  assert.deepEqual(
    repository.value?.files.map(({ path }) => path),
    paths,
  );
  assert.equal(repository.value?.status.n_files, 4);
});
