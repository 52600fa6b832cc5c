import assert from "node:assert/strict";
import { test } from "node:test";
import { changeChat, checkedChat, checkedKeys, defaults, keys, setKey } from "./settings.ts";

test("settings of any data have every field of the right type", () => {
  for (const value of [null, "x", [], { models: "x", mode: 3, perMinute: -1, price: { input: "1" } }])
    assert.deepEqual(checkedChat(value), defaults, JSON.stringify(value));
  const kept = {
    models: [{ provider: "ollama", model: "m", baseUrl: "", key: "secret" }, { provider: 3 }],
    mode: "linear",
    reviewAll: true,
    perMinute: 5,
    price: { input: 1, output: 2.5 },
    keepsKeys: true,
  };
  assert.deepEqual(checkedChat(kept), { ...kept, models: [{ provider: "ollama", model: "m" }] });
});

test("a key belongs to an origin", () => {
  assert.deepEqual(
    checkedKeys({ "https://a.example": "k", "https://a.example/v1": "k", x: "k", "https://b.example": 3 }),
    {
      "https://a.example": "k",
    },
  );
});

test("keys are kept only where the person says so, and forgotten when they no longer do", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  setKey("https://a.example", "secret");
  assert.deepEqual(keys.peek(), { "https://a.example": "secret" });
  assert.ok(![...kept.values()].some((text) => text.includes("secret")));
  changeChat({ keepsKeys: true });
  assert.ok(kept.get("portolan.chat.keys")?.includes("secret"));
  changeChat({ keepsKeys: false });
  assert.ok(![...kept.values()].some((text) => text.includes("secret")));
  setKey("https://a.example", "");
  assert.deepEqual(keys.peek(), {});
});
