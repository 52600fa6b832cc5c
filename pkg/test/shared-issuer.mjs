// An issuer of tokens for jobs of CI on loopback, as GitHub's and GitLab's are, and the tokens that it signs.
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/**
 * Starts an issuer. `change` gets each answer with its path, and returns the one that is sent; a `URL` is sent as a redirect.
 * @param {(answer: any, path: string, request: import("node:http").IncomingMessage) => unknown} [change]
 */
export async function startIssuer(change = (answer) => answer) {
  /** @type {(string | undefined)[]} */
  const seen = [];
  const listening = createServer((request, response) => {
    const path = request.url ?? "";
    seen.push(path);
    const answers = /** @type {Record<string, object>} */ ({
      "/.well-known/openid-configuration": { issuer: url, jwks_uri: `${url}/keys` },
      "/keys": { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    });
    const answer = change(answers[path] ?? {}, path, request);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href });
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (listening.address());
  const url = `http://127.0.0.1:${port}`;
  const close = () => {
    listening.closeAllConnections();
    listening.close();
  };
  return { url, seen, close };
}

/** @param {object} claims  @param {{ header?: object, key?: import("node:crypto").KeyObject }} [signed] */
export function jwt(claims, { header = {}, key = privateKey } = {}) {
  const encode = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "RS256", kid: "one", typ: "JWT", ...header })}.${encode(claims)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

/** The time of tokens: seconds since 1970. */
export const seconds = () => Math.floor(Date.now() / 1000);

const times = () => ({ iat: seconds(), nbf: seconds() - 5, exp: seconds() + 300 });

/** Claims as GitHub makes them for a job. @param {string} iss  @param {string} aud  @param {object} [more] */
export function githubClaims(iss, aud, more = {}) {
  return {
    iss,
    aud,
    sub: "repo:acme/tools:ref:refs/heads/main",
    jti: "5a6f2f1e-0d3c-4b7e-9f57-3c1f7f0f4f5e",
    ...times(),
    repository: "acme/tools",
    repository_owner: "acme",
    repository_visibility: "private",
    ref: "refs/heads/main",
    ref_type: "branch",
    ref_protected: "true",
    sha: "1".repeat(40),
    event_name: "push",
    workflow: "index",
    job_workflow_ref: "acme/tools/.github/workflows/index.yml@refs/heads/main",
    run_id: "1234567890",
    runner_environment: "github-hosted",
    ...more,
  };
}

/** Claims as GitLab makes them for a job. @param {string} iss  @param {string} aud  @param {object} [more] */
export function gitlabClaims(iss, aud, more = {}) {
  return {
    iss,
    aud,
    sub: "project_path:acme/tools:ref_type:branch:ref:main",
    jti: "0b4f4f86-6d0d-4f39-9f0f-8d3b2f7f0c11",
    ...times(),
    namespace_path: "acme",
    project_path: "acme/tools",
    ref: "main",
    ref_type: "branch",
    ref_path: "refs/heads/main",
    ref_protected: "true",
    sha: "2".repeat(40),
    pipeline_source: "push",
    job_id: "302",
    environment_protected: "false",
    ...more,
  };
}
