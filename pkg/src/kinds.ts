/** Kinds of definitions. */

/** Kinds of names and places that are no code: nothing calls them. */
export const NO_CODE: ReadonlySet<string> = new Set([
  "heading",
  "key",
  "section",
  "table",
  "element",
  "rule",
  "selector",
  "property_key",
]);
