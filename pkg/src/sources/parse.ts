/** Tells from a text which source it names: a repository of a forge, a package of a registry, an archive, or a documentation site. */

import type { ForgeHost } from "../types.js";

/** A repository on a code host. */
export interface RepositorySource {
  readonly kind: "repository";
  /** The id of its host. */
  readonly host: string;
  /** `owner/repo`; GitLab has groups within groups. */
  readonly name: string;
  /** A branch, tag or commit, and maybe a folder or file after it: branches have slashes, too, so only the host can tell them apart. */
  readonly refAndPath?: string | undefined;
  /** Folder to which indexing is limited, where no ref precedes it. */
  readonly path?: string | undefined;
  /** Whether the path is that of a file, which is to be shown; everything is indexed then. */
  readonly isFile?: boolean | undefined;
  /** `10` or `10-20`, of that file. */
  readonly lines?: string | undefined;
}

/** A package of a registry. */
export interface PackageSource {
  readonly kind: "package";
  readonly registry: "npm" | "crate";
  readonly name: string;
  /** A version, or a tag of npm; absent: the newest. */
  readonly version?: string | undefined;
}

/** An archive or a site at an address. */
export interface AddressSource<Kind extends "archive" | "site"> {
  readonly kind: Kind;
  readonly url: string;
}

export type Source = RepositorySource | PackageSource | AddressSource<"archive"> | AddressSource<"site">;

/** The public hosts. Each can be replaced by one with the same id. */
const FORGES: readonly ForgeHost[] = [
  {
    id: "github",
    forge: "github",
    web: "https://github.com",
    api: "https://api.github.com",
    raw: "https://raw.githubusercontent.com",
  },
  { id: "gitlab", forge: "gitlab", web: "https://gitlab.com", api: "https://gitlab.com/api/v4" },
  { id: "codeberg", forge: "gitea", web: "https://codeberg.org", api: "https://codeberg.org/api/v1" },
  { id: "gitea", forge: "gitea", web: "https://gitea.com", api: "https://gitea.com/api/v1" },
];

/** The hosts that are known: those given, and the public ones that they do not replace. */
export function knownForges(own: readonly ForgeHost[] = []): readonly ForgeHost[] {
  return [...own, ...FORGES.filter(({ id }) => !own.some((host) => host.id === id))];
}

const MAX_TEXT = 2_048;
const OWNER_AND_NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9_.][\w.-]*)+$/;
const ARCHIVE = /\.(zip|tar\.gz|tgz|tar|crate|whl|jar)$/i;
const NPM_NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;
const CRATE_NAME = /^[a-z][\w-]{0,63}$/i;

/** Returns the source, or nothing where the text names none. Reads no file and asks no host. */
export function parseSource(text: string, own: readonly ForgeHost[] = []): Source | undefined {
  const clean = text.trim();
  if (clean === "" || clean.length > MAX_TEXT || /[\s\p{C}]/u.test(clean)) return undefined;
  const forges = knownForges(own);
  if (/^https?:\/\//i.test(clean)) return URL.canParse(clean) ? ofAddress(new URL(clean), forges) : undefined;
  const [, prefix, rest] = /^([\w-]+):(?!\/\/)(.+)$/.exec(clean) ?? [];
  if (prefix === "npm" || prefix === "crate") return ofPackage(prefix, rest as string);
  if (prefix !== undefined) {
    const host = forges.find(({ id }) => id === prefix);
    return host && ofShort(rest as string, host);
  }
  const bare = forges.find(({ web }) => clean.toLowerCase().startsWith(`${new URL(web).host}/`));
  if (bare) return parseSource(`${new URL(bare.web).protocol}//${clean}`, own);
  const github = forges.find(({ id }) => id === "github");
  return github && ofShort(clean, github);
}

/** `owner/repo[@ref][/path]`. */
function ofShort(text: string, { id, forge }: ForgeHost): Source | undefined {
  const [place = "", ...refs] = text.split("@");
  const refAndPath = trimmed(refs.join("@"));
  if (refs.length > 0 && refAndPath === "") return undefined;
  const parts = trimmed(place).split("/");
  // A GitLab project may be in any number of groups: there a path needs a ref before it.
  const n_name = forge === "gitlab" ? parts.length : 2;
  const name = parts
    .slice(0, n_name)
    .join("/")
    .replace(/\.git$/, "");
  const path = parts.slice(n_name).join("/");
  if (parts.length < 2 || !OWNER_AND_NAME.test(name) || isClimbing(`${place}/${refAndPath}`)) return undefined;
  if (refAndPath !== "" && path !== "") return undefined;
  return { kind: "repository", host: id, name, ...some({ refAndPath, path }) };
}

function ofPackage(registry: "npm" | "crate", text: string): Source | undefined {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "" : text.slice(at + 1);
  const isName = (registry === "npm" ? NPM_NAME : CRATE_NAME).test(name);
  if (!isName || (at >= 0 && !/^[\w.+-]+$/.test(version))) return undefined;
  return { kind: "package", registry, name, ...some({ version }) };
}

function ofAddress(url: URL, forges: readonly ForgeHost[]): Source | undefined {
  if (url.username !== "" || url.password !== "") return undefined;
  const host = forges.find(({ web }) => url.href.startsWith(`${web.replace(/\/$/, "")}/`));
  const below = host && trimmed(decoded(url.pathname.slice(new URL(host.web).pathname.replace(/\/$/, "").length)));
  const isArchive = ARCHIVE.test(url.pathname);
  if (host && below !== undefined && !isArchive) {
    const source = ofPage(below, url, host);
    if (source) return source;
  }
  if (isArchive) return { kind: "archive", url: url.href };
  return host ? undefined : { kind: "site", url: url.href };
}

/** The address of a repository's page, of one of its folders or of a file. */
function ofPage(below: string, url: URL, { id, forge }: ForgeHost): Source | undefined {
  if (isClimbing(below)) return undefined;
  const marks = {
    github: /\/(tree|blob|commit)\//,
    gitlab: /\/-\/(tree|blob|commits?)\//,
    gitea: /\/src\/(?:branch|tag|commit)\//,
  };
  const mark = marks[forge].exec(below);
  const place = mark ? below.slice(0, mark.index) : below;
  const parts = place.split("/-/")[0]?.split("/") ?? [];
  const name = (forge === "gitlab" ? parts : parts.slice(0, 2)).join("/").replace(/\.git$/, "");
  if (parts.length < 2 || !OWNER_AND_NAME.test(name)) return undefined;
  if (!mark) return { kind: "repository", host: id, name };
  const refAndPath = trimmed(below.slice(mark.index + mark[0].length));
  const [, from, to] = /^#L(\d+)(?:-L?(\d+))?/.exec(url.hash) ?? [];
  // Gitea's addresses of folders and files are alike; lines tell a file, and so does an ending.
  const isFile = mark[1] === "blob" || (forge === "gitea" && (from !== undefined || /\.\w+$/.test(refAndPath)));
  const lines = from === undefined ? "" : to === undefined ? from : `${from}-${to}`;
  return {
    kind: "repository",
    host: id,
    name,
    ...some({ refAndPath }),
    ...(isFile ? { isFile, ...some({ lines }) } : {}),
  };
}

/** A name for the index, which says where it came from: `github/owner/repo@v2`. Two sources never have the same one. */
export function nameOfSource(source: Source): string {
  switch (source.kind) {
    case "repository": {
      const { host, name, refAndPath, path, isFile } = source;
      const place = isFile ? refAndPath?.split("/")[0] : refAndPath;
      return `${host}/${name}${place === undefined ? "" : `@${place}`}${path === undefined ? "" : `/${path}`}`;
    }
    case "package":
      return `${source.registry}/${source.name}${source.version === undefined ? "" : `@${source.version}`}`;
    default:
      return source.url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  }
}

/** The text that names the source of an index: the opposite of {@link nameOfSource}, for repositories and packages. */
export function textOfName(name: string, own: readonly ForgeHost[] = []): string | undefined {
  const cut = name.indexOf("/");
  const prefix = name.slice(0, cut);
  const isKnown = prefix === "npm" || prefix === "crate" || knownForges(own).some(({ id }) => id === prefix);
  const text = `${prefix}:${name.slice(cut + 1)}`;
  return isKnown && parseSource(text, own) ? text : undefined;
}

/** The file and the lines that an address of a page is about; the ref before them has one part. */
export function fileOfSource(source: Source): { path: string; lines: string } | undefined {
  if (source.kind !== "repository" || source.isFile !== true) return undefined;
  const [, ...parts] = (source.refAndPath ?? "").split("/");
  return parts.length === 0 ? undefined : { path: parts.join("/"), lines: source.lines ?? "" };
}

function isClimbing(path: string): boolean {
  return path.split("/").some((part) => part === "..");
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Fields that are not empty. */
function some<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")) as Partial<T>;
}
