// Clients of a server of shared indexes that have no right, or any number of addresses: what they cost the server and an issuer.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { Access } from "../../pkg/dist/shared/access.js";
import { FolderStore } from "../../pkg/dist/shared/folder-store.js";
import { sharedServer } from "../../pkg/dist/shared/handler.js";
import { MemoryLimiter, networkOf } from "../../pkg/dist/shared/limiter.js";
import { OidcVerifier } from "../../pkg/dist/shared/oidc.js";
import { createToken, TokenList } from "../../pkg/dist/shared/tokens.js";
import { Versions } from "../../pkg/dist/shared/versions.js";

const folder = mkdtempSync(join(tmpdir(), "portolan-shared-"));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const store = new FolderStore(folder);

/** A server over a store that counts what it is asked for. */
function counting(options = {}) {
  const asked = { documents: 0, heads: 0 };
  const counted = new Proxy(store, {
    get(target, name) {
      if (name === "listDocuments") asked.documents++;
      if (name === "head" || name === "list") asked.heads++;
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const handle = sharedServer({
    versions: new Versions(counted),
    access: new Access({ tokens: new TokenList(store, 0), public: [], ...options }),
    limiter: new MemoryLimiter(),
    tools: async () => Response.json({}),
    audit: () => {},
    complain: (error) => assert.fail(error),
    origins: [],
  });
  const ask = (path, { address = "192.0.2.1", headers = {} } = {}) =>
    handle(new Request(`http://localhost${path}`, { headers }), { address });
  return { ask, asked };
}

test("whoever has no right to anything does not make the server look through its folder", async () => {
  const { ask, asked } = counting();
  for (const path of [
    "/v1/search?q=x",
    "/v1/repos",
    "/mcp",
    "/v1/search?q=x&repo=*",
    "/v1/repos/acme%2Ftools/versions",
  ])
    assert.ok([200, 401].includes((await ask(path)).status), path);
  const { code } = await (await ask("/v1/repos")).json();
  assert.equal(code, "access.token-missing");
  assert.deepEqual(asked, { documents: 0, heads: 0 });
});

test("a list of repositories does not look at their pieces", async () => {
  const bytes = new TextEncoder().encode("{}");
  for (const name of ["acme/-/tools", "x.tmp"]) {
    await store.writeDocument(`repos/${name}/_/catalogue`, bytes, undefined);
    for (let n = 0; n < 50; n++) await store.put(`repos/${name}/_/pieces/${n}`, bytes);
  }
  const looked = [];
  const { stats } = Object.getPrototypeOf(await openedFolder());
  const { prototype } = (await openedFolder()).constructor;
  prototype.stats = function (name) {
    looked.push(name);
    return stats.call(this, name);
  };
  try {
    assert.deepEqual(await new Versions(store).repositories(), ["acme/tools", "x.tmp"]);
  } finally {
    prototype.stats = stats;
  }
  assert.ok(looked.length < 20, `${looked.length} files were looked at`);
});

async function openedFolder() {
  const { SafeFolder } = await import("../../pkg/dist/node/safe-folder.js");
  const opened = SafeFolder.open(folder, []);
  opened.close();
  return opened;
}

test("forged tokens of CI do not make the server ask an issuer that fails again and again", async () => {
  const issuer = "https://issuer.example";
  const rule = { issuer, repository: "acme/*" };
  await createToken(store, { name: "ci", scope: "write", repositories: ["acme/*"], ci: rule });
  let [n_asked, now] = [0, Date.now()];
  const failing = async () => {
    n_asked++;
    throw new Error("down");
  };
  const verifier = new OidcVerifier(failing, () => now);
  const access = new Access({ tokens: new TokenList(store, 0), audience: "https://x", verifier });
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const forged = (kid) => `${part({ alg: "RS256", kid })}.${part({ iss: issuer })}.${part("x")}`;
  const ask = (kid) => assert.rejects(access.principal(`Bearer ${forged(kid)}`), { code: "access.issuer" });
  for (let n = 0; n < 30; n++) await ask(`key-${n}`);
  await Promise.all(Array.from({ length: 30 }, (_, n) => ask(`other-${n}`)));
  assert.ok(n_asked <= 2, `${n_asked} requests to the issuer`);
  now += 11_000;
  await ask("later");
  assert.ok(n_asked <= 3, "after a while it is asked again");
});

test("a client with 2^64 addresses has one limit", async () => {
  for (const [address, network] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
    ["2001:0DB8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["", ""],
    ["no address", "no address"],
  ])
    assert.equal(networkOf(address), network, address);
  const { ask } = counting();
  const statuses = [];
  for (let n = 0; n < 40; n++) {
    const headers = { authorization: `Bearer ptl_${"A".repeat(12)}_${"B".repeat(43)}` };
    statuses.push((await ask("/v1/repos", { address: `2001:db8::${n.toString(16)}`, headers })).status);
  }
  assert.ok(statuses.includes(429), statuses.join());
});
