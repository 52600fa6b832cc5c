import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { FileAssets } from "../../pkg/dist/node/assets.js";
import { sealed } from "../../pkg/dist/storage/encryption.js";
import { STOPPING, start, within } from "./harness.mjs";

const QUERY = "/v1/search?q=checksum+of+a+section";

/** @typedef {Awaited<ReturnType<typeof start>>} Worker */

/** @param {import("./harness.mjs").Native} expected */
export const snapshots = ({ own, words, model }) =>
  describe("what lies in the bucket", () => {
    /** @type {Worker} */
    let worker;
    before(async () => (worker = await start({ REFRESH_SECONDS: "0" })));
    after(() => worker.close());

    /** @param {Uint8Array} bytes  @param {(bytes: Uint8Array) => void} change */
    const changed = (bytes, change) => {
      const copy = bytes.slice();
      change(copy);
      return copy;
    };
    const DAMAGED = {
      "snapshot.truncated": own.slice(0, own.length - 1),
      "snapshot.checksum": changed(own, (bytes) => (bytes[bytes.length >> 3] ^= 4)),
      "snapshot.version": changed(own, (bytes) => (bytes[8] = 200)),
      "snapshot.foreign": new TextEncoder().encode("PK\x03\x04 an archive, not an index"),
    };
    for (const [code, bytes] of Object.entries(DAMAGED)) {
      test(`${code} is told, and nothing else is lost`, async () => {
        await worker.bucket.put("broken.portolan", bytes);
        await worker.bucket.put("whole.portolan", words);
        const { status, json, headers } = await worker.ask(`${QUERY}&repo=broken`);
        assert.deepEqual([status, json.code], [502, code]);
        assert.notEqual(json.help, "");
        assert.equal(headers.get("cache-control"), "no-store");
        assert.equal(headers.get("etag"), null);
        assert.equal((await worker.ask(`${QUERY}&repo=whole`)).status, 200);
        assert.equal((await worker.ask("/healthz")).status, 200);
      });
    }

    test("every cut and every flipped bit is refused by name, or is where no question looks", async () => {
      await worker.bucket.put("whole.portolan", words);
      const whole = (await worker.ask(`${QUERY}&repo=whole`)).json;
      for (let n = 0; n < 12; n++) {
        const at = Math.floor((words.length * n) / 12);
        const flipped = changed(words, (bytes) => (bytes[at] ^= 1 << (n % 8)));
        for (const [what, bytes] of /** @type {const} */ ([
          ["cut", words.slice(0, at)],
          ["flipped", flipped],
        ])) {
          await worker.bucket.put("broken.portolan", bytes);
          const { status, json } = await worker.ask(`${QUERY}&repo=broken`);
          const place = `${what} at ${at} of ${words.length}`;
          if (what === "flipped" && status === 200) assert.deepEqual(json, whole, place);
          else
            assert.deepEqual(
              [status, /^snapshot\.(truncated|checksum|version|foreign|damaged)$/.test(json.code)],
              [502, true],
              place,
            );
        }
      }
    });

    test("an empty object is no snapshot", async () => {
      await worker.bucket.put("empty.portolan", new Uint8Array());
      const { status, json } = await worker.ask(`${QUERY}&repo=empty`);
      assert.deepEqual([status, json.code], [502, "snapshot.foreign"]);
    });

    test("a replaced snapshot is opened, a deleted one is gone", async () => {
      await worker.bucket.put("moving.portolan", words);
      const first = await worker.ask("/v1/status?repo=moving");
      assert.equal(first.json.n_vectors, 0);
      await worker.bucket.put("moving.portolan", own);
      const second = await worker.ask("/v1/status?repo=moving");
      assert.ok(second.json.n_vectors > 0);
      assert.notEqual(second.headers.get("etag"), first.headers.get("etag"));
      await worker.bucket.put("moving.portolan", own.slice(0, 1000));
      assert.equal((await worker.ask("/v1/status?repo=moving")).status, 502);
      await worker.bucket.put("moving.portolan", own);
      assert.equal((await worker.ask("/v1/status?repo=moving")).status, 200);
      await worker.bucket.delete("moving.portolan");
      assert.equal((await worker.ask("/v1/status?repo=moving")).status, 404);
    });

    test("without its model the words answer, with it the meaning too", async () => {
      await worker.bucket.put("vectors.portolan", own);
      const without = await worker.ask(`${QUERY}&repo=vectors`);
      assert.deepEqual([without.status, without.json.mode], [200, "lexical"]);
      await worker.bucket.put(`models/${model.name}.onnx`, model.onnx);
      await worker.bucket.put(`models/${model.name}.tokenizer.json`, model.tokenizer);
      await worker.bucket.put("again.portolan", own);
      const within = await worker.ask(`${QUERY}&repo=again`);
      assert.deepEqual([within.status, within.json.mode], [200, "hybrid"]);
    });

    test("an encrypted snapshot is opened with the secret, and with no other", async () => {
      const closed = await sealed(new FileAssets(), words, "correct horse");
      const objects = {
        "words.portolan": words,
        "closed.portolan": closed,
        "cut.portolan": closed.slice(0, closed.length - 1),
      };
      await within({ PASSPHRASE: "correct horse" }, objects, async (worker) => {
        const [plain, opened] = [await worker.ask(`${QUERY}&repo=words`), await worker.ask(`${QUERY}&repo=closed`)];
        assert.deepEqual([opened.status, opened.headers.get("x-portolan-index")], [200, "opened"], opened.text);
        assert.deepEqual(opened.json, plain.json);
        assert.equal((await worker.ask(`${QUERY}&repo=closed`)).headers.get("x-portolan-index"), "kept");
        const cut = await worker.ask(`${QUERY}&repo=cut`);
        assert.deepEqual([cut.status, cut.json.code.split(".")[0]], [502, "seal"], cut.text);
        // Each opening has memory of its own: the next one finds it empty again.
        await worker.bucket.put("again.portolan", closed);
        assert.equal((await worker.ask(`${QUERY}&repo=again`)).status, 200);
      });
      for (const [vars, code] of /** @type {const} */ ([
        [{}, "seal.passphrase-missing"],
        [{ PASSPHRASE: "wrong horse" }, "seal.passphrase"],
      ])) {
        await within(vars, { "words.portolan": words, "closed.portolan": closed }, async (worker) => {
          const { status, json, text } = await worker.ask(`${QUERY}&repo=closed`);
          assert.deepEqual([status, json.code], [502, code]);
          assert.ok(json.help !== "" && !text.includes("horse"), text);
          assert.equal((await worker.ask(`${QUERY}&repo=words`)).status, 200);
        });
      }
    });

    test("a model that is none is told", async () => {
      const objects = {
        "own.portolan": own,
        [`models/${model.name}.onnx`]: new Uint8Array(100),
        [`models/${model.name}.tokenizer.json`]: model.tokenizer,
      };
      await within({ DEFAULT_REPOSITORY: "own" }, objects, async (worker) => {
        const { status, json } = await worker.ask(QUERY);
        assert.deepEqual([status, json.code], [502, "model.damaged"]);
        assert.equal((await worker.ask(`${QUERY}&mode=lexical`)).status, 200);
      });
    });
  });

/** @param {import("./harness.mjs").Native} expected */
export const memory = ({ own, words }) =>
  describe("memory", () => {
    /** @param {Worker} worker  @param {string} name */
    const state = async (worker, name) => {
      const { status, headers } = await worker.ask(`/v1/status?repo=${name}`);
      return `${status} ${name} ${headers.get("x-portolan-index")}`;
    };

    test("a snapshot that is too large is refused before it is read", () =>
      within({ MAX_SNAPSHOT_BYTES: "100000", DEFAULT_REPOSITORY: "own" }, { "own.portolan": own }, async (worker) => {
        const { status, json } = await worker.ask(QUERY);
        assert.deepEqual([status, json.code], [507, "snapshot.too-large"]);
        assert.match(json.message, /needs \d+ bytes/);
      }));

    test("the least recently asked is closed first", () => {
      // Two of them, and no third: four bytes of memory for each that queries read, which are most of the file.
      const most = String(words.length * 8);
      const objects = { "a.portolan": words, "b.portolan": words, "c.portolan": words };
      return within({ MAX_SNAPSHOT_BYTES: most }, objects, async (worker) => {
        const states = [];
        for (const name of ["a", "b", "a", "c", "a", "b"]) states.push(await state(worker, name));
        assert.deepEqual(states, [
          "200 a opened",
          "200 b opened",
          "200 a kept",
          "200 c opened",
          "200 a kept",
          "200 b opened",
        ]);
      });
    });

    test("a hundred openings in one isolate", () => {
      const most = String(words.length * 4);
      return within({ MAX_SNAPSHOT_BYTES: most }, { "a.portolan": words, "b.portolan": words }, async (worker) => {
        for (let n = 0; n < 100; n++) {
          const name = n % 2 === 0 ? "a" : "b";
          assert.equal(await state(worker, name), `200 ${name} opened`);
        }
      });
    });

    test("where the wasm stops, one request is lost and the next gets a new instance", () =>
      within(
        {},
        { "own.portolan": own },
        async (worker) => {
          const asked = [];
          for (const mode of ["lexical", "lexical", "hybrid", "lexical", "lexical", "hybrid", "lexical"]) {
            const { status, json, headers } = await worker.ask(`${QUERY}&repo=own&mode=${mode}`);
            asked.push(`${status} ${json.code ?? headers.get("x-portolan-index")}`);
          }
          const once = ["200 opened", "200 kept", "500 internal.stopped"];
          assert.deepEqual(asked, [...once, ...once, "200 opened"]);
        },
        STOPPING,
      ));
  });
