//! Sources on other hosts: asks before a host is contacted, then fetches and indexes.

import {
  hostsOfSource,
  nameOfSource,
  parseSource,
  type Source,
  type SourceSettings,
  fileOfSource,
  textOfName,
} from "portolan";
import { effect, signal } from "@preact/signals";
import { readAllowed, writeAllowed } from "./allowed-hosts.ts";
import { emptyLink, encodeLink, parseLines } from "./link.ts";
import { link, navigate } from "./navigation.ts";
import { notify, speak } from "./notices.ts";
import { ingest, missing } from "./repository.ts";

/** A source whose hosts are not all allowed yet. */
export interface Asked {
  readonly text: string;
  readonly name: string;
  readonly origins: readonly string[];
}

/** A README that came before the index. */
export interface EarlyReadme {
  readonly repository: string;
  readonly path: string;
  readonly text: string;
}

export const asked = signal<Asked | null>(null);
export const allowed = signal<readonly string[]>([]);
export const earlyReadme = signal<EarlyReadme | null>(null);
/** Own hosts and registries, without tokens. */
export const addresses = signal<SourceSettings>({});
/** Tokens by origin: in memory, until the tab closes. */
export const tokens = signal<Readonly<Record<string, string>>>({});

const addressKey = "portolan.sources";
const scope = () => new URL("./", location.href).pathname;

/** How sources are fetched now. */
export function sourceSettings(): SourceSettings {
  return { ...addresses.peek(), tokens: tokens.peek(), hosts: allowed.peek(), by: "files" };
}

/** Reads allowed hosts and settings, then follows links to sources on other hosts. */
export async function keepRemote(): Promise<void> {
  addresses.value = addressesOf(stored());
  allowed.value = await readAllowed(scope());
  effect(() => {
    const text = missing.value === "" ? undefined : textOfName(missing.value, addresses.peek().forges);
    if (text !== undefined) void openText(text);
    else if (missing.value === "") asked.value = null;
  });
}

/**
 * The source that a text means beside the repository called `name`: another branch, tag or commit of it, another version of the
 * package, or any source by its full name.
 */
export function versionOf(name: string, text: string, forges: SourceSettings["forges"]): string | undefined {
  const version = text.trim();
  const own = textOfName(name, forges);
  const source = own === undefined ? undefined : parseSource(own, forges);
  const isPlain = /^[\w./+-]+$/.test(version);
  const named =
    source?.kind === "repository" && isPlain
      ? `${source.host}:${source.name}@${version}${source.path === undefined ? "" : `/${source.path}`}`
      : source?.kind === "package" && isPlain
        ? `${source.registry}:${source.name}@${version}`
        : version;
  return parseSource(named, forges) ? named : undefined;
}

/** Fetches and indexes what the text names, or asks first. Tells whether it names anything. */
export async function openText(text: string): Promise<boolean> {
  const source = parseSource(text, addresses.peek().forges);
  if (!source) return false;
  const name = nameOfSource(source);
  const origins = hostsOfSource(source, addresses.peek());
  if (source.kind === "package" && origins.length === 0) {
    notify(
      "warning",
      "No registry is set",
      `Enter the address of your ${source.registry === "npm" ? "npm registry" : "registry of crates"} below the box.`,
      "source.registry",
    );
    return true;
  }
  if (origins.every((origin) => allowed.peek().includes(origin))) {
    asked.value = null;
    await fetchAndIndex(text, source, name);
  } else {
    asked.value = { text, name, origins };
    speak(`Allow ${origins.map(hostOf).join(" and ")}?`);
  }
  return true;
}

async function fetchAndIndex(text: string, source: Source, name: string): Promise<void> {
  earlyReadme.value = null;
  const file = fileOfSource(source);
  if (link.peek().repository !== name)
    navigate({ ...emptyLink, repository: name, ...(file && { path: file.path, lines: parseLines(file.lines) }) });
  await ingest(text, name, {
    remote: sourceSettings(),
    onReadme: (readme) => (earlyReadme.value = { repository: name, ...readme }),
  });
}

/** Allows the hosts of the source that waits. The page reloads with a policy that admits them. */
export async function allow(): Promise<void> {
  const waiting = asked.peek();
  if (!waiting) return;
  await admit([...allowed.peek(), ...waiting.origins]);
  const source = parseSource(waiting.text, addresses.peek().forges);
  if (!source) return;
  const file = fileOfSource(source);
  const place = {
    ...emptyLink,
    repository: waiting.name,
    ...(file && { path: file.path, lines: parseLines(file.lines) }),
  };
  // A link that was followed may say more than the text.
  const hash = link.peek().repository === waiting.name ? location.hash : encodeLink(place);
  if (!(await hasGuard())) return void openText(waiting.text);
  history.replaceState(null, "", hash);
  location.reload();
}

export function refuse(): void {
  asked.value = null;
}

/** Replaces the list of allowed hosts. A host that is taken out is refused by our own code at once, and by the browser from the next start of the page on. */
export async function admit(origins: readonly string[]): Promise<void> {
  try {
    await writeAllowed(scope(), origins);
  } catch {
    notify(
      "warning",
      "This browser stores nothing for this page",
      "Download the archive of the repository and open it instead.",
      "source.host",
    );
  }
  allowed.value = await readAllowed(scope());
}

/** Whether a service worker answers this page, so that a reload brings the new policy. */
export async function hasGuard(): Promise<boolean> {
  if (!import.meta.env.PROD) return false;
  if (!("serviceWorker" in navigator)) return false;
  return Boolean((await navigator.serviceWorker.getRegistration())?.active);
}

/** Sets own addresses: `github`, an API and its pages; registries. Kept in this browser. */
export function setAddresses(settings: SourceSettings): void {
  addresses.value = addressesOf(settings);
  try {
    localStorage.setItem(addressKey, JSON.stringify(addresses.peek()));
  } catch {
    // Storage is off: the addresses last as long as the tab.
  }
}

function stored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(addressKey) ?? "{}");
  } catch {
    return {};
  }
}

/** Addresses of any data with every field of the right type. */
export function addressesOf(value: unknown): SourceSettings {
  const { forges, registries } = (value ?? {}) as { forges?: unknown; registries?: Record<string, unknown> };
  const isAddress = (text: unknown): text is string =>
    typeof text === "string" && /^(sparse\+)?https?:\/\//.test(text) && URL.canParse(text.replace(/^sparse\+/, ""));
  const own = (Array.isArray(forges) ? forges : []).filter(
    (forge) =>
      forge !== null &&
      /^[\w-]+$/.test(forge?.id) &&
      ["github", "gitlab", "gitea"].includes(forge.forge) &&
      isAddress(forge.web) &&
      isAddress(forge.api) &&
      (forge.raw === undefined || isAddress(forge.raw)),
  );
  return {
    forges: own,
    registries: {
      npm: isAddress(registries?.npm) ? registries.npm : undefined,
      crate: isAddress(registries?.crate) ? registries.crate : undefined,
    },
  };
}

export function hostOf(origin: string): string {
  return new URL(origin).host;
}
