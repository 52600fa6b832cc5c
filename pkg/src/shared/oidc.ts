/**
 * Tokens that a CI service issues to its jobs (OpenID Connect): a job pushes without a secret that anybody stored. Only issuers that a rule of
 * the server names are ever contacted, and only RS256 is accepted, whatever the token says.
 */

import { PortolanError } from "../errors.js";
import { fromBase64url } from "./digest.js";
import { JoinedWork } from "./joined-work.js";
import { collected } from "./store.js";

/** Issuers by the short names that rules may use, and the claim in which each says which repository a job is of. */
export const ISSUERS: Record<string, { readonly issuer: string; readonly claim: string }> = {
  github: { issuer: "https://token.actions.githubusercontent.com", claim: "repository" },
  gitlab: { issuer: "https://gitlab.com", claim: "project_path" },
};

/** Facts of a job, known after its token was verified. */
export interface CiClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly repository: string;
  /** Branch or tag, such as `refs/heads/main`. */
  readonly ref: string;
}

const MAX_TOKEN = 16 * 1024;
const MAX_ANSWER = 256 * 1024;
const LIMIT_MS = 5_000;
/** An issuer is asked twice. */
const PATIENCE_MS = 2 * LIMIT_MS;
/** Keys are asked for again after this time, */
const KEYS_MS = 10 * 60_000;
/** and for a key that is not among them, at most this often. */
const NEW_KEYS_MS = 60_000;
/** An issuer that did not answer is left alone for so long: anybody can send tokens that name it. */
const FAILED_MS = 10_000;
const MAX_KEYS = 64;
/** Clocks differ. */
const LEEWAY_S = 60;
/** Jobs get tokens of minutes; one of days was not made for a job. */
const MAX_LIFE_S = 24 * 3600;

interface Keys {
  readonly asked_at: number;
  readonly keys: ReadonlyMap<string, CryptoKey>;
}

/** The issuer that a token names, unverified; nothing where it is no such token. */
export function issuerOf(token: string): string | undefined {
  const iss = parse(token)?.payload.iss;
  return typeof iss === "string" ? iss : undefined;
}

/** Verifies tokens that CI issues to its jobs, with the keys of their issuers. */
export class OidcVerifier {
  private readonly keys = new Map<string, Keys>();
  private readonly asking = new JoinedWork<Keys>(PATIENCE_MS);
  private readonly failures = new Map<string, { readonly at: number; readonly error: unknown }>();

  constructor(
    // A Worker refuses its `fetch` as the method of another object.
    private readonly fetcher: typeof fetch = (...args) => fetch(...args),
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Verifies signature, issuer, audience and times of a token. `issuer` must be one that the server trusts. Rejects with
   * `access.token-invalid`, which says what is wrong and never quotes the token, and `access.issuer`.
   */
  async verify(token: string, issuer: string, audience: string): Promise<CiClaims> {
    const parsed = parse(token);
    if (!parsed) throw invalid("it is no token of CI");
    const { header, payload, signed, signature } = parsed;
    if (header.alg !== "RS256") throw invalid("its algorithm is not RS256");
    if (header.crit !== undefined) throw invalid("it has extensions that are not known");
    if (payload.iss !== issuer) throw invalid("it has another issuer");
    const key = await this.key(issuer, typeof header.kid === "string" ? header.kid : "");
    if (!key) throw invalid("the issuer has no key of this name");
    if (!(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, signature, signed)))
      throw invalid("its signature is wrong");
    this.checkTimes(payload);
    const audiences = Array.isArray(payload.aud) ? payload.aud : [payload.aud];
    if (!audiences.includes(audience)) throw invalid("it is for another audience");
    return claimsOf(issuer, payload);
  }

  private checkTimes({ exp, nbf, iat }: Record<string, unknown>): void {
    const now = this.now() / 1000;
    if (typeof exp !== "number" || typeof iat !== "number")
      throw invalid("it does not say when it was issued and expires");
    if (now > exp + LEEWAY_S) throw invalid("it has expired");
    if (iat > now + LEEWAY_S) throw invalid("it was issued in the future");
    if (nbf !== undefined && (typeof nbf !== "number" || nbf > now + LEEWAY_S)) throw invalid("it is not valid yet");
    if (exp - iat > MAX_LIFE_S) throw invalid("it is valid for more than a day");
  }

  private async key(issuer: string, name: string): Promise<CryptoKey | undefined> {
    const known = this.keys.get(issuer);
    const age = known ? this.now() - known.asked_at : Number.POSITIVE_INFINITY;
    const isEnough = known !== undefined && age < (known.keys.has(name) ? KEYS_MS : NEW_KEYS_MS);
    if (isEnough) return known.keys.get(name);
    try {
      const failure = this.failures.get(issuer);
      if (failure && this.now() - failure.at < FAILED_MS) throw failure.error;
      return (await this.askedKeys(issuer)).keys.get(name);
    } catch (error) {
      // An issuer that does not answer now: the keys that it gave before hold.
      const key = known?.keys.get(name);
      if (key) return key;
      throw error;
    }
  }

  /** Asks an issuer for its keys; whoever wants them meanwhile waits for the same answer. */
  private async askedKeys(issuer: string): Promise<Keys> {
    return (await this.asking.run(issuer, () => this.freshKeys(issuer))).value;
  }

  private async freshKeys(issuer: string): Promise<Keys> {
    try {
      const keys = await this.fetchKeys(issuer);
      this.keys.set(issuer, keys);
      this.failures.delete(issuer);
      return keys;
    } catch (error) {
      this.failures.set(issuer, { at: this.now(), error });
      throw error;
    }
  }

  private async fetchKeys(issuer: string): Promise<Keys> {
    const base = addressOf(issuer);
    const about = await this.json(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`);
    const address = typeof about.jwks_uri === "string" ? about.jwks_uri : "";
    if (about.issuer !== issuer || !URL.canParse(address) || new URL(address).origin !== base.origin)
      throw unreachable(issuer, "its configuration names another issuer or host");
    const { keys } = await this.json(address);
    if (!Array.isArray(keys)) throw unreachable(issuer, "it gives no keys");
    const found = new Map<string, CryptoKey>();
    for (const key of keys.slice(0, MAX_KEYS) as Record<string, unknown>[]) {
      if (key?.kty !== "RSA" || typeof key.kid !== "string" || (key.use !== undefined && key.use !== "sig")) continue;
      const { n, e } = key;
      // Keys of fewer than 2048 bits can be broken.
      if (typeof n !== "string" || typeof e !== "string" || n.length < 341 || n.length > 2048) continue;
      const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
      found.set(key.kid, await crypto.subtle.importKey("jwk", { kty: "RSA", n, e }, algorithm, false, ["verify"]));
    }
    return { asked_at: this.now(), keys: found };
  }

  private async json(url: string): Promise<Record<string, unknown>> {
    try {
      const init = {
        // A Worker knows no `error`. An answer that leads elsewhere is not `ok`; in a browser it has no status, either.
        redirect: "manual",
        signal: AbortSignal.timeout(LIMIT_MS),
        headers: { accept: "application/json" },
      };
      const response = await this.fetcher(url, init as RequestInit);
      const isElsewhere = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
      if (isElsewhere || !response.ok) {
        await response.body?.cancel();
        throw new Error(isElsewhere ? "the server leads elsewhere" : `the server answers ${response.status}`);
      }
      const body = (response.body ?? []) as unknown as AsyncIterable<Uint8Array>;
      const value: unknown = JSON.parse(new TextDecoder().decode(await collected(body, MAX_ANSWER)));
      if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
      throw new Error("the answer is no object");
    } catch (error) {
      throw unreachable(new URL(url).origin, error instanceof Error ? error.message : String(error));
    }
  }
}

/** The address of an issuer. Throws `access.issuer` unless it is https, or on this machine. */
export function addressOf(issuer: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url !== undefined && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url && (url.protocol === "https:" || (isLocal && url.protocol === "http:")) && !url.search && !url.hash)
    return url;
  throw new PortolanError(
    "access.issuer",
    `${JSON.stringify(issuer.slice(0, 200))} is no address of an issuer`,
    "https://…",
  );
}

function claimsOf(issuer: string, payload: Record<string, unknown>): CiClaims {
  const text = (name: string) => (typeof payload[name] === "string" ? (payload[name] as string) : "");
  const known = Object.values(ISSUERS).find((one) => one.issuer === issuer);
  const repository = text(known?.claim ?? "repository") || (known ? "" : text("project_path"));
  if (repository === "") throw invalid("it does not say which repository its job is of");
  const ref = text("ref");
  // GitLab says `main` and that it is a branch, where GitHub says refs/heads/main.
  const folder = { branch: "refs/heads/", tag: "refs/tags/" }[text("ref_type")];
  return { issuer, subject: text("sub"), repository, ref: ref.startsWith("refs/") ? ref : `${folder ?? ""}${ref}` };
}

interface Parsed {
  readonly header: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

function parse(token: string): Parsed | undefined {
  const parts = token.length > MAX_TOKEN ? [] : token.split(".");
  if (parts.length !== 3) return undefined;
  const [header, payload, signature] = parts.map(fromBase64url);
  if (!header || !payload || !signature) return undefined;
  const [first, second] = [object(header), object(payload)];
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf(".")));
  return first && second && { header: first, payload: second, signed, signature };
}

function object(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function invalid(why: string): PortolanError {
  return new PortolanError("access.token-invalid", `the token is not accepted: ${why}`, "give a valid one");
}

function unreachable(issuer: string, why: string): PortolanError {
  return new PortolanError("access.issuer", `the issuer ${issuer} gives no keys: ${why}`, "try again later");
}
