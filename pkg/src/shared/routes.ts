/** The routes of shared indexes, as a table: the handler, docs/openapi.json and the tests of rights are made from it. */

import { PortolanError } from "../errors.js";
import { repositoryName } from "./names.js";
import type { Scope } from "./tokens.js";

/** A route of the server. */
export interface SharedRoute {
  /** Name of the operation. */
  readonly name: string;
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** `{name}` is the repository, in one part: `/` in it is written %2F. */
  readonly path: string;
  /** The right that it needs; lists show what may be read. */
  readonly scope: Scope | "any";
  readonly about: string;
  /** Names of types in `types.ts`; absent where the body is no JSON. */
  readonly request?: string;
  readonly answer?: string;
  /** Parameters of the query, each with what it is. */
  readonly query?: Readonly<Record<string, string>>;
}

const SOURCE = {
  commit: "Hash of the commit that the index was made from.",
  tree: "Hash of the commit's tree.",
  parent: "Hash of a parent; may be repeated.",
  ref: "Branch or other reference.",
  tag: "A tag; may be repeated.",
  switch: "`false` adds the version without answering from it.",
};

/** All routes of the server, besides those of the tools. */
export const SHARED_ROUTES: readonly SharedRoute[] = [
  {
    name: "list_repositories",
    method: "GET",
    path: "/v1/repos",
    scope: "any",
    about: "Repositories that the token may read, in pages.",
    answer: "RepositoryList",
    query: {
      limit: "Maximum number of repositories (default 1000, at most 1000).",
      after: "The page behind this name: `next` of the page before.",
    },
  },
  {
    name: "put_index",
    method: "PUT",
    path: "/v1/repos/{name}",
    scope: "write",
    about: "Adds a version: the whole file in the body, of a length that is announced.",
    answer: "VersionOffer",
    query: SOURCE,
  },
  {
    name: "delete_repository",
    method: "DELETE",
    path: "/v1/repos/{name}",
    scope: "admin",
    about: "Deletes a repository with all its versions.",
  },
  {
    name: "get_index",
    method: "GET",
    path: "/v1/repos/{name}/index",
    scope: "read",
    about: "The file of a version, whole or a range of it.",
    query: { version: "A version: its id, its commit (or their first digits), or a tag. Default: the current one." },
  },
  {
    name: "list_versions",
    method: "GET",
    path: "/v1/repos/{name}/versions",
    scope: "read",
    about: "The versions, the newest first.",
    answer: "VersionList",
  },
  {
    name: "add_version",
    method: "POST",
    path: "/v1/repos/{name}/versions",
    scope: "write",
    about: "Adds a version whose pieces were uploaded; otherwise says which are missing (status 202).",
    request: "VersionRequest",
    answer: "VersionOffer",
  },
  {
    name: "get_version",
    method: "GET",
    path: "/v1/repos/{name}/versions/{version}",
    scope: "read",
    about: "A version with its sections and pieces.",
    answer: "VersionManifest",
  },
  {
    name: "delete_version",
    method: "DELETE",
    path: "/v1/repos/{name}/versions/{version}",
    scope: "admin",
    about: "Deletes a version that is not the current one, and the pieces that no other version has.",
    answer: "PruneAnswer",
  },
  {
    name: "put_piece",
    method: "PUT",
    path: "/v1/repos/{name}/pieces/{digest}",
    scope: "write",
    about: "Uploads a piece; its bytes must have this SHA-256.",
  },
  {
    name: "nearest_version",
    method: "POST",
    path: "/v1/repos/{name}/nearest",
    scope: "read",
    about: "The version of the first of these commits that has one, by tree or by commit.",
    request: "NearestRequest",
    answer: "NearestAnswer",
  },
  {
    name: "switch_version",
    method: "POST",
    path: "/v1/repos/{name}/current",
    scope: "admin",
    about: "Answers queries from another version from now on; `previous` goes back.",
    request: "SwitchRequest",
    answer: "VersionSummary",
  },
  {
    name: "prune_versions",
    method: "POST",
    path: "/v1/repos/{name}/prune",
    scope: "admin",
    about: "Deletes versions that no rule keeps.",
    request: "PruneRequest",
    answer: "PruneAnswer",
  },
];

/** A request to one of them. */
export interface Routed {
  readonly route: SharedRoute;
  /** Empty where the route is about no repository. */
  readonly repository: string;
  /** `{version}` or `{digest}`. */
  readonly part: string;
}

/** Whether a path is of these routes, whatever comes after. */
export function isShared(pathname: string): boolean {
  return pathname === "/v1/repos" || pathname.startsWith("/v1/repos/");
}

/** The routes of an address, one for each method. */
export function routesAt(pathname: string): readonly SharedRoute[] {
  const asked = pathname.split("/");
  return SHARED_ROUTES.filter(({ path }) => isLike(path.split("/"), asked));
}

/** The route of a request; HEAD is as GET. Throws `request.route`, `request.method`, `repository.name`. */
export function routed(method: string, pathname: string): Routed {
  const asked = pathname.split("/");
  const fitting = routesAt(pathname);
  if (fitting.length === 0)
    throw new PortolanError(
      "request.route",
      "nothing is at this address",
      `routes: ${[...new Set(SHARED_ROUTES.map(({ path }) => path))].join(", ")}; in {name} \`/\` is written %2F`,
    );
  const route = fitting.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (!route) {
    const methods = fitting.map((one) => one.method).join(", ");
    throw new PortolanError("request.method", "this method is not answered here", `methods: ${methods}`);
  }
  const places = route.path.split("/");
  const partAt = (name: string) => decoded(asked[places.indexOf(name)] ?? "");
  const name = places.includes("{name}") ? repositoryName(partAt("{name}")) : "";
  return { route, repository: name, part: partAt(places.includes("{digest}") ? "{digest}" : "{version}") };
}

function isLike(pattern: readonly string[], asked: readonly string[]): boolean {
  return (
    pattern.length === asked.length &&
    pattern.every((part, at) => (part.startsWith("{") ? asked[at] !== "" : part === asked[at]))
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new PortolanError("request.route", "the address cannot be decoded", "write `/` in names as %2F");
  }
}
