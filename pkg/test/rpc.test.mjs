// Calls between workers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { release } from "../dist/bytes.js";
import { channel } from "../dist/rpc/channel.js";
import { PortolanError } from "../dist/errors.js";
import { inParts, joined } from "../dist/rpc/long-answers.js";
import { Caller, serve } from "../dist/rpc/rpc.js";
import { codeOf } from "./fixture.mjs";

function pair(handlers) {
  const [near, far] = channel();
  const failures = [];
  serve(far, handlers);
  return {
    caller: new Caller({ ...near, onFailure: (handler) => failures.push(handler) }),
    die(error) {
      for (const fail of failures) fail(error);
    },
  };
}

test("requests, events and answers find each other", async () => {
  const { caller } = pair({
    async double(n, { emit }) {
      emit(`got ${n}`);
      await new Promise((resolve) => setTimeout(resolve, 20 - n));
      return 2 * n;
    },
  });
  const events = [];
  const answers = await Promise.all(
    [1, 2, 3].map((n) => caller.call("double", n, { onEvent: (event) => events.push(event) })),
  );
  assert.deepEqual(answers, [2, 4, 6]);
  assert.deepEqual(events, ["got 1", "got 2", "got 3"]);
  caller.close();
});

test("errors keep code, message and help", async () => {
  const { caller } = pair({
    fail() {
      throw new PortolanError("area.reason", "what", "do this");
    },
    wasm() {
      throw { code: "regex.syntax", message: "unclosed group", help: "" };
    },
  });
  const error = await caller.call("fail", null).catch((error) => error);
  assert.deepEqual(
    [error.name, error.code, error.message, error.help],
    ["PortolanError", "area.reason", "what", "do this"],
  );
  assert.equal(await codeOf(caller.call("wasm", null)), "regex.syntax");
  caller.close();
});

test("cancel reaches the handler", async () => {
  const { caller } = pair({
    wait: (_request, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const controller = new AbortController();
  const waiting = codeOf(caller.call("wait", null, { signal: controller.signal }));
  controller.abort();
  assert.equal(await waiting, "aborted");
  caller.close();
});

test("when the other side dies, all that is open rejects, and what comes after", async () => {
  const { caller, die } = pair({ wait: () => new Promise(() => {}) });
  const open = [codeOf(caller.call("wait", 1)), codeOf(caller.call("wait", 2))];
  die(new Error("killed"));
  assert.deepEqual(await Promise.all(open), ["worker.crashed", "worker.crashed"]);
  assert.equal(await codeOf(caller.call("wait", 3)), "worker.crashed");
  caller.close();
});

test("a long list of files comes in parts, and is whole again", () => {
  const files = Array.from({ length: 9_001 }, (_, at) => ({ path: `f${at}` }));
  const parts = [];
  const last = inParts({ files }, ({ files: some }) => parts.push(some));
  assert.deepEqual(
    [...parts, last.files].map(({ length }) => length),
    [4_000, 4_000, 1_001],
  );
  assert.deepEqual(joined(parts, last), { files });
  const short = { files: files.slice(0, 4_000) };
  assert.equal(
    joined(
      [],
      inParts(short, () => assert.fail()),
    ),
    short,
  );
});

test("arrays that are released are empty, once, and whatever they share", () => {
  const buffer = new ArrayBuffer(64);
  const arrays = [new Uint8Array(buffer, 0, 8), new Uint32Array(buffer, 8, 2)];
  release(arrays);
  assert.deepEqual(
    arrays.map(({ length }) => length),
    [0, 0],
  );
  release(arrays);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  release([shared]);
  assert.equal(shared.length, 8);
});

test("a handler frees the arrays of a request where they are its copies only", async () => {
  const freed = {
    sum(bytes, { done }) {
      done(bytes);
      return bytes.length;
    },
  };
  const { caller } = pair(freed);
  const bytes = new Uint8Array(8);
  assert.equal(await caller.call("sum", bytes), 0);
  assert.equal(bytes.length, 8);
  caller.close();
  let answer;
  serve({ listen: (onMessage) => (answer = onMessage), post() {}, shares: true }, freed);
  answer({ kind: "call", id: 1, method: "sum", request: bytes });
  assert.equal(bytes.length, 8);
});
