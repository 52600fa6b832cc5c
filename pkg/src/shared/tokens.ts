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
};

const KEY = "access/tokens";
const FORMAT = 1;
const MAX_TOKENS = 10_000;
/** How long a request waits for the list that another one reads, and which nobody gets if that one is cut off. */
const PATIENCE_MS = 500;
const PREFIX = "ptl";
const TOKEN = /^ptl_([A-Za-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Adds a token, and returns it: the only time that it can be seen. A rule for CI has none. */
export async function createToken(
  store: ObjectStore,
  { name, scope, repositories, expires_at, ci }: NewToken,
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
  await change(store, (entries) => {
    if (entries.length >= MAX_TOKENS)
      throw new PortolanError("access.too-many", `there are ${MAX_TOKENS} tokens`, "revoke some");
    return [...entries, entry];
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
export async function revokeToken(store: ObjectStore, id: string): Promise<TokenEntry> {
  let revoked: TokenEntry | undefined;
  await change(store, (entries) => {
    revoked = entries.find((entry) => entry.id === id);
    return entries.filter((entry) => entry.id !== id);
  });
  if (revoked) return revoked;
  throw new PortolanError("access.unknown-token", "there is no token of this id", "`portolan token list` lists them");
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

async function read(store: ObjectStore): Promise<{ entries: readonly TokenEntry[]; etag: string | undefined }> {
  const stored = await store.readDocument(KEY);
  if (!stored) return { entries: [], etag: undefined };
  try {
    const { format, tokens } = JSON.parse(new TextDecoder().decode(stored.bytes)) as {
      format: number;
      tokens: TokenEntry[];
    };
    if (format !== FORMAT || !Array.isArray(tokens)) throw new Error(`format ${format}`);
    return { entries: tokens, etag: stored.etag };
  } catch (error) {
    throw new PortolanError("store.failed", "the list of tokens cannot be read", "restore it from a copy", {
      cause: error,
    });
  }
}

async function change(
  store: ObjectStore,
  next: (entries: readonly TokenEntry[]) => readonly TokenEntry[],
): Promise<void> {
  for (let n_tries = 1; ; n_tries++) {
    const { entries, etag } = await read(store);
    const text = JSON.stringify({ format: FORMAT, tokens: next(entries) }, null, 1);
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

  constructor(
    private readonly store: ObjectStore,
    private readonly max_age_ms = 5_000,
  ) {}

  async get(): Promise<readonly TokenEntry[]> {
    if (performance.now() - this.read_at > this.max_age_ms) await this.reading.run("tokens", () => this.refresh());
    return this.entries;
  }

  private async refresh(): Promise<void> {
    this.entries = await listTokens(this.store);
    this.read_at = performance.now();
  }
}
