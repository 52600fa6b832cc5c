import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Portolan } from "portolan";
import { listShared, openShared, sharedList, sharedToken } from "./shared.ts";

Object.assign(globalThis, {
  document: { baseURI: "https://code.example/team/index.html", querySelector: () => null },
});

/** A server that knows one token; returns the requests that it got. */
function server(t: TestContext, answer: (path: string) => Response) {
  const seen: { url: string; authorization: string | undefined }[] = [];
  t.mock.method(globalThis, "fetch", async (url: URL, init: { headers: Record<string, string> }) => {
    const { authorization } = init.headers;
    seen.push({ url: url.href, authorization });
    if (authorization !== "Bearer right")
      return Response.json({ code: "access.token-missing", message: "this needs a token", help: "" }, { status: 401 });
    return answer(url.pathname);
  });
  return seen;
}

test("the list needs a token, and the token goes to the page's own server only", async (t) => {
  const current = { n_bytes: 7, made_at: 5, is_sealed: true };
  const seen = server(t, () => Response.json({ repositories: [{ name: "acme/tools", current }, { name: "empty" }] }));
  await listShared();
  assert.deepEqual(sharedList.value, { state: "refused", message: "this needs a token" });
  sharedToken.value = "right";
  await listShared();
  assert.deepEqual(sharedList.value, {
    state: "ready",
    entries: [
      { name: "acme/tools", n_bytes: 7, made_at: 5, isSealed: true },
      { name: "empty", n_bytes: 0, made_at: 0, isSealed: false },
    ],
  });
  assert.deepEqual(
    seen.map(({ url }) => url),
    Array(2).fill("https://code.example/team/v1/repos"),
  );
  sharedToken.value = "";
});

test("a list in pages is read to its end", async (t) => {
  sharedToken.value = "right";
  const pages = [{ repositories: [{ name: "a/b" }], next: "a/b" }, { repositories: [{ name: "c" }] }];
  const seen = server(t, () => Response.json(pages.shift()));
  await listShared();
  const { state, entries } = sharedList.value as { state: string; entries: readonly { name: string }[] };
  assert.deepEqual([state, entries.map(({ name }) => name)], ["ready", ["a/b", "c"]]);
  assert.equal(seen[1]?.url, "https://code.example/team/v1/repos?after=a%2Fb");
  sharedToken.value = "";
});

test("an index is opened in place of a local one, and is not stored", async (t) => {
  sharedToken.value = "right";
  const seen = server(t, () => new Response("bytes"));
  const opened: unknown[] = [];
  t.mock.method(Portolan, "open", async (bytes: Uint8Array, { name }: { name: string }) => {
    opened.push(new TextDecoder().decode(bytes));
    return { name };
  });
  const index = await openShared("shared/acme/tools", new AbortController().signal);
  assert.equal(seen[0]?.url, "https://code.example/team/v1/repos/acme%2Ftools/index");
  assert.equal(index.name, "shared/acme/tools");
  assert.deepEqual(opened, ["bytes"]);
  sharedToken.value = "";
});

test("a version in shards is read in pieces, as a file", async (t) => {
  sharedToken.value = "right";
  server(t, () => new Response("PTLNBNDL and more"));
  const opened: unknown[] = [];
  t.mock.method(Portolan, "open", async (files: readonly File[], { name }: { name: string }) => {
    for (const file of files) opened.push(await file.text());
    return { name };
  });
  await openShared("shared/acme/large", new AbortController().signal);
  assert.deepEqual(opened, ["PTLNBNDL and more"]);
  sharedToken.value = "";
});

test("a refusal is told in the words of the server", async (t) => {
  server(t, () => new Response(""));
  await assert.rejects(openShared("shared/acme/tools", new AbortController().signal), {
    code: "access.token-missing",
    message: "this needs a token",
  });
});
