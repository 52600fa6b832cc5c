// Work that is done once for all requests that want it, without one request waiting for a promise of another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { JoinedWork, TokenList } from "portolan/shared";

const late = () => new Error("late");

test("requests at the same time get the result of one work, and each says whether it was its own", async () => {
  const joined = new JoinedWork(1_000);
  let n = 0;
  const work = async () => {
    await pause(20);
    n += 1;
    return n;
  };
  const results = await Promise.all(Array.from({ length: 50 }, () => joined.run("index", work, late)));
  assert.deepEqual(new Set(results.map(({ value }) => value)), new Set([1]));
  assert.equal(results.filter(({ isOwn }) => isOwn).length, 1);
  // Other keys, and later calls, work anew.
  assert.deepEqual(await joined.run("other", work, late), { value: 2, isOwn: true });
  assert.deepEqual(await joined.run("index", work, late), { value: 3, isOwn: true });
});

test("an error is that of all who waited, and the next call tries again", async () => {
  const joined = new JoinedWork(1_000);
  const fails = async () => {
    await pause(10);
    throw new Error("no bucket");
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => joined.run("index", fails, late)));
  assert.deepEqual(
    results.map(({ reason }) => reason?.message),
    ["no bucket", "no bucket", "no bucket"],
  );
  assert.equal((await joined.run("index", async () => "there", late)).value, "there");
});

test("whoever waited for a request that was cut off is told so, or does the work", async () => {
  const joined = new JoinedWork(30);
  const never = () => joined.run("index", () => new Promise(() => {}), late);
  void never();
  await assert.rejects(
    joined.run("index", async () => 1, late),
    /late/,
  );
  assert.deepEqual(await joined.run("index", async () => 2, late), { value: 2, isOwn: true });
  void never();
  const two = [1, 2].map(() => joined.run("index", async () => 3));
  assert.deepEqual(
    (await Promise.all(two)).map(({ value }) => value),
    [3, 3],
  );
});

test("a request for the list of tokens that is cut off does not keep others from it", async () => {
  let n = 0;
  const store = {
    readDocument: () => (n++ === 0 ? new Promise(() => {}) : Promise.resolve(undefined)),
  };
  const list = new TokenList(store);
  void list.get();
  assert.deepEqual(await list.get(), []);
});
