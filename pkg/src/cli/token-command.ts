/** `portolan token`: tokens of a server of shared indexes. */

import { hostname, userInfo } from "node:os";

import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { findRoot } from "../node/root.js";
import { addressOf, ISSUERS } from "../shared/oidc.js";
import { createToken, listTokens, revokeToken, type CiRule, type Scope, type TokenEntry } from "../shared/tokens.js";
import { keepToken, serverAddress } from "../shared/user-server.js";
import { onOneLine } from "../visible.js";
import { inputText } from "./input-text.js";
import { storeAt } from "./shared-command.js";

const DAY_MS = 86_400_000;
const MAX_TOKEN = 16 * 1024;

const ACTIONS: Record<string, (command: Command) => Promise<string>> = { create, list, revoke, keep };

export async function token(command: Command): Promise<string> {
  const [action = ""] = command.operands;
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!run) throw new UsageError(`token: expected create, list, revoke or keep, not "${action}"`);
  if (command.operands.length > (action === "revoke" ? 2 : 1))
    throw new UsageError(`token ${action}: too many operands`);
  return run(command);
}

async function create(command: Command): Promise<string> {
  const { options } = command;
  const store = await placeOf(command);
  const ci = options.ci === undefined ? undefined : ruleOf(command, options.ci);
  const days = wholeNumber(options.days, "days", 1);
  const { entry, token: made } = await createToken(store, {
    name: options.name ?? (ci ? `${ci.issuer} ${ci.repository}` : ""),
    scope: (options.scope ?? "read") as Scope,
    // A rule for CI without patterns is about the repository of the job alone.
    repositories: options.repo ?? [ci ? ci.repository : "**"],
    ...(days !== undefined && { expires_at: Date.now() + days * DAY_MS }),
    ci,
    by: whoIsHere(),
  });
  if (options.json === true)
    return `${JSON.stringify({ ...shown(entry), ...(made !== undefined && { token: made }) })}\n`;
  if (made === undefined) return line(entry);
  if (options.quiet !== true) process.stderr.write("portolan: keep it now; only its digest is stored\n");
  return `${made}\n`;
}

async function list(command: Command): Promise<string> {
  const entries = await listTokens(await placeOf(command));
  if (command.options.json === true)
    return `${JSON.stringify({ tokens: entries.map(shown), total: entries.length })}\n`;
  return entries.length === 0 ? "no tokens\n" : onOneLine(entries.map(shown)).map(line).join("");
}

async function revoke(command: Command): Promise<string> {
  const [, id] = command.operands;
  if (id === undefined) throw new UsageError("token revoke: ID is missing; `portolan token list` shows it");
  const entry = await revokeToken(await placeOf(command), id, whoIsHere());
  return command.options.json === true ? `${JSON.stringify(shown(entry))}\n` : `revoked ${line(entry)}`;
}

/** The user and the machine, for the audit log of the server. */
function whoIsHere(): string {
  let user = "unknown";
  try {
    user = userInfo().username;
  } catch {
    // a user id without a name, as in containers
  }
  return `${user}@${hostname()}`;
}

/** Keeps a token that is given on stdin: on a command line others could read it. */
async function keep({ options }: Command): Promise<string> {
  if (options.server === undefined) throw new UsageError("token keep: --server is missing");
  const server = serverAddress(options.server);
  const given = inputText("-").slice(0, MAX_TOKEN).split("\n", 1)[0]?.trim() ?? "";
  if (!/^[A-Za-z0-9._~+/=-]{16,}$/.test(given)) throw new UsageError("token keep: there is no token on stdin");
  keepToken(server, given, findRoot());
  return options.json === true ? `${JSON.stringify({ server })}\n` : `kept for ${server}\n`;
}

async function placeOf({ name, options, operands: [action = ""] }: Command) {
  if (options.shared === undefined)
    throw new UsageError(`${name} ${action}: --shared is missing: the folder or bucket of the server`);
  return storeAt(options.shared, true);
}

function ruleOf({ options }: Command, text: string): CiRule {
  const [, provider = "", repository = ""] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const known = Object.hasOwn(ISSUERS, provider) ? ISSUERS[provider] : undefined;
  if (!known) throw new UsageError(`--ci expects github:REPOSITORY or gitlab:REPOSITORY, not "${text}"`);
  const issuer = options.issuer ?? known.issuer;
  addressOf(issuer);
  if (options.scope === "admin")
    throw new PortolanError("options.invalid", "jobs of CI get no right to admin", "use --scope write");
  return { issuer, repository, ...(options.ref !== undefined && { ref: options.ref }) };
}

/** Without the digest: it is of no use to people. */
function shown({ hash: _, ...entry }: TokenEntry): Omit<TokenEntry, "hash"> {
  return entry;
}

function line({ id, name, scope, repositories, created_at, expires_at, ci }: Omit<TokenEntry, "hash">): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const until = expires_at === undefined ? "" : ` until ${day(expires_at)}`;
  const about = ci ? `CI ${ci.issuer} ${ci.repository}${ci.ref === undefined ? "" : ` ${ci.ref}`}` : name;
  return `${id}  ${scope.padEnd(5)}  ${repositories.join(", ")}  ${day(created_at)}${until}  ${about}\n`;
}
