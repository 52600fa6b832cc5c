// Jobs of CI push to the real workerd with the tokens that GitHub and GitLab issue to them, by rules of the server.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { SharedClient } from "../../pkg/dist/shared/client.js";
import { FolderStore } from "../../pkg/dist/shared/folder-store.js";
import { cutFile } from "../../pkg/dist/shared/index-file.js";
import { createToken } from "../../pkg/dist/shared/tokens.js";
import { serverOf } from "../../pkg/dist/shared/user-server.js";
import { githubClaims, gitlabClaims, jwt, seconds, startIssuer } from "../../pkg/test/shared-issuer.mjs";
import { start } from "./harness.mjs";

const AUDIENCE = "https://portolan.example";

/** @param {{ own: Uint8Array, small: Uint8Array }} made */
export const ci = (made) =>
  describe("jobs of CI", () => {
    /** @type {Awaited<ReturnType<typeof start>>} */
    let worker;
    /** @type {Awaited<ReturnType<typeof startIssuer>>[]} */
    let issuers;
    const folder = mkdtempSync(join(tmpdir(), "portolan-ci-"));

    before(async () => {
      const good = await startIssuer();
      // Both of its documents are elsewhere; only the first is asked for.
      const moved = await startIssuer((_, path) => new URL(path, good.url));
      const keysMoved = await startIssuer((answer, path) => (path === "/keys" ? new URL(path, good.url) : answer));
      const gitlab = await startIssuer();
      issuers = [good, gitlab, moved, keysMoved];
      const store = new FolderStore(folder);
      for (const { url: issuer } of issuers) {
        const ci = { issuer, repository: "acme/tools", ref: "refs/heads/*" };
        await createToken(store, { name: "ci", scope: "write", repositories: ["acme/tools"], ci });
      }
      const document = await store.readDocument("access/tokens");
      worker = await start(
        { ACCESS: "tokens", AUDIENCE, RATE_PER_MINUTE: "1000000" },
        { "shared/documents/access/tokens": /** @type {Uint8Array} */ (document?.bytes) },
      );
    });
    after(async () => {
      await worker?.close();
      for (const { close } of issuers) close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Pushes as `portolan push` does. @param {string | undefined} token  @param {Uint8Array} bytes  @param {string} commit */
    const push = async (token, bytes, commit) => {
      const path = join(folder, "index.portolan");
      writeFileSync(path, bytes);
      const file = await cutFile(path);
      const client = new SharedClient({ server: worker.url.href.replace(/\/$/, ""), token }, "acme/tools");
      try {
        const request = { source: { commit }, n_bytes: file.n_bytes, sections: file.sections };
        for (const digest of (await client.offer(request)).missing) await client.putPiece(digest, file.read(digest));
        return await client.offer(request);
      } finally {
        file.close();
      }
    };

    /** @param {string} token */
    const refusal = async (token) => {
      const response = await worker.fetch("/v1/repos", { headers: { authorization: `Bearer ${token}` } });
      return { status: response.status, .../** @type {any} */ (await response.json()) };
    };

    test("one of GitHub asks for its token, and pushes", async () => {
      const [{ url }] = issuers;
      const service = await startIssuer((_, path) => {
        const audience = new URL(path, url).searchParams.get("audience") ?? "";
        return { value: jwt(githubClaims(url, audience)) };
      });
      after(service.close);
      const { token } = await serverOf({ server: AUDIENCE }, folder, {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${service.url}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
      });
      const { is_current, missing } = await push(token, made.small, "1".repeat(40));
      assert.deepEqual([is_current, missing], [true, []]);
      const { version } = await push(token, made.own, "2".repeat(40));
      assert.equal(version?.source.commit, "2".repeat(40));
      const search = await worker.ask("/v1/search?repo=acme/tools&q=reader", {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(search.status, 200, search.text);
    });

    test("one of GitLab pushes", async () => {
      const [, { url }] = issuers;
      const token = jwt(gitlabClaims(url, AUDIENCE));
      assert.equal((await push(token, made.small, "3".repeat(40))).version?.source.commit, "3".repeat(40));
      const logs = JSON.stringify(worker.logs());
      assert.match(logs, /project_path:acme\/tools:ref_type:branch:ref:main/, "the log says which job it was");
      assert.ok(!logs.includes(token.slice(-40)));
    });

    test("each issuer was asked once", () => {
      for (const { seen } of issuers.slice(0, 2))
        assert.deepEqual(seen, ["/.well-known/openid-configuration", "/keys"]);
    });

    test("tokens for others are refused", async () => {
      const [{ url: github }, { url: gitlab }] = issuers;
      const refused = {
        "another audience": githubClaims(github, "https://other.example"),
        expired: githubClaims(github, AUDIENCE, { iat: seconds() - 900, exp: seconds() - 600 }),
        "another repository": githubClaims(github, AUDIENCE, { repository: "evil/tools" }),
        "a pull request": githubClaims(github, AUDIENCE, { ref: "refs/pull/7/merge", event_name: "pull_request" }),
        "a tag": githubClaims(github, AUDIENCE, { ref: "refs/tags/v1", ref_type: "tag" }),
        "another audience of GitLab": gitlabClaims(gitlab, "https://other.example"),
        "another project": gitlabClaims(gitlab, AUDIENCE, { project_path: "evil/tools" }),
        "a tag of GitLab": gitlabClaims(gitlab, AUDIENCE, { ref: "v1", ref_type: "tag" }),
      };
      for (const [what, claims] of Object.entries(refused)) {
        const { status, code } = await refusal(jwt(claims));
        assert.deepEqual([status, code], [401, "access.token-invalid"], what);
      }
      const other = await worker.ask("/v1/repos/acme%2Fother/versions", {
        headers: { authorization: `Bearer ${jwt(githubClaims(github, AUDIENCE))}` },
      });
      assert.deepEqual([other.status, other.json.code], [404, "repository.unknown"]);
    });

    test("an issuer that leads elsewhere is not followed", async (t) => {
      // The harness sends the requests of workerd by Node's fetch, which would follow redirects before workerd sees them.
      const sent = globalThis.fetch;
      const asIs = (/** @type {string} */ url, /** @type {Request} */ { method, headers }) =>
        sent(url, { method, headers: [...headers], redirect: "manual" });
      t.mock.method(globalThis, "fetch", asIs);
      const [{ seen }, , ...moved] = issuers;
      const before = seen.length;
      for (const { url } of moved) {
        const { status, code, message } = await refusal(jwt(githubClaims(url, AUDIENCE)));
        assert.deepEqual([status, code], [503, "access.issuer"]);
        assert.match(message, /the server leads elsewhere/);
      }
      assert.equal(seen.length, before);
    });
  });
