import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesOf, type Asked, allowed, asked, openText, refuse, versionOf } from "./remote.ts";

test("nothing is fetched before its hosts are allowed", async () => {
  assert.equal(await openText("acme/shop@v1"), true);
  assert.deepEqual(asked.value, {
    text: "acme/shop@v1",
    name: "github/acme/shop@v1",
    origins: ["https://api.github.com", "https://raw.githubusercontent.com"],
  });
  refuse();
  assert.equal(asked.value, null);
  allowed.value = ["https://api.github.com"];
  await openText("acme/shop");
  assert.equal((asked.value as Asked | null)?.name, "github/acme/shop", "one of two hosts is not enough");
  refuse();
});

test("a text that names no source says so", async () => {
  assert.equal(await openText("not a source"), false);
  assert.equal(asked.value, null);
});

test("addresses of any data keep what is usable", () => {
  const forge = { id: "github", forge: "github", web: "https://git.example", api: "https://git.example/api/v3" };
  assert.deepEqual(
    addressesOf({ forges: [forge, { id: "x y" }, null, { ...forge, api: "javascript:alert(1)" }] }).forges,
    [forge],
  );
  assert.deepEqual(addressesOf({ registries: { npm: "https://mirror.example/", crate: 7 } }).registries, {
    npm: "https://mirror.example/",
    crate: undefined,
  });
  for (const bad of [null, 7, "x", { forges: 7, registries: null }]) assert.deepEqual(addressesOf(bad).forges, []);
});

test("a version is one of the open repository or package, or a source by its full name", () => {
  const table: [string, string, string | undefined][] = [
    ["github/acme/shop", "feature/vat", "github:acme/shop@feature/vat"],
    ["github/acme/shop@v1", "v2", "github:acme/shop@v2"],
    ["github/acme/shop/docs", "v2", "github:acme/shop@v2/docs"],
    ["github/acme/shop", "github:acme/other", "github:acme/other"],
    ["npm/shop@1.0.0", "2.0.0-rc.1", "npm:shop@2.0.0-rc.1"],
    ["my-folder", "acme/shop@v1", "acme/shop@v1"],
    ["my-folder", "v1", undefined],
    ["github/acme/shop", "two words", undefined],
    ["github/acme/shop", "../../etc", undefined],
  ];
  for (const [name, text, expected] of table)
    assert.equal(versionOf(name, text, undefined), expected, `${name} ${text}`);
});
