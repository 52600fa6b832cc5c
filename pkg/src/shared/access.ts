/** Who a request comes from, and what that may do. */

import { PortolanError } from "../errors.js";
import { matches } from "./names.js";
import { issuerOf, OidcVerifier } from "./oidc.js";
import { entryOf, isExpired, isToken, SCOPES, type TokenList, type Scope, type TokenEntry } from "./tokens.js";

/** The client of a request: a token, a job of CI, or nobody that said who. */
export interface Principal {
  /** For limits and logs; never secret. */
  readonly id: string;
  readonly kind: "token" | "ci" | "anonymous";
  /** Of a job of CI: what its issuer calls it. */
  readonly subject?: string;
  may(scope: Scope, repository: string): boolean;
  /** Whether it has a right to anything: without one no list is made for it. */
  readonly hasRights: boolean;
}

/** Where rights come from. */
export interface AccessOptions {
  readonly tokens: TokenList;
  /** The address of this server as tokens of CI name it; without it none is accepted. */
  readonly audience?: string | undefined;
  /** Patterns of repositories that everybody may read. */
  readonly public?: readonly string[] | undefined;
  readonly verifier?: OidcVerifier | undefined;
  readonly now?: (() => number) | undefined;
}

const MAX_HEADER = 17 * 1024;
const HELP = "send a token: Authorization: Bearer …; `portolan token create` makes one";

/** Decides who a request is of, and what it may do: tokens of the list, and tokens that CI issues to its jobs. */
export class Access {
  private readonly verifier: OidcVerifier;
  private readonly now: () => number;

  constructor(private readonly options: AccessOptions) {
    this.now = options.now ?? Date.now;
    this.verifier = options.verifier ?? new OidcVerifier(undefined, this.now);
  }

  /** The principal of an `Authorization` header. Rejects with `access.token-invalid`, `access.issuer`, `store.failed`. */
  async principal(header: string | null): Promise<Principal> {
    if (header === null || header === "") return this.anonymous();
    const [, token] = header.length > MAX_HEADER ? [] : (/^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header) ?? []);
    if (token === undefined) throw refused("the Authorization header is no `Bearer TOKEN`");
    const entries = await this.options.tokens.get();
    return isToken(token) ? this.ofToken(entries, token) : this.ofCi(entries, token);
  }

  private anonymous(): Principal {
    const patterns = this.options.public ?? [];
    const may = (scope: Scope, name: string) => scope === "read" && patterns.some((pattern) => matches(pattern, name));
    return { id: "anonymous", kind: "anonymous", may, hasRights: patterns.length > 0 };
  }

  private async ofToken(entries: readonly TokenEntry[], token: string): Promise<Principal> {
    const entry = await entryOf(entries, token, this.now());
    if (!entry) throw refused("the token is unknown, was revoked, or has expired");
    return { id: entry.id, kind: "token", may: rightsOf([entry], this.options.public), hasRights: true };
  }

  private async ofCi(entries: readonly TokenEntry[], token: string): Promise<Principal> {
    const issuer = issuerOf(token);
    const rules = entries.filter((entry) => entry.ci?.issuer === issuer && !isExpired(entry, this.now()));
    // Nobody else is asked for keys.
    if (issuer === undefined || rules.length === 0) throw refused("the token is unknown");
    const { audience } = this.options;
    if (audience === undefined) throw refused("this server has no audience, so it takes no tokens of CI");
    const claims = await this.verifier.verify(token, issuer, audience);
    const fitting = rules.filter(
      ({ ci }) =>
        ci !== undefined &&
        matches(ci.repository, claims.repository) &&
        (ci.ref === undefined || matches(ci.ref, claims.ref)),
    );
    const [first] = fitting;
    if (!first) throw refused("no rule of this server is about this job");
    const may = rightsOf(fitting, this.options.public);
    return { id: first.id, kind: "ci", subject: claims.subject, may, hasRights: true };
  }
}

function rightsOf(entries: readonly TokenEntry[], open: readonly string[] = []) {
  const has = (entry: TokenEntry, scope: Scope) => SCOPES.indexOf(entry.scope) >= SCOPES.indexOf(scope);
  return (scope: Scope, repository: string) =>
    entries.some((entry) => has(entry, scope) && entry.repositories.some((pattern) => matches(pattern, repository))) ||
    (scope === "read" && open.some((pattern) => matches(pattern, repository)));
}

/**
 * Throws where a principal may not do something: `access.token-missing` where nobody said who, `repository.unknown` for a repository that it may
 * not even read, since names of repositories are no public knowledge, else `access.scope`.
 */
export function requireRight(principal: Principal, scope: Scope, repository: string): void {
  if (principal.may(scope, repository)) return;
  if (principal.kind === "anonymous") throw new PortolanError("access.token-missing", "this needs a token", HELP);
  if (!principal.may("read", repository))
    throw new PortolanError(
      "repository.unknown",
      `there is no index of ${repository}, or this token has no right to it`,
      "`portolan token list` on the server shows the rights of tokens",
    );
  throw new PortolanError("access.scope", `this needs the right to ${scope}`, "take a token of that scope");
}

function refused(message: string): PortolanError {
  return new PortolanError("access.token-invalid", message, HELP);
}
