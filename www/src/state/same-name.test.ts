import assert from "node:assert/strict";
import { test } from "node:test";
import { clash, fingerprintOf, freeName, isSame, nameFor, rememberSource, renameSource } from "./same-name.ts";
import type { Source } from "./sources.ts";

const archive = (bytes: string, lastModified = 1): Source => ({
  name: "main",
  input: { archive: new File([bytes], "main.zip", { lastModified }) },
});
const list = (...paths: string[]): Source => ({
  name: "src",
  input: { files: paths.map((path) => ({ path, file: new File([], path) })) },
});

test("a name that is free is taken; so is the name of the same thing", async () => {
  assert.equal(await nameFor(archive("a"), new Set()), "main");
  rememberSource("main", archive("a"));
  assert.equal(await nameFor(archive("a"), new Set(["main"])), "main");
});

test("another archive of the same name: the reader decides", async () => {
  rememberSource("main", archive("a"));
  const taken = new Set(["main", "main (2)"]);
  for (const [choice, name] of [
    ["both", "main (3)"],
    ["replace", "main"],
    ["neither", null],
  ] as const) {
    const wanted = nameFor(archive("another"), taken);
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(clash.value?.free, "main (3)");
    clash.value?.answer(choice);
    assert.equal(await wanted, name);
    assert.equal(clash.value, null);
  }
});

test("a second question takes the place of the first, which changes nothing", async () => {
  rememberSource("main", archive("a"));
  const first = nameFor(archive("bb"), new Set(["main"]));
  await new Promise((resolve) => setTimeout(resolve));
  const second = nameFor(archive("ccc"), new Set(["main"]));
  assert.equal(await first, null);
  await new Promise((resolve) => setTimeout(resolve));
  clash.value?.answer("replace");
  assert.equal(await second, "main");
});

test("a list of files that has changed a little is the same folder, another one is not", () => {
  const print = (source: Source) => fingerprintOf(source) ?? "";
  const many = Array.from({ length: 900 }, (_, at) => `lib/file${at}.ts`);
  assert.ok(isSame(print(list(...many)), print(list(...many.slice(20), "new.ts"))));
  assert.ok(!isSame(print(list(...many)), print(list("main.rs", "lib.rs"))));
  assert.ok(!isSame(print(list("index.js")), print(list(...many, "index.js"))));
  assert.ok(!isSame(undefined, print(list("a"))));
});

test("free names count on", () => assert.equal(freeName("a", new Set(["a", "a (2)", "a (3)"])), "a (4)"));

test("a renamed index is still known as the same thing", async () => {
  rememberSource("docks", archive("a"));
  renameSource("docks", "main");
  assert.equal(await nameFor(archive("a"), new Set(["main"])), "main");
  assert.equal(clash.value, null);
  renameSource("never seen", "nothing");
});
