/** Methods by address, from the tables of tools and routes: what `Allow` says, and which requests are refused with 405. */

import { TOOLS } from "../commands/tools/tools.js";
import { routesAt } from "./routes.js";

/** Methods that are answered anywhere. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] as const;

const READ = ["GET", "HEAD"];
/** Rows of the table that the package answers, not the engine: they have no address. */
const OF_THE_PACKAGE = new Set(["structural", "edges", "list_repos", "index"]);

const FIXED = new Map<string, readonly string[]>([
  ...["/healthz", "/v1/tools", "/metrics", "/openapi.json"].map((path) => [path, READ] as const),
  ["/mcp", ["GET", "POST", "DELETE"]],
]);
const POSTED = new Set(
  TOOLS.filter(({ name, asks }) => !asks && !OF_THE_PACKAGE.has(name)).map(({ name }) => `/v1/${name}`),
);
const ASKED_BY_PARAMETERS = new Set<string>(TOOLS.flatMap(({ rest }) => (rest ? [rest.path] : [])));

/** The methods of an address, as `Allow` lists them; undefined where nothing is there. */
export function methodsAt(pathname: string): readonly string[] | undefined {
  const methods = new Set([
    ...(FIXED.get(pathname) ?? []),
    ...(ASKED_BY_PARAMETERS.has(pathname) ? READ : []),
    ...(POSTED.has(pathname) ? ["POST"] : []),
    ...routesAt(pathname).flatMap(({ method }) => (method === "GET" ? READ : [method])),
  ]);
  return methods.size === 0 ? undefined : METHODS.filter((method) => methods.has(method) || method === "OPTIONS");
}
