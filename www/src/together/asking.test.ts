import assert from "node:assert/strict";
import { test } from "node:test";
import type { CodeIndex } from "portolan";
import { fakeIndex } from "../../test/fake-portolan.ts";
import { askAll, OpenIndexes, ordered, type Reply } from "./asking.ts";

const done = (total: number): Reply => ({ state: "done", files: [], places: [], total, truncated: false });

test("each repository answers by itself; one that cannot be opened says why", async () => {
  const open = new OpenIndexes(async (name) => {
    if (name === "broken") throw Object.assign(new Error("the index is damaged"), { code: "snapshot.damaged" });
    return fakeIndex(name, { "src/a.ts": "export function add() {\n  return 1;\n}\n" }) as unknown as CodeIndex;
  });
  const steps = new Map<string, string[]>();
  const last = new Map<string, Reply>();
  await askAll(
    open,
    ["one", "broken", "two"],
    { query: "add", kind: "auto" },
    new AbortController().signal,
    (name, reply) => {
      steps.set(name, [...(steps.get(name) ?? []), reply.state]);
      last.set(name, reply);
    },
  );
  assert.deepEqual(steps.get("one"), ["waiting", "opening", "asking", "done"]);
  assert.deepEqual(steps.get("broken"), ["waiting", "opening", "failed"]);
  const broken = last.get("broken");
  assert.equal(broken?.state === "failed" && broken.code, "snapshot.damaged");
  assert.equal(last.get("two")?.state, "done");
});

test("nothing is told after the end", async () => {
  const stop = new AbortController();
  const told: string[] = [];
  const open = new OpenIndexes(async () => {
    stop.abort();
    return fakeIndex("x", {}) as unknown as CodeIndex;
  });
  await askAll(open, ["x"], { query: "add", kind: "auto" }, stop.signal, (_, { state }) => told.push(state));
  assert.deepEqual(told, ["waiting", "opening"]);
});

test("the index used longest ago is closed when there are too many", async () => {
  const closed: string[] = [];
  const open = new OpenIndexes(async (name) => ({ close: () => closed.push(name) }) as unknown as CodeIndex);
  for (const name of ["a", "b", "c", "d", "e", "f", "a", "g"]) await open.get(name);
  await Promise.resolve();
  assert.deepEqual(closed, ["b"]);
  open.close();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(closed.length, 7);
});

test("repositories with an answer come first, those without last", () => {
  const replies = new Map<string, Reply>([
    ["none", done(0)],
    ["some", done(3)],
    ["failed", { state: "failed", message: "", help: "", code: "" }],
    ["asking", { state: "asking" }],
  ]);
  assert.deepEqual(ordered(["none", "failed", "asking", "some"], replies), ["some", "asking", "failed", "none"]);
});
