// @ts-check
// The Worker that is open to everybody who can reach it: its answers, counted for /metrics, and the description of its routes.

import { Metrics, ObjectKeeper, routeOf } from "portolan/shared";
import document from "../../../docs/openapi.json";
import answers, { cors } from "./answers.mjs";

/** The text of /openapi.json. */
export const openapi = JSON.stringify(document);

/** One per isolate. @type {Metrics | undefined} */
let metrics;

/** @param {{ METRICS?: import("portolan/shared").ObjectNamespace }} env */
export function metricsOf({ METRICS }) {
  metrics ??= new Metrics(METRICS && new ObjectKeeper(METRICS));
  return metrics;
}

/**
 * @param {Request} request
 * @param {import("./shared.mjs").SharedEnv} env
 * @param {import("./answers.mjs").Context} context
 * @returns {Promise<Response>}
 */
export async function open(request, env, context) {
  const started = Date.now();
  const { pathname } = new URL(request.url);
  const response = (await ofThisScript(request, pathname, env)) ?? (await answers.fetch(request, env, context));
  const method = ["GET", "HEAD", "POST", "OPTIONS"].includes(request.method) ? request.method : "?";
  const milliseconds = Date.now() - started;
  const seen = { route: routeOf(pathname), method, status: response.status, milliseconds };
  const work = metricsOf(env).observe(seen);
  if (work) context.waitUntil(work);
  return response;
}

/**
 * Answers requests that need no index.
 * @param {Request} request
 * @param {string} pathname
 * @param {import("./shared.mjs").SharedEnv} env
 */
async function ofThisScript(request, pathname, env) {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const answer = (/** @type {string} */ text, /** @type {Record<string, string>} */ headers) =>
    new Response(method === "HEAD" ? null : text, {
      headers: { ...cors(request, env), "x-content-type-options": "nosniff", ...headers },
    });
  if (pathname === "/openapi.json")
    return answer(openapi, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
  // Nobody has a login here, so no repository is named.
  if (pathname === "/metrics")
    return answer(await metricsOf(env).text(() => false), {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    });
  return undefined;
}
