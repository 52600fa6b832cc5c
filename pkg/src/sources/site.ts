/** A documentation site: the pages below an address, found by its site map or by their links. Nothing outside that address is asked for. */

import { PortolanError } from "../errors.js";
import type { FileInput } from "../types.js";
import type { SourceClient } from "./client.js";

const MAX_PAGES = 500;
const MAX_PAGE_BYTES = 4 * 2 ** 20;
const PARALLEL = 4;

/** Fetches the pages as files. */
export async function fetchSite(address: string, client: SourceClient): Promise<FileInput[]> {
  const start = new URL(address);
  const folder = new URL(".", start).href;
  const forbidden = await robots(start, client);
  const isWanted = (url: URL) =>
    url.href.startsWith(folder) &&
    !forbidden.some((rule) => url.pathname.startsWith(rule)) &&
    !/\.(?!html?$|md$|txt$)\w{1,5}$/.test(url.pathname);
  const pending = [plain(start), ...(await siteMap(start, client)).filter(isWanted).map(plain)];
  const known = new Set(pending);
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
    for (const link of linksIn(new TextDecoder().decode(bytes), end)) {
      if (!isWanted(link) || known.has(plain(link))) continue;
      known.add(plain(link));
      pending.push(plain(link));
    }
  };
  while (pending.length > 0 && files.size < most) {
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
  return text.split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*:\s*(\S*)/.exec(line) ?? [];
    if (key.toLowerCase() === "user-agent") isMeant = value === "*";
    return isMeant && key.toLowerCase() === "disallow" && value !== "" ? [value.replace(/\*.*$/, "")] : [];
  });
}

async function siteMap(start: URL, client: SourceClient): Promise<URL[]> {
  const text = await textAt(new URL("sitemap.xml", new URL(".", start)).href, client);
  return [...text.matchAll(/<loc>\s*([^<\s]+)\s*<\/loc>/g)].flatMap(([, url]) =>
    url !== undefined && URL.canParse(url.replaceAll("&amp;", "&")) ? [new URL(url.replaceAll("&amp;", "&"))] : [],
  );
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

function linksIn(html: string, base: string): URL[] {
  return [...html.matchAll(/<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)].flatMap(([, a, b, c]) => {
    const href = (a ?? b ?? c ?? "").replaceAll("&amp;", "&");
    return URL.canParse(href, base) ? [new URL(href, base)] : [];
  });
}

function plain(url: URL): string {
  return url.href.replace(/[?#].*$/, "");
}

function pathOf(url: URL, folder: string, type: string): string {
  const below = decodeURI(url.href.slice(folder.length)).replace(/[?#].*$/, "");
  const ending = type.startsWith("text/html") ? ".html" : type.startsWith("text/markdown") ? ".md" : ".txt";
  if (below === "" || below.endsWith("/")) return `${below}index${ending}`;
  return /\.\w{1,5}$/.test(below) ? below : `${below}${ending}`;
}
