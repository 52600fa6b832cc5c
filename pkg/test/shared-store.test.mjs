// Stores of shared indexes: the same behaviour in a folder and in S3.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { FolderStore } from "../dist/shared/folder-store.js";
import { S3Store, s3Store } from "../dist/shared/s3-store.js";
import { all, folderStore, noise, s3, s3Server } from "./shared-parts.mjs";

const text = (words) => new TextEncoder().encode(words);
const code = (wanted) => (error) => {
  assert.equal(error.code, wanted, error.message);
  return true;
};

const STORES = {
  folder: async () => folderStore(),
  S3: async () => (await s3()).store,
  // A server that runs elsewhere: its bucket is emptied of the prefix `check/`.
  ...(process.env.PORTOLAN_TEST_S3 && {
    "another S3": async () => s3Store(`${process.env.PORTOLAN_TEST_S3}/check-${Date.now()}`, process.env),
  }),
};

for (const [kind, make] of Object.entries(STORES)) {
  describe(kind, () => {
    test("objects are written, read whole and by range, listed and deleted", async () => {
      const store = await make();
      const bytes = noise(300_000, 1);
      assert.equal(await store.get("a/b"), undefined);
      assert.equal(await store.head("a/b"), undefined);
      await store.put("a/b", bytes);
      await store.put("a/b", bytes);
      const { body, n_bytes, written_at } = await store.get("a/b");
      assert.equal(n_bytes, bytes.length);
      assert.ok(Math.abs(Date.now() - written_at) < 60_000);
      assert.deepEqual(await all(body), bytes);
      for (const [offset, length] of [
        [0, 1],
        [1, 70_000],
        [299_999, 1],
        [5, 0],
      ]) {
        const part = await store.get("a/b", { offset, length });
        assert.deepEqual(await all(part.body), bytes.subarray(offset, offset + length), `${offset} ${length}`);
      }
      assert.equal((await store.head("a/b")).n_bytes, bytes.length);
      const names = Array.from({ length: 8 }, (_, n) => `a/Upper/con-${n}`);
      for (const name of names) await store.put(name, text(name));
      const found = [];
      let cursor;
      do {
        const page = await store.list("a/", cursor);
        found.push(...page.objects);
        ({ cursor } = page);
      } while (cursor !== undefined);
      assert.deepEqual(found.map(({ key }) => key).sort(), ["a/b", ...names].sort());
      assert.equal(found.find(({ key }) => key === "a/b").n_bytes, bytes.length);
      await store.delete(["a/b", "a/none", ...names]);
      assert.deepEqual((await store.list("a/")).objects, []);
      await store.delete(["nowhere/at/all"]);
    });

    test("a document is replaced only by one who has read it", async () => {
      const store = await make();
      const key = "r/x/document";
      assert.equal(await store.readDocument(key), undefined);
      const first = await store.writeDocument(key, text("1"), undefined);
      await assert.rejects(store.writeDocument(key, text("2"), undefined), code("store.conflict"));
      const second = await store.writeDocument(key, text("2"), first);
      await assert.rejects(store.writeDocument(key, text("3"), first), code("store.conflict"));
      const { bytes, etag } = await store.readDocument(key);
      assert.equal(new TextDecoder().decode(bytes), "2");
      assert.equal(etag, second);
      assert.deepEqual(await store.listDocuments("r/"), [key]);
      assert.deepEqual((await store.list("r/")).objects, [], "a document is no object");
      await store.deleteDocument(key);
      assert.equal(await store.readDocument(key), undefined);
      await store.deleteDocument(key);
      await store.writeDocument(key, text("again"), undefined);
    });

    test("of many writers at once each succeeds in turn", async () => {
      const store = await make();
      await store.writeDocument("n", text("0"), undefined);
      const add = async () => {
        for (;;) {
          const { bytes, etag } = await store.readDocument("n");
          const next = text(String(Number(new TextDecoder().decode(bytes)) + 1));
          try {
            return await store.writeDocument("n", next, etag);
          } catch (error) {
            if (error.code !== "store.conflict") throw error;
          }
        }
      };
      await Promise.all(Array.from({ length: 20 }, add));
      assert.equal(new TextDecoder().decode((await store.readDocument("n")).bytes), "20");
    });

    test("keys that could lead elsewhere are refused", async () => {
      const store = await make();
      for (const key of ["", "/a", "a//b", "../a", "a/..", "a/./b", ".a", "a\\b", "a\0b", "a b", "a/".repeat(500)]) {
        await assert.rejects(store.get(key), code("store.key"), key);
        await assert.rejects(store.put(key, text("x")), code("store.key"), key);
        await assert.rejects(store.writeDocument(key, text("x"), undefined), code("store.key"), key);
      }
    });
  });
}

test("a folder follows no link", async () => {
  const outside = new FolderStore(folderStore().root);
  await outside.put("secret", text("hidden"));
  const store = folderStore();
  mkdirSync(join(store.root, "a"));
  symlinkSync(outside.root, join(store.root, "link"));
  symlinkSync(join(outside.root, "secret"), join(store.root, "a/file"));
  assert.equal(await store.get("a/file"), undefined);
  assert.equal(await store.head("a/file"), undefined);
  await assert.rejects(store.get("link/secret"), code("output.link"));
  await assert.rejects(store.put("link/more", text("x")), code("output.link"));
  assert.deepEqual(readdirSync(outside.root), ["secret"]);
  assert.deepEqual((await store.list("a/")).objects, []);
});

test("what a killed writer left in a folder is no document and no object", async () => {
  const store = folderStore();
  const etag = await store.writeDocument("d/one", text("1"), undefined);
  writeFileSync(join(store.root, "d/.one.1-x.tmp"), "half");
  writeFileSync(join(store.root, `d/.portolan-999999-${"0".repeat(16)}.tmp`), "half");
  assert.equal((await store.readDocument("d/one")).etag, etag);
  assert.deepEqual(await store.listDocuments("d/"), ["d/one"]);
  assert.deepEqual((await store.list("d/")).objects, []);
});

test("an S3 server without conditions is refused, one with them is taken", async () => {
  const { store } = await s3();
  await store.checkConditions();
  const { url } = await s3Server({ isConditional: false });
  const { store: blind } = await s3({ endpoint: url });
  await assert.rejects(blind.checkConditions(), code("store.unsupported"));
});

test("credentials are checked by the server, and appear in no error", async () => {
  const { store } = await s3({ secretAccessKey: "another-secret" });
  await assert.rejects(store.put("a", text("x")), (error) => {
    assert.equal(error.code, "store.failed");
    assert.match(error.message, /SignatureDoesNotMatch/);
    assert.doesNotMatch(`${error.message} ${error.cause?.stack}`, /another-secret|Signature=/);
    return true;
  });
});

test("an address of S3 and its variables", () => {
  const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  assert.ok(s3Store("s3://team-indexes/some/place", env) instanceof S3Store);
  for (const address of ["s3://", "s3://UPPER", "s3://a_b", "s3://bucket/../x", "http://bucket"])
    assert.throws(() => s3Store(address, env), /bucket|key/, address);
  assert.throws(() => s3Store("s3://bucket", {}), code("options.invalid"));
});
