import assert from "node:assert/strict";
import { test } from "node:test";
import { openFake } from "../../test/open.ts";
import { commandFor, commands, keysOf } from "./commands.ts";
import { repository } from "./repository.ts";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test("keys are written as the list writes them", () => {
  assert.equal(keysOf(press("K", { ctrlKey: true })), "mod+k");
  assert.equal(keysOf(press("O", { metaKey: true, shiftKey: true })), "mod+shift+o");
  assert.equal(keysOf(press("?", { shiftKey: true })), "?");
  assert.equal(keysOf(press("F12", { shiftKey: true })), "shift+f12");
});

test("one letter is a shortcut only where letters are not text, and only if wanted", async () => {
  await openFake();
  assert.equal(commandFor(press("/"), false, true)?.id, "search.focus");
  assert.equal(commandFor(press("/"), true, true), null);
  assert.equal(commandFor(press("/"), false, false), null);
  assert.equal(commandFor(press("k", { ctrlKey: true }), true, false)?.id, "palette.open");
  repository.value = null;
  assert.equal(commandFor(press("/"), false, true), null);
});

test("no two commands share a shortcut or an id", () => {
  const keys = commands.flatMap((command) => command.keys);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(commands.map(({ id }) => id)).size, commands.length);
});
