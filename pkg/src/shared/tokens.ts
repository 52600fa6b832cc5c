/**
 * Tokens of a server, and rules for the tokens of CI, in one document of its store. A token is 256 random bits, and only its SHA-256 is
 * stored: bits that nobody chose cannot be guessed from a digest, so a slow derivation, which protects chosen passwords, would add nothing
 * but a way to keep the server busy.
 */

import { PortolanError } from "../errors.js";
import { base64url, isSameDigest, sha256OfText } from "./digest.js";
import { JoinedWork } from "./joined-work.js";
import { isPattern } from "./names.js";
import type { ObjectStore } from "./store.js";

/** Rights, each of which includes those before it. */
export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Which tokens of CI a rule is about. */
export interface CiRule {
  /** Address of the issuer, as in its tokens. */
  readonly issuer: string;
  /** Pattern of the repository that the job is of. */
  readonly repository: string;
  /** Pattern of the branch or tag, such as `refs/heads/main`; all without it. */
  readonly ref?: string;
}

/** A token, or a rule for those of CI, without anything secret. */
export interface TokenEntry {
  /** Public: it is in logs. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly scope: Scope;
  /** Patterns of the repositories. */
  readonly repositories: readonly string[];
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly expires_at?: number;
  readonly ci?: CiRule;
  /** SHA-256 of the secret half; rules for CI have none. */
  readonly hash?: string;
}

export type NewToken = Pick<TokenEntry, "name" | "scope" | "repositories"> & {
  readonly expires_at?: number | undefined;
  readonly ci?: CiRule | undefined;
  /** Who makes it, for the audit log. */
  readonly by?: string | undefined;
};

/** A token or rule that was made or revoked. It waits beside the list until a server has put it into its audit log. */
export interface TokenEvent extends Pick<TokenEntry, "name" | "scope" | "repositories" | "expires_at" | "ci"> {
  /** ISO 8601. */
  readonly at: string;
  readonly event: "create_token" | "revoke_token";
  /** Who did it: the user and the machine of the command. */
  readonly by: string;
  /** Id of the token or rule. */
  readonly token: string;
}

const KEY = "access/tokens";
const FORMAT = 1;
const MAX_TOKENS = 10_000;
/** Events that wait for a server: the newest. */
const MAX_EVENTS = 1000;
const NOBODY = "unknown";
/** How long a request waits for the list that another one reads, and which nobody gets if that one is cut off. */
const PATIENCE_MS = 500;
const PREFIX = "ptl";
const TOKEN = /^ptl_([A-Za-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Adds a token, and returns it: the only time that it can be seen. A rule for CI has none. */
export async function createToken(
  store: ObjectStore,
  { name, scope, repositories, expires_at, ci, by = NOBODY }: NewToken,
  now = Date.now(),
): Promise<{ entry: TokenEntry; token?: string }> {
  for (const pattern of [...repositories, ...(ci ? [ci.repository] : []), ...(ci?.ref === undefined ? [] : [ci.ref])])
    if (!isPattern(pattern))
      throw new PortolanError(
        "options.invalid",
        `${JSON.stringify(pattern)} is no pattern`,
        "such as acme/tools, acme/*, **",
      );
  const id = randomId();
  const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const entry: TokenEntry = {
    id,
    name,
    scope,
    repositories,
    created_at: now,
    ...(expires_at !== undefined && { expires_at }),
    ...(ci ? { ci } : { hash: await sha256OfText(secret) }),
  };
  await change(store, ({ entries, events }) => {
    if (entries.length >= MAX_TOKENS)
      throw new PortolanError("access.too-many", `there are ${MAX_TOKENS} tokens`, "revoke some");
    return { entries: [...entries, entry], events: [...events, eventOf("create_token", entry, by, now)] };
  });
  return ci ? { entry } : { entry, token: `${PREFIX}_${id}_${secret}` };
}

/** Letters and digits, each as likely as the others. */
function randomId(): string {
  const letters: string[] = [];
  while (letters.length < 12)
    for (const byte of crypto.getRandomValues(new Uint8Array(24)))
      if (byte < 248 && letters.length < 12) letters.push(LETTERS[byte % 62] as string);
  return letters.join("");
}

/** All tokens and rules, as they were made. */
export async function listTokens(store: ObjectStore): Promise<readonly TokenEntry[]> {
  return (await read(store)).entries;
}

/** Removes the token of this id. Rejects with `access.unknown-token`. */
export async function revokeToken(
  store: ObjectStore,
  id: string,
  by: string = NOBODY,
  now = Date.now(),
): Promise<TokenEntry> {
  let revoked: TokenEntry | undefined;
  await change(store, ({ entries, events }) => {
    revoked = entries.find((entry) => entry.id === id);
    const rest = entries.filter((entry) => entry.id !== id);
    return { entries: rest, events: revoked ? [...events, eventOf("revoke_token", revoked, by, now)] : events };
  });
  if (revoked) return revoked;
  throw new PortolanError("access.unknown-token", "there is no token of this id", "`portolan token list` lists them");
}

function eventOf(event: TokenEvent["event"], entry: TokenEntry, by: string, now: number): TokenEvent {
  const { id, name, scope, repositories, expires_at, ci } = entry;
  const about = { name, scope, repositories, ...(expires_at !== undefined && { expires_at }), ...(ci && { ci }) };
  return { at: new Date(now).toISOString(), event, by, token: id, ...about };
}

/** Whether a text has the form of a token of such a server. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The entry of a token; nothing where it is unknown or has expired. Takes the same time for any secret. */
export async function entryOf(
  entries: readonly TokenEntry[],
  token: string,
  now: number,
): Promise<TokenEntry | undefined> {
  const [, id, secret = ""] = TOKEN.exec(token) ?? [];
  const hash = await sha256OfText(secret);
  const entry = entries.find((one) => one.id === id && one.hash !== undefined);
  const isRight = isSameDigest(hash, entry?.hash ?? "0".repeat(64));
  return entry && isRight && !isExpired(entry, now) ? entry : undefined;
}

/** Whether a token's time is over. */
export function isExpired({ expires_at }: TokenEntry, now: number): boolean {
  return expires_at !== undefined && now >= expires_at;
}

/** The list, and what happened to it that is in no audit log yet. */
interface Listed {
  readonly entries: readonly TokenEntry[];
  readonly events: readonly TokenEvent[];
}

async function read(store: ObjectStore): Promise<Listed & { etag: string | undefined }> {
  const stored = await store.readDocument(KEY);
  if (!stored) return { entries: [], events: [], etag: undefined };
  try {
    const { format, tokens, events } = JSON.parse(new TextDecoder().decode(stored.bytes)) as {
      format: number;
      tokens: TokenEntry[];
      events?: TokenEvent[];
    };
    if (format !== FORMAT || !Array.isArray(tokens)) throw new Error(`format ${format}`);
    return { entries: tokens, events: Array.isArray(events) ? events : [], etag: stored.etag };
  } catch (error) {
    throw new PortolanError("store.failed", "the list of tokens cannot be read", "restore it from a copy", {
      cause: error,
    });
  }
}

async function change(store: ObjectStore, next: (listed: Listed) => Listed): Promise<void> {
  for (let n_tries = 1; ; n_tries++) {
    const { etag, ...listed } = await read(store);
    const { entries, events } = next(listed);
    const waiting = events.length > 0 && { events: events.slice(-MAX_EVENTS) };
    const text = JSON.stringify({ format: FORMAT, tokens: entries, ...waiting }, null, 1);
    try {
      await store.writeDocument(KEY, new TextEncoder().encode(text), etag);
      return;
    } catch (error) {
      if (!(error instanceof PortolanError) || error.code !== "store.conflict" || n_tries >= 10) throw error;
    }
  }
}

/** The list of tokens, read at most every few seconds: so long a revoked one still works. */
export class TokenList {
  private entries: readonly TokenEntry[] = [];
  private read_at = Number.NEGATIVE_INFINITY;
  private readonly reading = new JoinedWork<void>(PATIENCE_MS);

  /** Events that this list has told of, should the store not take them out. */
  private readonly told = new Set<string>();

  /** `tell` gets every event at least once; those that it got are taken out of the store. */
  constructor(
    private readonly store: ObjectStore,
    private readonly max_age_ms = 5_000,
    private readonly tell?: (event: TokenEvent) => void,
  ) {}

  async get(): Promise<readonly TokenEntry[]> {
    if (performance.now() - this.read_at > this.max_age_ms) await this.reading.run("tokens", () => this.refresh());
    return this.entries;
  }

  private async refresh(): Promise<void> {
    const { entries, events } = await read(this.store);
    this.entries = entries;
    this.read_at = performance.now();
    if (this.tell && events.length > 0) await this.tellOf(events, this.tell);
  }

  /** Tells first, then takes out: a line that is there twice is better than none. */
  private async tellOf(events: readonly TokenEvent[], tell: (event: TokenEvent) => void): Promise<void> {
    for (const event of events) {
      const key = keyOf(event);
      if (!this.told.has(key)) tell(event);
      this.told.add(key);
    }
    const isNew = (event: TokenEvent) => !this.told.has(keyOf(event));
    try {
      await change(this.store, (listed) => ({ ...listed, events: listed.events.filter(isNew) }));
      this.told.clear();
    } catch {
      // Requests are answered with the list that is known; the next reading tries again.
    }
  }
}

function keyOf({ at, event, token }: TokenEvent): string {
  return `${at} ${event} ${token}`;
}
