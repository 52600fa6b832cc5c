// Requests that are no data, or too much of it: nested, cyclic, endless, with getters that throw or change their mind. Each is refused with
// a code before anything walks it, and the next question is answered.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Portolan } from "portolan";

import { jsonShape, plainRequest, REQUEST_LIMITS } from "../../pkg/dist/reading/request-limits.js";
import { sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const FILES = {
  "repo/src/tax.ts": "export function addTax(net: number) { return net * 1.19; }\n",
  "repo/src/cart.ts": 'import { addTax } from "./tax";\nexport const total = (net: number) => addTax(net);\n',
};

let bytes;
before(async () => {
  const files = Object.entries(FILES).map(([path, text]) => ({
    path: path.slice("repo/".length),
    bytes: new TextEncoder().encode(text),
  }));
  const index = await Portolan.index({ files }, { embeddings: false, name: "shop" });
  await index.complete;
  bytes = await index.save();
  index.close();
});

/** A list in a list in a list …, made without recursion. */
function nested(depth, wrap = (inner) => [inner]) {
  let value = 1;
  for (let n = 0; n < depth; n++) value = wrap(value);
  return value;
}

const cyclic = { query: "RETURN $p", parameters: {} };
cyclic.parameters.p = cyclic;
const list = [];
list.push(list);
const throwing = {
  get query() {
    throw new Error("not today");
  },
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const countless = new Proxy([], { get: (target, key) => (key === "length" ? 2 ** 32 - 1 : Reflect.get(target, key)) });
const lengthless = new Proxy([], { get: (target, key) => (key === "length" ? "many" : Reflect.get(target, key)) });
let shared = [1];
for (let n = 0; n < 40; n++) shared = [shared, shared];

const ask = (parameters) => ({ query: "RETURN $p", parameters: { p: parameters } });
const REFUSED = {
  "nested 70 deep": [ask(nested(70)), "request.depth"],
  "nested 4,000 deep": [ask(nested(4_000)), "request.depth"],
  "nested a million deep": [ask(nested(1_000_000, (inner) => ({ a: inner }))), "request.depth"],
  cyclic: [cyclic, "request.cycle"],
  "a list in itself": [ask(list), "request.cycle"],
  "a list of 2^40 shared parts": [ask(shared), "request.size"],
  "a long list": [ask(new Array(200_000).fill(0)), "request.size"],
  "a list with holes": [ask(new Array(2 ** 32 - 1)), "request.size"],
  "a list whose length is a lie": [ask(countless), "request.size"],
  "a list without a length": [ask(lengthless), "request.invalid"],
  "much text": [{ query: "x".repeat(17 * 1024 * 1024) }, "request.size"],
  "long names": [ask({ ["k".repeat(17 * 1024 * 1024)]: 1 }), "request.size"],
  "a getter that throws": [throwing, "request.invalid"],
  "a revoked proxy": [ask(revoked), "request.invalid"],
  "a BigInt": [ask(2n ** 64n), "request.invalid"],
  "a function": [ask(() => 1), "request.invalid"],
  "a symbol": [ask(Symbol("x")), "request.invalid"],
  "bytes of the wrong kind": [ask(new Float64Array(8)), "request.invalid"],
  "a buffer": [ask(new ArrayBuffer(8)), "request.invalid"],
};

/** Puts every such request to an index, and a right question after each. */
async function attack(index) {
  for (const [name, [request, code]] of Object.entries(REFUSED)) {
    await assert.rejects(index.cypher(request), (error) => {
      assert.equal(error.code, code, `${name}: ${error.message}`);
      assert.ok(error.message.length < 400, name);
      return true;
    });
    const { symbols } = await askedAgain(() => index.find("addTax"));
    assert.equal(symbols.length, 1, name);
  }
}

test("an index that was opened in this thread", (t) =>
  watched(sandbox(FILES, t), async () => {
    const index = await Portolan.open(bytes);
    t.after(() => index.close());
    await attack(index);
  }));

test("an index in a worker", (t) =>
  watched(sandbox(FILES, t), async (box) => {
    const index = await Portolan.index(box.path("repo"), { embeddings: false });
    t.after(() => index.close());
    await attack(index);
    await assert.rejects(index.structural(cyclic), { code: "request.cycle" });
    await assert.rejects(index.structural({ pattern: nested(5_000) }), { code: "request.depth" });
    assert.equal((await index.structural("addTax($A)")).matches.length, 1);
  }));

test("names of tools, paths and snapshots that are none", async () => {
  const endless = { length: 4e9, charCodeAt: () => 97, toString: () => "find" };
  for (const wrong of [new Uint16Array(8), endless, 7, null, undefined, new ArrayBuffer(8), [1, 2]])
    await assert.rejects(Portolan.open(wrong), {
      code: "input.invalid",
      message: /the snapshot: expected a Uint8Array/,
    });
  const index = await Portolan.open(bytes);
  for (const tool of [endless, 7, null, Symbol("find"), "x".repeat(1e6), ["find"]])
    await assert.rejects(index.ask(tool, {}), { code: "request.tool" });
  for (const path of [cyclic, nested(5_000), new Float64Array(4), 7n])
    await assert.rejects(index.highlights(path), ({ code }) => /^request\./.test(code));
  await assert.rejects(index.highlights("x".repeat(20_000_000)), { code: "request.size" });
  assert.equal((await index.find("addTax")).symbols.length, 1);
  index.close();
});

test("a request is read once: a getter that changes its mind changes nothing", async () => {
  let n = 0;
  const request = {
    get symbol() {
      return n++ === 0 ? "addTax" : nested(10_000);
    },
  };
  const index = await Portolan.open(bytes);
  assert.equal((await index.find(request)).symbols.length, 1);
  assert.equal(n, 1);
  index.close();
});

test("__proto__, constructor and prototype are names like others", async () => {
  const request = JSON.parse(
    '{"symbol":"addTax","__proto__":{"limit":1,"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  );
  const copy = plainRequest(request);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.equal(copy.limit, undefined);
  const index = await Portolan.open(bytes);
  await index.find(request).catch(({ code }) => assert.equal(code, "request.invalid"));
  const { rows } = await index.cypher({
    query: "RETURN $p AS p",
    parameters: JSON.parse('{"p":1,"__proto__":{"p":2}}'),
  });
  assert.deepEqual(rows, [[1]]);
  assert.equal({}.polluted, undefined);
  index.close();
});

test("files and edits: what is wrong is said with its place", (t) =>
  watched(sandbox(FILES, t), async (box) => {
    const index = await Portolan.index(box.path("repo"), { embeddings: false });
    t.after(() => index.close());
    await index.complete;
    const path = "src/x.ts";
    const wrong = [
      [{ files: [{ path, bytes: new Float64Array(4) }] }, "input.invalid", /files\[0\]\.bytes: .*Float64Array/],
      [{ files: [{ path, bytes: { length: 4e9 } }] }, "input.invalid", /files\[0\]\.bytes/],
      [{ files: [{ path: 7, bytes: new Uint8Array() }] }, "input.invalid", /files\[0\]\.path: .*number/],
      [{ files: [{ path: "x".repeat(20_000), bytes: new Uint8Array() }] }, "request.size", /files\[0\]\.path/],
      [{ files: [null] }, "input.invalid", /files\[0\]/],
      [{ files: { length: 4e9 } }, "input.invalid", /files: expected a list/],
      [{ deleted: [{}] }, "input.invalid", /deleted\[0\]/],
      [7, "input.invalid", /the edits/],
    ];
    for (const [edits, code, message] of wrong) await assert.rejects(index.update(edits), { code, message });
    for (const [edits, code] of wrong.filter(([{ files }]) => files !== undefined))
      await assert.rejects(Portolan.index(edits), { code });
    const changes = await index.update({ files: [{ path, bytes: Buffer.from("export const y = 1;\n") }] });
    assert.deepEqual(changes.added, [path]);
    await askedAgain(() => index.find("addTax"));
  }));

test("limits are inclusive, and texts of JSON are told by their shape", () => {
  assert.doesNotThrow(() => plainRequest(nested(REQUEST_LIMITS.depth)));
  assert.throws(() => plainRequest(nested(REQUEST_LIMITS.depth + 1)), { code: "request.depth" });
  assert.throws(() => plainRequest({ a: { b: [0, 1n] } }), { message: /at a\.b\[1\] is a bigint/ });
  const shape = (text) => jsonShape(text, { depth: 3, characters: 100 });
  assert.equal(shape('{"a":[{}]}').fault, undefined);
  assert.equal(shape('{"a":[[{}]]}').fault.code, "request.depth");
  assert.equal(shape('{"a":"[[[[[[{{{{\\"[[["}').fault, undefined);
  assert.equal(shape(`"${"x".repeat(200)}"`).fault.code, "request.size");
  const ids = {
    '{"id":7,"a":[[[[]]]]}': "7",
    '{"id" : "a\\"b" }': '"a\\"b"',
    '{"a":{"id":1}}': undefined,
    '{"id":1.5}': undefined,
    '{"id":{"id":3}}': undefined,
    '{"id":"\\x"}': undefined,
  };
  for (const [text, id] of Object.entries(ids)) assert.equal(shape(text).id, id, text);
});
