// How a job of CI gets its token: GitHub gives it on request, for the server that is asked.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { serverOf } from "../dist/shared/user-server.js";
import { folderWith } from "./fixture.mjs";
import { startIssuer } from "./shared-issuer.mjs";

const SERVER = "https://portolan.example.com/indexes";
const SECRET = "of-the-job";
const root = folderWith({ "a.ts": "" });
/** The user's folder has no token of this server. */
const home = folderWith({ "none.txt": "" });
const configured = process.env.XDG_CONFIG_HOME;
before(() => {
  process.env.XDG_CONFIG_HOME = home;
});
after(() => {
  if (configured === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = configured;
});

/** GitHub's service of tokens, which gives `answer`. */
async function actions(answer) {
  const asked = [];
  const service = await startIssuer((_, path, { headers }) => {
    asked.push({ path, authorization: headers.authorization });
    return answer;
  });
  after(service.close);
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${service.url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: SECRET,
  };
  return { asked, env, url: service.url };
}

const ask = (env) => serverOf({ server: `${SERVER}/` }, root, env);

test("a job of GitHub Actions is given a token for the server", async () => {
  const { asked, env } = await actions({ count: 1, value: "a.b.c" });
  assert.deepEqual(await ask(env), { server: SERVER, token: "a.b.c" });
  const [{ path, authorization }] = asked;
  const { pathname, searchParams } = new URL(path, SERVER);
  assert.deepEqual(
    [pathname, searchParams.get("api-version"), searchParams.get("audience"), authorization],
    ["/token", "2.0", SERVER, `Bearer ${SECRET}`],
  );
});

test("a token that is given goes before, and no job has none", async () => {
  const { asked, env } = await actions({ value: "a.b.c" });
  assert.equal((await ask({ ...env, PORTOLAN_SHARED_TOKEN: " given\n" })).token, "given");
  assert.equal((await ask({ ...env, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "" })).token, undefined);
  assert.equal((await ask({})).token, undefined);
  assert.deepEqual(asked, []);
});

test("a refusal says which permission the job needs, and not the secret", async () => {
  const good = await actions({ value: "a.b.c" });
  for (const answer of [{}, { value: 7 }, { value: "x".repeat(70_000) }, "text", new URL("/token", good.url)]) {
    const { env } = await actions(answer);
    await assert.rejects(ask(env), ({ code, message, help }) => {
      assert.deepEqual([code, help], ["remote.failed", "permissions: id-token: write"], message);
      assert.ok(!message.includes(SECRET));
      return true;
    });
  }
  assert.deepEqual(good.asked, [], "no redirect is followed");
});
