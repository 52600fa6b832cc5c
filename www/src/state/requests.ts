//! One list of requests from the timelines and the service worker, and the conclusion from it.

import { bytes, plural } from "./format.ts";
import type { Seen, Timed } from "./seen.ts";

/** A request of the page. */
export interface Made {
  readonly url: string;
  readonly host: string;
  readonly at: number;
  /** Empty where no service worker saw it, so that the browser does not tell. */
  readonly method: string;
  /** Bytes of its body; null where that is not known. */
  readonly sent: number | null;
  /** Bytes that came over the network; null where the other host does not let the page know. */
  readonly came: number | null;
  /** It was answered by what this browser had. */
  readonly kept: boolean;
  /** The service worker made it itself: no event reports it. */
  readonly isOfGuard: boolean;
}

// Clocks of threads differ by some milliseconds, and a service worker that has to start comes late.
const slack = 100;
/** A request that is passed on begins at most so much later. */
const longest = 10_000;

/** Joins both lists: an event and an entry of the same address are one request, where the entry ends after the event. */
export function joined(timed: readonly Timed[], seen: readonly Seen[], own: string): readonly Made[] {
  const waiting = new Map<string, Seen[]>();
  for (const event of [...seen].sort((a, b) => a.at - b.at)) {
    const list = waiting.get(bare(event.url));
    if (list) list.push(event);
    else waiting.set(bare(event.url), [event]);
  }
  const made = timed
    .filter(({ from }) => from !== "service worker")
    .sort((a, b) => a.at - b.at)
    .map((entry) => {
      const list = waiting.get(bare(entry.url)) ?? [];
      const isOf = (event: Seen) => event.at >= entry.at - slack && event.at <= entry.end + slack;
      // The program of a worker is in the timeline with the times of its start, which come after those of its request.
      const isProgram = ({ destination, at }: Seen) => destination === "worker" && at <= entry.end + slack;
      const at = list.findIndex(list.some(isOf) ? isOf : isProgram);
      const [event] = at < 0 ? [] : list.splice(at, 1);
      return madeOf(entry, event, own);
    });
  const rest = [...waiting.values()].flat().map((event) => madeOf(undefined, event, own));
  const guard = timed.filter(({ from }) => from === "service worker");
  return withGuard([...made, ...rest], guard, own).sort((a, b) => a.at - b.at);
}

/** A request that the service worker passed on is one with the page's; the others of its timeline are its own. */
function withGuard(made: readonly Made[], guard: readonly Timed[], own: string): Made[] {
  const all = [...made];
  for (const entry of guard) {
    const at = all.findIndex(
      (one) => one.url === bare(entry.url) && one.kept && entry.at >= one.at - slack && entry.at <= one.at + longest,
    );
    const passed = all[at];
    if (passed) all[at] = { ...passed, came: entry.network, kept: entry.network === 0 };
    else all.push(madeOf(entry, undefined, own));
  }
  return all;
}

/** The part of an address after `#` is never sent. */
function bare(url: string): string {
  return url.replace(/#.*$/s, "");
}

function madeOf(entry: Timed | undefined, event: Seen | undefined, own: string): Made {
  const url = bare(entry?.url ?? event?.url ?? "");
  const host = URL.canParse(url) ? new URL(url).host : url;
  // An own file that came with no byte was in this browser; another host's zero only says that the page may not know.
  const isHidden = entry !== undefined && entry.network === 0 && entry.body === 0 && !url.startsWith(own);
  return {
    url,
    host,
    at: entry?.at ?? event?.at ?? 0,
    method: event?.method ?? (isAlwaysGet(entry) ? "GET" : ""),
    sent: event ? event.sent : isAlwaysGet(entry) ? 0 : null,
    came: entry === undefined || isHidden ? null : entry.network,
    kept: entry !== undefined && entry.network === 0 && !isHidden,
    isOfGuard: entry?.from === "service worker",
  };
}

/** Senders of bodies, in the words of timelines. Elements, icons, programs of workers (`other`) only get; forms are refused by the policy. */
const senders = ["fetch", "xmlhttprequest", "beacon", "ping", ""];

function isAlwaysGet(entry: Timed | undefined): boolean {
  return entry !== undefined && !senders.includes(entry.by);
}

/** The statement that the list proves. */
export interface Verdict {
  /** `clean`: no request had a body. `sent`: some had. `unsure`: none that was seen had, but some were not seen. */
  readonly state: "clean" | "sent" | "unsure";
  /** Bytes of all bodies. */
  readonly sent: number;
  /** Hosts that got a body. */
  readonly hosts: readonly string[];
  /** Requests of scripts, after code was available, whose method the browser did not tell. */
  readonly unseen: number;
}

/** Judges the list. `codeSince` is when code was available first, null before that: earlier requests cannot hold any. */
export function verdictOf(all: readonly Made[], codeSince: number | null): Verdict {
  const withBody = all.filter(({ sent }) => (sent ?? 0) > 0);
  const sent = withBody.reduce((sum, one) => sum + (one.sent ?? 0), 0);
  // The service worker's policy lets it contact its own site only, and it holds no code.
  const isUnseen = ({ sent: n, at, isOfGuard }: Made) =>
    n === null && !isOfGuard && codeSince !== null && at >= codeSince;
  const unseen = all.filter(isUnseen).length;
  return {
    state: withBody.length > 0 ? "sent" : unseen > 0 ? "unsure" : "clean",
    sent,
    hosts: [...new Set(withBody.map(({ host }) => host))],
    unseen,
  };
}

/** The verdict in a few words, for the footer and the head of the list. */
export function statementOf({ state, sent, hosts, unseen }: Verdict): string {
  if (state === "clean") return "0 bytes of your code sent";
  if (state === "sent") return `${bytes(sent)} sent to ${hosts.length === 1 ? hosts[0] : plural(hosts.length, "host")}`;
  return `0 bytes seen leaving, ${plural(unseen, "request")} not fully seen`;
}

/** Requests of a host. */
export interface HostGroup {
  readonly host: string;
  readonly isOwn: boolean;
  readonly requests: readonly Made[];
  readonly sent: number;
  readonly came: number;
  /** Of some requests the bytes that came are not known. */
  readonly isPart: boolean;
}

/** The list by host, this site first. */
export function byHost(all: readonly Made[], ownHost: string): readonly HostGroup[] {
  const groups = new Map<string, Made[]>([[ownHost, []]]);
  for (const one of all) {
    const list = groups.get(one.host);
    if (list) list.push(one);
    else groups.set(one.host, [one]);
  }
  return [...groups].map(([host, requests]) => ({
    host,
    isOwn: host === ownHost,
    requests,
    sent: requests.reduce((sum, { sent }) => sum + (sent ?? 0), 0),
    came: requests.reduce((sum, { came }) => sum + (came ?? 0), 0),
    isPart: requests.some(({ came }) => came === null),
  }));
}

const parts: readonly [RegExp, string][] = [
  [/\/tree-sitter-([a-z_]+)[^/]*\.wasm$/, "grammar"],
  [/_bg[^/]*\.wasm$/, "engine"],
  [/code-embed[^/]*\.bin$|tokenizer[^/]*\.json$/, "model for search by meaning"],
  [/\.index$/, "index that came with the page"],
  [/\/service-worker\.js$/, "service worker"],
  [/\.js$/, "program of the page"],
  [/\.css$/, "style of the page"],
  [/\.(svg|png|webmanifest)$/, "icon and name of the page"],
  [/\/(index\.html)?(\?.*)?$/, "the page itself"],
];

/** Why a request was made: by its address at this site, by the allowed hosts elsewhere. `reasons` are those that parts of the page gave. */
export function whyOf(
  { url, host }: Pick<Made, "url" | "host">,
  ownHost: string,
  allowed: readonly string[],
  reasons: ReadonlyMap<string, string> = new Map(),
): string {
  if (host === ownHost) {
    const { pathname } = new URL(url);
    return parts.find(([pattern]) => pattern.test(pathname))?.[1] ?? "file of this site";
  }
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const given = reasons.get(origin);
  if (given) return given;
  return allowed.includes(origin) ? "source that you opened; you allowed this host" : "not allowed by you";
}
