//! The URL is the state: what the page shows, as a hash, and back. Links name files and symbols, never ids of an index,
//! so a link still works after the index was built again.
//!
//! `#/f/src/router.ts?r=hono&L=10-20&q=match+path&m=regex&sym=src/router.ts%23Router.add&d=2`

/** How the query is answered: the search modes of the index, a regular expression, or a structural pattern. */
export type QueryMode = "auto" | "lexical" | "vector" | "hybrid" | "regex" | "form";

/** Views of the middle, beside files and results; the overview is the empty one. */
export const views = [
  "locate",
  "map",
  "atlas",
  "impact",
  "flows",
  "changes",
  "rename",
  "replace",
  "cypher",
  "generate",
  "together",
  "chat",
] as const;
export type View = "" | (typeof views)[number];

/** The arguments of a view, by short names of its own: `{ of: "src/a.ts#add", depth: "3" }`. Empty values are left out. */
export type ViewArgs = Readonly<Record<string, string>>;

/** Lines of a file, 1-based, both ends included. */
export interface Lines {
  from: number;
  to: number;
}

/** A file in a pane. */
export interface Place {
  readonly path: string;
  readonly lines: Lines | null;
}

/** All that a link says. */
export interface Link {
  /** Name of the saved repository; empty on the start page. */
  repository: string;
  /** File shown; empty for the results or the overview. */
  path: string;
  lines: Lines | null;
  /** The file in the other pane; null where the code has one pane. */
  beside: Place | null;
  /** Whether `path` is in the right one of two panes. */
  onRight: boolean;
  query: string;
  mode: QueryMode;
  ignoreCase: boolean;
  wholeWord: boolean;
  /** Globs that limit the search, separated by spaces; one that starts with `!` excludes. */
  within: string;
  /** The language that is searched; empty for all. */
  language: string;
  /** The kind of symbol that is searched, such as `function`; empty for all. */
  kind: string;
  view: View;
  /** The arguments of the view; empty without one. */
  args: ViewArgs;
  /** Symbol in the panel: `src/a.ts#Router.add`, `Router.add` or `add`. */
  symbol: string;
  /** Steps of callers and callees shown, 1 to 5. */
  depth: number;
}

/** The link of the start page. */
export const emptyLink: Link = {
  repository: "",
  path: "",
  lines: null,
  beside: null,
  onRight: false,
  query: "",
  mode: "auto",
  ignoreCase: false,
  wholeWord: false,
  within: "",
  language: "",
  kind: "",
  view: "",
  args: {},
  symbol: "",
  depth: 1,
};

/** Names of repositories on other hosts, which are written as the beginning of a link: `#/github/owner/repo/f/src/a.ts`. */
const away = /^(github|gitlab|codeberg|gitea|npm|crate)\/[^/].*$/;

export const maxDepth = 5;
const modes: readonly QueryMode[] = ["auto", "lexical", "vector", "hybrid", "regex", "form"];

/** The hash of a link, from `#` on. Says nothing about what has its default. */
export function encodeLink(link: Link): string {
  const params: string[] = [];
  const add = (name: string, value: string) => value !== "" && params.push(`${name}=${toLink(value)}`);
  const isAway = away.test(link.repository) && !link.repository.includes("/f/");
  if (!isAway) add("r", link.repository);
  if (link.lines) add("L", formatLines(link.lines));
  if (link.path !== "" && link.beside) {
    add("b", link.beside.path);
    if (link.beside.lines) add("bL", formatLines(link.beside.lines));
    if (link.onRight) add("p", "2");
  }
  add("q", link.query);
  if (link.mode !== "auto") add("m", link.mode);
  if (link.ignoreCase) add("i", "1");
  if (link.wholeWord) add("w", "1");
  add("in", link.within);
  add("lang", link.language);
  add("k", link.kind);
  add("v", link.view);
  if (link.view !== "") for (const [name, value] of Object.entries(link.args)) add(`a.${name}`, value);
  add("sym", link.symbol);
  if (link.depth !== 1) add("d", String(link.depth));
  const start = isAway ? `#/${toLink(link.repository)}` : "#";
  const path = link.path === "" ? (isAway ? start : "#/") : `${start}/f/${toLink(link.path)}`;
  return params.length === 0 ? path : `${path}?${params.join("&")}`;
}

/** The link that a hash means. Never fails: what cannot be read has its default. */
export function decodeLink(hash: string): Link {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  const mark = text.indexOf("?");
  const place = mark < 0 ? text : text.slice(0, mark);
  const values = new Map<string, string>();
  for (const part of mark < 0 ? [] : text.slice(mark + 1).split("&")) {
    const equals = part.indexOf("=");
    if (equals > 0) values.set(part.slice(0, equals), fromLink(part.slice(equals + 1)));
  }
  const value = (name: string) => values.get(name) ?? "";
  const cut = place.indexOf("/f/");
  const repository = fromLink(cut < 0 ? place.slice(1) : place.slice(1, Math.max(1, cut)));
  const isAway = away.test(repository);
  const depth = Number(value("d"));
  const view = views.find((known) => known === value("v")) ?? "";
  const path = cut === 0 || (isAway && cut > 0) ? fromLink(place.slice(cut + 3)) : "";
  const isSplit = path !== "" && value("b") !== "";
  return {
    repository: isAway ? repository : value("r"),
    path,
    lines: parseLines(value("L")),
    beside: isSplit ? { path: value("b"), lines: parseLines(value("bL")) } : null,
    onRight: isSplit && value("p") === "2",
    query: value("q"),
    mode: modes.find((mode) => mode === value("m")) ?? "auto",
    ignoreCase: value("i") === "1",
    wholeWord: value("w") === "1",
    within: value("in"),
    language: value("lang"),
    kind: value("k"),
    view,
    args: view === "" ? {} : argsOf(values),
    symbol: value("sym"),
    depth: Number.isInteger(depth) && depth >= 1 && depth <= maxDepth ? depth : 1,
  };
}

function argsOf(values: ReadonlyMap<string, string>): ViewArgs {
  const named = [...values].flatMap(([name, value]) => {
    const [, own] = /^a\.([a-z]{1,20})$/.exec(name) ?? [];
    return own === undefined || value === "" ? [] : [[own, value] as const];
  });
  return Object.fromEntries(named);
}

/** The link with a change applied. Another view starts without a question; panes are of one repository, and of files only. */
export function changed(link: Link, change: Partial<Link>): Link {
  const asked = change.view !== undefined && change.view !== link.view && change.args === undefined;
  const next = { ...link, ...(asked ? { args: {} } : {}), ...change };
  const leaves = next.path === "" || (next.repository !== link.repository && change.beside === undefined);
  return leaves || next.beside === null ? { ...next, beside: null, onRight: false } : next;
}

/** `10` or `10-20`. */
export function formatLines({ from, to }: Lines): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** The opposite of {@link formatLines}; null for anything else. */
export function parseLines(text: string): Lines | null {
  const match = /^L?([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?$/.exec(text);
  if (!match) return null;
  const from = Number(match[1]);
  const to = match[2] === undefined ? from : Number(match[2]);
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

// Slashes, colons and commas are harmless in a hash and make links readable.
function toLink(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%2F/g, "/")
    .replace(/%3A/g, ":")
    .replace(/%2C/g, ",")
    .replace(/%20/g, "+");
}

function fromLink(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
