//! The hosts that the person allowed. The service worker adds exactly these to the content security policy of the page and its workers, so the
//! browser refuses all others. Kept in a cache of its own, which both can read.

const place = "allowed-hosts";

/** The cache; not one of those that a new version of the page deletes. */
function nameOf(scope: string): string {
  return `portolan-hosts ${scope}`;
}

/** Reads the list; empty where nothing can be stored. */
export async function readAllowed(scope: string): Promise<readonly string[]> {
  try {
    const kept = await (await caches.open(nameOf(scope))).match(place);
    return kept ? originsOf(await kept.json()) : [];
  } catch {
    return [];
  }
}

/** Replaces the list. */
export async function writeAllowed(scope: string, origins: readonly string[]): Promise<void> {
  await (await caches.open(nameOf(scope))).put(place, Response.json(originsOf(origins)));
}

/** Origins of any data: nothing else may get into a policy. Without encryption only this machine can be allowed. */
export function originsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [];
  return [...new Set(list.filter((one): one is string => typeof one === "string" && isOrigin(one)))].slice(0, 100);
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === "https:" || hostname === "localhost" || hostname === "127.0.0.1");
}

/** The policy, or a page with its policy, which also admits these origins. */
export function admitting(text: string, origins: readonly string[]): string {
  const allowed = originsOf(origins);
  if (allowed.length === 0) return text;
  return text.replace(/connect-src (?:'self'|&#39;self&#39;)/, (found) => `${found} ${allowed.join(" ")}`);
}
