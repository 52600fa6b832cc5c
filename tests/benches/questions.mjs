// The questions of the benches. The lists: the same of every size of a repository, and of code in any language.

/** In words, and as identifiers. */
export const questions = [
  "parse a number from text",
  "hash map insert",
  "open a file for reading",
  "send a request over the network",
  "matrix multiplication",
  "cache eviction",
  "error message for invalid argument",
  "convert a date to a string",
  "sort a list by key",
  "compare two versions",
  "write bytes to a buffer",
  "read configuration from the environment",
  "close the connection when done",
  "compute the bounding box",
  "compile a regular expression",
  "wait for a lock",
  "retry after a failure",
  "garbage collection of unreachable objects",
  "tokenize source text",
  "render the scene to a texture",
  "encode as base64",
  "test that an empty input fails",
  "database transaction rollback",
  "visit every node of a tree",
  "attention mask for padding tokens",
  "allocate memory aligned to a page",
  "schedule a task on a thread pool",
  "emit an event to listeners",
  "string formatting with arguments",
  "interpolate between two colors",
  "parseInt",
  "to_string",
  "getBoundingBox",
  "HashMap",
  "read_file",
  "forward",
  "update",
  "createBuffer",
  "serialize",
  "visitor",
];

/** Names of definitions, as they are asked for by `find`, `callers` and `context`; many have some of these. */
export const names = [
  "parse",
  "update",
  "forward",
  "create",
  "read",
  "write",
  "get",
  "set",
  "add",
  "remove",
  "render",
  "compile",
  "visit",
  "clone",
  "equals",
  "toString",
  "build",
  "init",
  "close",
  "open",
  "Vector3",
  "Matrix4",
  "Buffer",
  "Error",
  "Node",
  "Token",
  "Expr",
  "Request",
  "Context",
  "Value",
];

/** `getOpenApiPath` → "get open api path" */
export function words(name) {
  return name
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

/** `n` of `list`, evenly spread. */
export function spread(list, n) {
  if (list.length <= n) return list;
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}
