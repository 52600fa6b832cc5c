import assert from "node:assert/strict";
import { test } from "node:test";
import type { CodeIndex, SaveOptions } from "portolan";
import { blobOf, stemOf } from "./download.ts";
import { askToSave, leave, saveProtected, saving } from "./save.ts";

const wish = { passphrase: "four plain words here", hidesPaths: true, pathKey: "", keepsTexts: false };

function opened(save: (options: SaveOptions) => Promise<Uint8Array>) {
  return { name: "org/shop", index: { save } as unknown as CodeIndex };
}

test("a file's name is the repository's, with what a file system takes", () => {
  assert.deepEqual(["shop", "org/shop", "../x", "größe 1.2", "///"].map(stemOf), [
    "shop",
    "org-shop",
    "x",
    "größe-1.2",
    "repository",
  ]);
});

test("bytes become a file as they are", async () => {
  const bytes = Uint8Array.from({ length: 20 * 1024 * 1024 }, (_, at) => at % 251);
  assert.deepEqual(new Uint8Array(await (await blobOf(bytes)).arrayBuffer()), bytes);
});

test("a new key is offered beside the index; phases are shown while it is made", async () => {
  const phases: unknown[] = [];
  const open = opened(async ({ onPhase, ...asked }) => {
    for (const phase of ["paths", "encrypting"] as const) {
      onPhase?.(phase);
      phases.push(saving.peek()?.state === "working" && phase);
    }
    assert.deepEqual([asked.passphrase, asked.pathKey, asked.keepTexts], ["four plain words here", "a key", false]);
    return new Uint8Array(3);
  });
  askToSave(open);
  await saveProtected(open, wish);
  const done = saving.peek();
  assert.deepEqual(done?.state === "done" && done.made.map(({ name, what }) => [name, what]), [
    ["org-shop.sealed", "index"],
    ["org-shop.key", "key"],
  ]);
  assert.deepEqual(phases, ["paths", "encrypting"]);
  leave();
  assert.equal(saving.peek(), null);
});

test("what goes wrong is said where it was asked for; who leaves hears nothing more", async () => {
  const open = opened(async () =>
    Promise.reject(Object.assign(new Error("there is no memory left"), { code: "x", help: "close tabs" })),
  );
  await saveProtected(open, wish);
  assert.deepEqual(saving.peek(), { state: "asking", open, problem: "there is no memory left; close tabs" });
  let stopped = false;
  const slow = opened(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          stopped = true;
          reject(signal.reason);
        }),
      ),
  );
  const saved = saveProtected(slow, wish);
  leave();
  await saved;
  assert.deepEqual([stopped, saving.peek()], [true, null]);
});
