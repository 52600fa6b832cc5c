/**
 * Which server a command asks, with which token, and by which name the repository is known there. All of it is the user's word: an option, a
 * variable, or a file in the user's own folder that nobody else can read. Nothing of a repository is read for it, since its files could
 * name a server that collects tokens.
 */

import { basename } from "node:path";

import { PortolanError } from "../errors.js";
import { readPrivate, userFolder, writePrivate } from "../node/user-folder.js";
import { isPrivate } from "../reading/fetching.js";
import { UsageError, type Options } from "../commands/options.js";
import type { ServerAccess } from "./client.js";
import { isRepositoryName } from "./names.js";
import { collected } from "./store.js";

const FILE = "shared.json";

/** Addresses of servers with their tokens, the one that was kept last first. */
interface Kept {
  readonly servers: readonly { readonly server: string; readonly token: string }[];
}

/** Returns the server and its token. Rejects with `options.invalid` where no server is named. */
export async function serverOf(options: Options, root: string, env: NodeJS.ProcessEnv): Promise<ServerAccess> {
  const { servers } = kept(root);
  const given = options.server ?? (env.PORTOLAN_SHARED_SERVER || undefined) ?? servers[0]?.server;
  if (given === undefined)
    throw new PortolanError(
      "options.invalid",
      "no server of shared indexes is known",
      "name one: --server URL, PORTOLAN_SHARED_SERVER, or `portolan token keep --server URL`",
    );
  const server = serverAddress(given);
  const token =
    env.PORTOLAN_SHARED_TOKEN?.trim() ||
    servers.find((one) => one.server === server)?.token ||
    (await ofActions(server, env));
  return { server, token };
}

/** The address without a stroke at the end. Throws a `UsageError` for one to which a token would travel in clear text. */
export function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === "" && url.search === "" && url.hash === "";
  if (!url || !isPlain || !["http:", "https:"].includes(url.protocol))
    throw new UsageError(`--server expects an address such as https://portolan.example.com, not "${text}"`);
  if (url.protocol === "http:" && !isPrivate(url.hostname))
    throw new UsageError(`a token would travel to ${url.host} in clear text: write https://`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Keeps a token for its server, which becomes the one that is asked by default. */
export function keepToken(server: string, token: string, root: string): void {
  const folder = userFolder(root);
  if (folder === undefined)
    throw new PortolanError(
      "storage.failed",
      "there is no folder of yours for tokens",
      "set PORTOLAN_SHARED_TOKEN instead",
    );
  const others = kept(root).servers.filter((one) => one.server !== server);
  writePrivate(folder, FILE, `${JSON.stringify({ servers: [{ server, token }, ...others] }, null, 1)}\n`);
}

function kept(root: string): Kept {
  const folder = userFolder(root);
  const text = folder === undefined ? undefined : readPrivate(folder, FILE);
  if (text === undefined) return { servers: [] };
  try {
    const { servers } = JSON.parse(text) as Kept;
    return { servers: servers.filter(({ server, token }) => typeof server === "string" && typeof token === "string") };
  } catch {
    throw new PortolanError(
      "settings.invalid",
      `${FILE} in your folder cannot be read`,
      "delete it, and keep the token again",
    );
  }
}

const MAX_ANSWER = 64 * 1024;
const LIMIT_MS = 10_000;

/** The token that GitHub Actions issues to a job with `id-token: write`. */
async function ofActions(server: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (!url || !token || !URL.canParse(url)) return undefined;
  const address = new URL(url);
  address.searchParams.set("audience", server);
  try {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const response = await fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(LIMIT_MS) });
    const body = (response.body ?? []) as unknown as AsyncIterable<Uint8Array>;
    const { value } = JSON.parse(new TextDecoder().decode(await collected(body, MAX_ANSWER))) as { value?: unknown };
    if (response.ok && typeof value === "string") return value;
    throw new Error(`it answers ${response.status}`);
  } catch (error) {
    const message = `GitHub gave the job no token: ${(error as Error).message}`;
    throw new PortolanError("remote.failed", message, "permissions: id-token: write", { cause: error });
  }
}

/** The name of the repository on the server: the option, that of a CI job, or the folder's. */
export function nameOf({ repo = [] }: Options, root: string, env: NodeJS.ProcessEnv): string {
  if (repo.length > 1) throw new UsageError("--repo is given once here");
  const name = repo[0] ?? (env.GITHUB_REPOSITORY || env.CI_PROJECT_PATH || basename(root));
  if (isRepositoryName(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is no name of a repository: give one with --repo, such as acme/tools`);
}

/** The branch of a CI job; nothing elsewhere. */
export function refOf({ ref }: Options, env: NodeJS.ProcessEnv): string | undefined {
  if (ref !== undefined) return ref;
  if (env.GITHUB_REF) return env.GITHUB_REF;
  if (env.CI_COMMIT_TAG) return `refs/tags/${env.CI_COMMIT_TAG}`;
  return env.CI_COMMIT_BRANCH ? `refs/heads/${env.CI_COMMIT_BRANCH}` : undefined;
}
