// Work that is done once for all requests that want it, without one request waiting for a promise of another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { JoinedWork } from "portolan/shared";

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

test("whoever waited long enough is told so, and the next call does the work anew", async () => {
  const joined = new JoinedWork(30);
  const never = joined.run("index", () => new Promise(() => {}), late);
  await assert.rejects(
    joined.run("index", async () => 1, late),
    /late/,
  );
  assert.deepEqual(await joined.run("index", async () => 2, late), { value: 2, isOwn: true });
  assert.equal(await Promise.race([never, pause(5, "still waiting")]), "still waiting");
});
