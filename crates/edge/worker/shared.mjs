// @ts-check
// The server of shared indexes in a Worker: versions in the R2 bucket, rate limits in Durable Objects, the audit log on the console.

import {
  Access,
  bucketOf,
  MemoryLimiter,
  ObjectLimiter,
  R2Store,
  ratesOf,
  sharedServer,
  TokenList,
  Versions,
} from "portolan/shared";
import answers from "./answers.mjs";
import { metricsOf, openapi } from "./open.mjs";

/**
 * @typedef {object} SharedVars
 * @property {string} [ACCESS]    `tokens`: every request needs one; else everybody may read
 * @property {string} [AUDIENCE]  the address of this server, as tokens of CI name it
 * @property {string} [PUBLIC]    patterns of repositories that everybody may read, separated by commas
 * @property {string} [ORIGINS]   origins of pages that may ask, separated by commas
 * @property {string} [RATE_PER_MINUTE]  requests of a token in a minute
 * @property {import("portolan/shared").ObjectNamespace} [RATE_LIMITS]
 * @property {import("portolan/shared").ObjectNamespace} [METRICS]
 *
 * @typedef {import("./answers.mjs").Env & SharedVars} SharedEnv
 */

/** One per isolate and environment: manifests and the list of tokens are worth keeping. @type {WeakMap<object, ReturnType<typeof serverOf>>} */
const servers = new WeakMap();

/**
 * @param {Request} request
 * @param {SharedEnv} env
 * @param {import("./answers.mjs").Context} context
 * @returns {Promise<Response>}
 */
export function shared(request, env, context) {
  const bucket = env.SNAPSHOTS;
  const server = servers.get(bucket) ?? serverOf(env);
  servers.set(bucket, server);
  return server(request, { address: request.headers.get("cf-connecting-ip") ?? undefined, context });
}

/**
 * The environment of a Durable Object that answers for repositories which the front may read: where there are versions, the bucket has them.
 * @param {SharedEnv} env
 * @returns {SharedEnv}
 */
export function environmentOfObject(env) {
  if (env.ACCESS !== "tokens") return env;
  const versions = new Versions(new R2Store(/** @type {any} */ (env.SNAPSHOTS)));
  const bucket = bucketOf(versions, () => true, /** @type {any} */ (env.SNAPSHOTS));
  return { ...env, SNAPSHOTS: /** @type {any} */ (bucket) };
}

/** @param {SharedEnv} env */
function serverOf(env) {
  const store = new R2Store(/** @type {any} */ (env.SNAPSHOTS));
  /** @param {import("portolan/shared").AnyAuditLine} line */
  const audit = (line) => console.log(JSON.stringify({ audit: line }));
  const tokens = new TokenList(store, undefined, audit);
  return sharedServer({
    versions: new Versions(store),
    access: new Access({ tokens, audience: env.AUDIENCE || undefined, public: list(env.PUBLIC) }),
    limiter: env.RATE_LIMITS ? new ObjectLimiter(env.RATE_LIMITS) : new MemoryLimiter(),
    tools: (request, bucket, mayRead, { context }) =>
      answers.fetch(
        request,
        {
          ...env,
          SNAPSHOTS: /** @type {any} */ (bucket),
          mayRead,
          CORS_ORIGIN: "",
          CACHE_CONTROL: "private, no-cache",
        },
        /** @type {import("./answers.mjs").Context} */ (context),
      ),
    others: /** @type {any} */ (env.SNAPSHOTS),
    origins: list(env.ORIGINS),
    rates: ratesOf(Number(env.RATE_PER_MINUTE || undefined)),
    metrics: metricsOf(env),
    defaultRepository: env.DEFAULT_REPOSITORY || undefined,
    openapi,
    audit,
    complain: (error) => console.error("portolan:", error),
  });
}

/** @param {string | undefined} text */
function list(text) {
  return (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
