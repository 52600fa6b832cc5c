// A question that stops the engine costs that question only, in Node: in this thread, in a worker, in a session. The artifacts are the real
// ones, except for three tools at which they stop: at an `unreachable`, in endless recursion, without memory (poison.mjs).
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { poisonedPackage, STOPPING_FILE } from "./poison.mjs";
import { sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const FILES = {
  "repo/src/tax.ts": "export function addTax(net: number) { return net * 1.19; }\n",
  "repo/src/cart.ts": 'import { addTax } from "./tax";\nexport const total = (net: number) => addTax(net);\n',
};
const POISON = {
  unreachable: (index) => index.detectChanges({ diff: "diff --git a/x b/x\n" }),
  recursion: (index) => index.findChunksForSymbol("addTax"),
  memory: (index) => index.communities(),
};

let Portolan;
let Reopening;
let openStopping;
let bytes;
before(async () => {
  const box = sandbox();
  const folder = poisonedPackage(box.root);
  ({ Portolan } = await import(pathToFileURL(join(folder, "dist/entry/node.js")).href));
  ({ Reopening } = await import(pathToFileURL(join(folder, "dist/engine/reopening.js")).href));
  process.once("exit", () => box.close());
  const { openSnapshot } = await import(pathToFileURL(join(folder, "dist/reading/answering.js")).href);
  const { FileAssets } = await import(pathToFileURL(join(folder, "dist/node/assets.js")).href);
  const read = (start, end) => new Uint8Array(end - start);
  openStopping = () => openSnapshot(new FileAssets(), { n_bytes: STOPPING_FILE, read });
  const index = await Portolan.index({ files: inputOf(FILES) }, { embeddings: false, name: "shop" });
  await index.complete;
  bytes = await index.save();
  index.close();
});

function inputOf(files) {
  return Object.entries(files).map(([path, text]) => ({ path: path.slice(5), bytes: new TextEncoder().encode(text) }));
}

async function stops(question) {
  await assert.rejects(question, (error) => {
    assert.equal(error.code, "internal.trap", error.message);
    assert.match(error.message, /the engine stopped and was restarted \(.+\); the question was \w+ \{/);
    return true;
  });
}

const finds = (index) =>
  askedAgain(
    () => index.find("addTax"),
    ({ symbols }) => symbols.length === 1,
  );

test("in this thread: every way to stop, and every index is asked on", (t) =>
  watched(sandbox(FILES, t), async () => {
    const [one, other] = [await Portolan.open(bytes), await Portolan.open(bytes)];
    for (const poison of Object.values(POISON)) {
      await stops(poison(one));
      await finds(one);
      await finds(other);
      assert.deepEqual(await one.save(), bytes);
    }
    // Asked at once, the others are answered, whichever comes first.
    const both = Promise.all([finds(one), POISON.recursion(one).catch(({ code }) => code), finds(other)]);
    assert.equal((await both)[1], "internal.trap");
    // Objects that are freed belonged to the old instance: nothing of the new one is freed.
    one.close();
    await finds(other);
    await stops(POISON.unreachable(other));
    other.close();
    const third = await Portolan.open(bytes);
    await finds(third);
    third.close();
  }));

test("in this thread: a file that stops the engine when it is opened is refused, and what is open is asked on", async () => {
  const index = await Portolan.open(bytes);
  for (let n = 0; n < 3; n++) {
    await assert.rejects(openStopping(), { code: "internal.trap", message: /to open the index/ });
    await finds(index);
  }
  index.close();
});

test("in this thread: an index that stops the engine again and again is paused, and another one is not", async () => {
  const [bad, good] = [await Portolan.open(bytes), await Portolan.open(bytes)];
  for (let n = 0; n < 20; n++) await stops(POISON.unreachable(bad));
  await assert.rejects(bad.find("addTax"), { code: "index.failed", message: /20 times within a minute/ });
  await finds(good);
  bad.close();
  const again = await Portolan.open(bytes);
  await finds(again);
  for (const index of [good, again]) index.close();
});

test("in this thread: an index on a server is opened again from what is fetched again", async (t) => {
  const server = createServer((request, response) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
    const last = Math.min(Number(end), bytes.length - 1);
    // This thread is busy for seconds where the engine takes all memory: an idle connection would be closed then.
    response.writeHead(206, { connection: "close", "content-range": `bytes ${start}-${last}/${bytes.length}` });
    response.end(bytes.subarray(Number(start), last + 1));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const index = await Portolan.openRemote(`http://127.0.0.1:${server.address().port}/`);
  for (const poison of Object.values(POISON)) {
    await stops(poison(index));
    await finds(index);
    assert.match((await index.text("src/tax.ts")).text, /addTax/);
  }
  index.close();
});

test("in a worker: an index of files in memory is made again, with the edits since", (t) =>
  watched(sandbox(FILES, t), async () => {
    const updates = [];
    const index = await Portolan.index(
      { files: inputOf(FILES) },
      { embeddings: false, onUpdate: (what) => updates.push(what) },
    );
    t.after(() => index.close());
    await index.complete;
    const text = "export function addDuty(net: number) { return net; }\n";
    await index.update({
      files: [{ path: "src/duty.ts", bytes: new TextEncoder().encode(text) }],
      deleted: ["src/cart.ts"],
    });
    await stops(POISON.unreachable(index));
    await finds(index);
    assert.equal((await index.find("addDuty")).symbols.length, 1);
    assert.deepEqual(
      (await index.files()).files.map(({ path }) => path),
      ["src/duty.ts", "src/tax.ts"],
    );
    const { added } = await index.update({ files: [{ path: "src/new.ts", bytes: new TextEncoder().encode(text) }] });
    assert.deepEqual(added, ["src/new.ts"]);
    await stops(POISON.recursion(index));
    assert.ok((await index.save()).length > 0);
  }));

test("in a worker: an index that is stored is opened from there, and goes on being kept up to date", (t) => {
  const box = sandbox(FILES, t);
  return watched(box, { allow: [...box.allow, "repo/src/tax.ts"] }, async () => {
    const index = await Portolan.index(box.path("repo"), { store: true, embeddings: false });
    t.after(() => index.close());
    await index.complete;
    for (const poison of Object.values(POISON)) {
      await stops(poison(index));
      await finds(index);
    }
    writeFileSync(box.path("repo/src/tax.ts"), "export function subtractTax() {}\n");
    await index.update();
    assert.equal((await index.find("subtractTax")).symbols.length, 1);
  });
});

test("in a worker: a question that stops the engine while vectors are computed does not end that", (t) =>
  watched(sandbox(FILES, t), async () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [
        `repo/many/f${n}.ts`,
        `/** Adds ${n}. */\nexport const f${n} = (x) => x + ${n};\n`,
      ]),
    );
    const index = await Portolan.index({ files: inputOf({ ...FILES, ...many }) }, {});
    t.after(() => index.close());
    await stops(POISON.unreachable(index));
    await finds(index);
    await index.complete;
    await finds(index);
    // Vectors of the rebuilt index follow.
    for (let n = 0; n < 300 && (await index.status()).n_vectors === 0; n++) await setTimeout(100);
    assert.equal((await index.status()).n_files, 152);
    const { hits } = await index.search({ query: "value added tax", mode: "vector" });
    assert.ok(hits.length > 0);
  }));

test("in a worker: what stops while the index is updated costs that update", (t) =>
  watched(sandbox(FILES, t), async (box) => {
    const index = await Portolan.index(box.path("repo"), { embeddings: false });
    t.after(() => index.close());
    await index.complete;
    await assert.rejects(index.update({ deleted: ["x".repeat(33)] }), { code: "internal.trap", message: /to update/ });
    await finds(index);
    const { deleted } = await index.update({ deleted: ["src/cart.ts"] });
    assert.deepEqual(deleted, ["src/cart.ts"]);
  }));

test("an index that cannot be opened again is given up for good, after three tries", () => {
  let number = 0;
  const instance = {
    get number() {
      return number;
    },
    replace: () => number++,
  };
  const stop = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  let n_opened = 0;
  const reopen = () => {
    n_opened++;
    stop();
  };
  const index = new Reopening({ free() {} }, { instance, reopen });
  assert.throws(() => index.call(() => "find", stop), { code: "internal.trap" });
  for (let n = 0; n < 3; n++) assert.throws(() => index.get(), { code: "internal.trap" });
  for (let n = 0; n < 5; n++) assert.throws(() => index.get(), { code: "index.failed", message: /3 times/ });
  assert.equal(n_opened, 3);
});

test("a pause ends: twenty traps a minute, and then the index is asked again", () => {
  let now = 0;
  let number = 0;
  const instance = {
    get number() {
      return number;
    },
    replace: () => number++,
  };
  const index = new Reopening({ free() {} }, { instance, reopen: () => ({ free() {} }) }, () => now);
  const stop = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  for (let n = 0; n < 20; n++) assert.throws(() => index.call(() => "find", stop), { code: "internal.trap" });
  assert.throws(
    () =>
      index.call(
        () => "find",
        () => 1,
      ),
    { code: "index.failed", message: /60 s/ },
  );
  now = 60_000;
  assert.equal(
    index.call(
      () => "find",
      () => 1,
    ),
    1,
  );
});
