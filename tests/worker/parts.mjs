// Snapshots that are read by ranges: as all are here, however small.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { same } from "./answers.mjs";
import { WATCHED, start, within } from "./harness.mjs";

const PARTS = { WHOLE_SNAPSHOT_BYTES: "0", DEFAULT_REPOSITORY: "own" };
const SYMBOL = "/v1/symbol?name=Params&view=references";
const WORDS = "/v1/search?q=checksum+of+a+section&mode=lexical";
/** The part of a snapshot that is read first. */
const START = 1024 * 1024;

/** Where the sections of a snapshot lie, by name. @param {Uint8Array} file */
function sections(file) {
  const view = new DataView(file.buffer, file.byteOffset);
  const entry = (/** @type {number} */ at) => {
    const name = new TextDecoder().decode(file.subarray(at, at + 16)).replace(/\0+$/, "");
    const start = Number(view.getBigUint64(at + 16, true));
    return [name, [start, start + Number(view.getBigUint64(at + 24, true))]];
  };
  return Object.fromEntries(Array.from({ length: view.getUint32(12, true) }, (_, n) => entry(64 + 40 * n)));
}

/** @param {number[][]} read  @param {number[]} section */
const bytesIn = (read, [start, end]) =>
  read.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);

/** @param {import("./harness.mjs").Native} expected */
export const parts = (expected) =>
  describe("by ranges", () => {
    const { own, words, model } = expected;
    const models = {
      [`models/${model.name}.onnx`]: model.onnx,
      [`models/${model.name}.tokenizer.json`]: model.tokenizer,
    };

    describe("answers", () => {
      /** @type {Awaited<ReturnType<typeof start>>} */
      let worker;
      before(async () => (worker = await start(PARTS, { "own.portolan": own, "words.portolan": words, ...models })));
      after(() => worker.close());

      for (const { method, target, body, status, answer } of expected.answers) {
        test(`as natively: ${method} ${target} ${body}`, async () => {
          const reply = await worker.ask(target, method === "POST" ? { method, body } : {});
          assert.equal(reply.status, status, reply.text);
          // The status names everything in the file, also sections that no question reads.
          if (reply.json.sections)
            reply.json.sections = reply.json.sections.filter(
              (/** @type {{ name: string }} */ { name }) => name !== "facts",
            );
          same(reply.json, answer);
        });
      }

      test("many at once, of an index that nobody has asked yet", async () => {
        await worker.bucket.put("new.portolan", own);
        const targets = Array.from(
          { length: 40 },
          (_, n) => `${[SYMBOL, WORDS, "/v1/status?", "/v1/search?q=graph"][n % 4]}&repo=new`,
        );
        const replies = await Promise.all(targets.map((target) => worker.ask(target)));
        assert.deepEqual(
          [...new Set(replies.map(({ status }) => status))],
          [200],
          replies.find(({ status }) => status !== 200)?.text,
        );
        for (const [n, target] of targets.entries())
          assert.deepEqual(replies[n].json, replies[targets.indexOf(target)].json);
      });
    });

    test("a question reads what it needs, and what was read is kept", () =>
      within(
        PARTS,
        { "own.portolan": own },
        async (worker) => {
          const of = sections(own);
          const ask = async (/** @type {string} */ target) => {
            const { status, headers, text } = await worker.ask(target);
            assert.equal(status, 200, text);
            return JSON.parse(headers.get("x-read") ?? "");
          };
          const first = await ask(SYMBOL);
          assert.deepEqual(first[0], [0, Math.min(START, own.length)]);
          const symbol = first.slice(1);
          for (const name of ["graph", "names"])
            assert.equal(bytesIn(symbol, of[name]), of[name][1] - of[name][0], name);
          for (const name of ["rows", "vectors", "facts"])
            assert.ok(
              bytesIn(symbol, of[name]) < (of[name][1] - of[name][0]) / 4,
              `${name}: ${JSON.stringify(symbol)}`,
            );
          assert.ok(bytesIn(symbol, [0, own.length]) < own.length / 2, JSON.stringify(symbol));
          assert.deepEqual(await ask(SYMBOL), []);
          const search = await ask(WORDS);
          assert.equal(bytesIn(search, of.lexical), of.lexical[1] - of.lexical[0]);
          assert.equal(bytesIn(search, of.graph), 0, "what is there is not read again");
          for (const name of ["rows", "vectors", "facts"])
            assert.ok(bytesIn(search, of[name]) < (of[name][1] - of[name][0]) / 2, name);
          assert.deepEqual(await ask(WORDS), []);
        },
        WATCHED,
      ));

    test("what is read of one question makes room for another's", async () => {
      /** Answers the same five questions with so much memory: how many ranges were read, or how much memory one of them needs. @param {number} most */
      const rounds = async (most) => {
        const seen = new Map();
        let nRead = 0;
        let needed = 0;
        await within(
          { ...PARTS, MAX_SNAPSHOT_BYTES: String(most) },
          { "own.portolan": own },
          async (worker) => {
            for (const target of [SYMBOL, WORDS, SYMBOL, WORDS, SYMBOL]) {
              const { status, json, headers, text } = await worker.ask(target);
              if (status === 507) {
                needed = Number(json.message.match(/needs (\d+) bytes/)[1]);
                return;
              }
              assert.equal(status, 200, text);
              if (!seen.has(target)) seen.set(target, json);
              assert.deepEqual(json, seen.get(target));
              nRead += JSON.parse(headers.get("x-read") ?? "").length;
            }
          },
          WATCHED,
        );
        return { nRead, needed };
      };
      const enough = await rounds(100_000_000);
      // As little as suffices for each of them.
      let scarce = await rounds(2_000_000);
      for (let n = 0; scarce.needed > 0 && n < 10; n++) scarce = await rounds(scarce.needed);
      assert.deepEqual([enough.needed, scarce.needed], [0, 0]);
      assert.ok(scarce.nRead > enough.nRead, `${scarce.nRead} and ${enough.nRead} ranges`);
    });

    test("what is too much for one question is refused before it is read, and other questions are not", () =>
      within({ ...PARTS, MAX_SNAPSHOT_BYTES: "300000" }, { "own.portolan": own }, async (worker) => {
        const { status, json } = await worker.ask(WORDS);
        assert.deepEqual([status, json.code], [507, "snapshot.too-large"]);
        assert.match(json.message, /needs \d+ bytes/);
        assert.equal((await worker.ask("/v1/status")).status, 200);
      }));

    test("a snapshot that is replaced while it is open is opened anew", () =>
      within({ ...PARTS, REFRESH_SECONDS: "3600" }, { "own.portolan": words }, async (worker) => {
        const before = (await worker.ask("/v1/status")).json;
        await worker.bucket.put("own.portolan", own);
        assert.deepEqual((await worker.ask("/v1/status")).json, before, "what is open is new enough");
        assert.equal((await worker.ask(SYMBOL)).status, 200);
        assert.notDeepEqual((await worker.ask("/v1/status")).json, before);
      }));

    test("a damaged section is told by who reads it, and by nobody else", async () => {
      const damaged = own.slice();
      const [start, end] = sections(own).lexical;
      damaged[(start + end) >> 1] ^= 1;
      await within(PARTS, { "own.portolan": damaged }, async (worker) => {
        for (let n = 0; n < 2; n++) {
          const { status, json } = await worker.ask(WORDS);
          assert.deepEqual([status, json.code], [502, "snapshot.checksum"]);
          assert.equal((await worker.ask(SYMBOL)).status, 200);
        }
      });
    });
  });
