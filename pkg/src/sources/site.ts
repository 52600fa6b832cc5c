/** A documentation site: the pages below an address, found by its site map or by their links. Nothing outside that address is asked for. */

import { PortolanError } from "../errors.js";
import type { FileInput } from "../types.js";
import type { SourceClient } from "./client.js";

const MAX_PAGES = 500;
const MAX_PAGE_BYTES = 4 * 2 ** 20;
const PARALLEL = 4;
/** Addresses that are remembered, and rules of `robots.txt`: each address is compared with each rule. */
const MAX_KNOWN = 20_000;
const MAX_RULES = 500;
/** Requests for each page that is kept; a site can lead from one address to the next without end. */
const ASKED_FOR_A_PAGE = 4;
/** `<a … href=…>`, with bounds on each part: what is not ended is not searched to the end of the page from each of its beginnings. */
const LINK = /<a\s[^<>]{0,500}?href\s{0,9}=\s{0,9}(?:"([^"<>]{0,2000})"|'([^'<>]{0,2000})'|([^\s"'<>]{1,2000}))/gi;

/** Fetches the pages as files. */
export async function fetchSite(address: string, client: SourceClient): Promise<FileInput[]> {
  const start = new URL(address);
  const folder = new URL(".", start).href;
  const forbidden = await robots(start, client);
  const isWanted = (url: URL) =>
    url.href.startsWith(folder) &&
    !forbidden.some((rule) => url.pathname.startsWith(rule)) &&
    !/\.(?!html?$|md$|txt$)\w{1,5}$/.test(url.pathname);
  const pending = [plain(start)];
  const known = new Set(pending);
  const note = (links: Iterable<URL>) => {
    let n_links = 0;
    for (const link of links) {
      if (known.size >= MAX_KNOWN || n_links++ > MAX_KNOWN) return;
      if (known.has(plain(link)) || !isWanted(link)) continue;
      known.add(plain(link));
      pending.push(plain(link));
    }
  };
  note(await siteMap(start, client));
  const files = new Map<string, Uint8Array>();
  const most = Math.min(MAX_PAGES, client.settings.maxFiles ?? MAX_PAGES);
  let failure: unknown;
  const one = async (url: string) => {
    const {
      bytes,
      headers,
      url: end,
    } = await client.get(url, { accept: "text/html, text/markdown, text/plain", most: MAX_PAGE_BYTES });
    const type = headers.get("content-type") ?? "";
    if (!end.startsWith(folder) || !/^text\/(html|markdown|plain)/.test(type)) return;
    files.set(pathOf(new URL(end), folder, type), bytes);
    if (!type.startsWith("text/html")) return;
    note(linksIn(new TextDecoder().decode(bytes), end));
  };
  for (let n_asked = 0; pending.length > 0 && files.size < most && n_asked < ASKED_FOR_A_PAGE * most; n_asked++) {
    const some = pending.splice(0, Math.min(PARALLEL, most - files.size));
    await Promise.all(
      some.map((url) =>
        one(url).catch((error: unknown) => {
          if (
            !(error instanceof PortolanError) ||
            !["source.not-found", "source.refused", "remote.too-large"].includes(error.code)
          )
            throw error;
          failure ??= error;
        }),
      ),
    );
  }
  if (files.size === 0) throw failure ?? new PortolanError("source.not-found", `${address} has no page of text`, "");
  return [...files].map(([path, bytes]) => ({ path, bytes }));
}

/** Paths that the site asks programs to leave alone. */
async function robots(start: URL, client: SourceClient): Promise<string[]> {
  const text = await textAt(new URL("/robots.txt", start).href, client);
  let isMeant = false;
  const rules = text.split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*:\s*(\S*)/.exec(line) ?? [];
    if (key.toLowerCase() === "user-agent") isMeant = value === "*";
    return isMeant && key.toLowerCase() === "disallow" && value !== "" ? [value.replace(/\*.*$/, "")] : [];
  });
  return [...new Set(rules)].slice(0, MAX_RULES);
}

async function siteMap(start: URL, client: SourceClient): Promise<Iterable<URL>> {
  const text = await textAt(new URL("sitemap.xml", new URL(".", start)).href, client);
  return urlsOf(text.matchAll(/<loc>\s{0,99}([^<\s]{1,2000})\s{0,99}<\/loc>/g));
}

/** A text that need not be there. */
async function textAt(url: string, client: SourceClient): Promise<string> {
  try {
    const { bytes, headers } = await client.get(url, { most: MAX_PAGE_BYTES });
    return (headers.get("content-type") ?? "").includes("html") ? "" : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof PortolanError && ["source.not-found", "source.refused"].includes(error.code)) return "";
    throw error;
  }
}

function linksIn(html: string, base: string): Iterable<URL> {
  return urlsOf(html.matchAll(LINK), base);
}

/** The addresses that are found, one by one: there may be a million of them on a page. */
function* urlsOf(found: Iterable<RegExpMatchArray>, base?: string): Generator<URL> {
  for (const [, a, b, c] of found) {
    const text = (a ?? b ?? c ?? "").replaceAll("&amp;", "&");
    if (URL.canParse(text, base)) yield new URL(text, base);
  }
}

function plain(url: URL): string {
  return url.href.replace(/[?#].*$/, "");
}

function pathOf(url: URL, folder: string, type: string): string {
  const below = decoded(url.href.slice(folder.length).replace(/[?#].*$/, ""));
  const ending = type.startsWith("text/html") ? ".html" : type.startsWith("text/markdown") ? ".md" : ".txt";
  if (below === "" || below.endsWith("/")) return `${below}index${ending}`;
  return /\.\w{1,5}$/.test(below) ? below : `${below}${ending}`;
}

/** An address may hold a `%` that begins nothing. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
