/** Names of repositories, and patterns over them. */

import { PortolanError } from "../errors.js";

const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MAX_NAME = 200;
const MAX_PARTS = 8;

/** Whether a text is a name: `tools` or `acme/tools`, of letters, digits, `.`, `_`, `-`; each part begins with a letter or digit. */
export function isRepositoryName(name: unknown): name is string {
  if (typeof name !== "string" || name.length > MAX_NAME) return false;
  const parts = name.split("/");
  return parts.length <= MAX_PARTS && parts.every((part) => PART.test(part) && !part.endsWith("."));
}

/** Returns the name. Throws `repository.name` for a text that is none. */
export function repositoryName(name: string): string {
  const text: string = name;
  if (isRepositoryName(name)) return name;
  throw new PortolanError(
    "repository.name",
    `${JSON.stringify(text.slice(0, MAX_NAME))} is no name of a repository`,
    "a name such as `tools` or `acme/tools`: letters, digits, `.`, `_`, `-`, and `/` between parts; in an address `/` is written %2F",
  );
}

/** Whether a text is a pattern: a name in which `*` matches any characters of a part, and `**` those of several parts. */
export function isPattern(text: unknown): text is string {
  if (typeof text !== "string" || text.length > MAX_NAME) return false;
  return text.split("/").every((part) => /^[A-Za-z0-9._*-]+$/.test(part) && !/^\.+$/.test(part));
}

/** Whether a name matches a pattern. Costs at most the product of their lengths: `*` is never tried twice at one place. */
export function matches(pattern: string, name: string): boolean {
  const tokens = pattern.match(/\*\*+|\*|[^*]/g) ?? [];
  // Places of the name up to which the tokens so far match.
  let places = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    for (const place of places) {
      if (!token.startsWith("*")) {
        if (name[place] === token) next.add(place + 1);
        continue;
      }
      for (let end = place; ; end++) {
        if (next.has(end)) break;
        next.add(end);
        if (end >= name.length || (token === "*" && name[end] === "/")) break;
      }
    }
    places = next;
  }
  return places.has(name.length);
}
