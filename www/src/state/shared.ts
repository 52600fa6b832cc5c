//! Shared indexes: the server that gave this page has some, which are opened in place of local ones.
//!
//! The page asks no other server. A token stays in memory until the tab closes.

import type { CodeIndex } from "portolan";
import { signal } from "@preact/signals";
import { openBody } from "./passphrase.ts";

/** A repository of the server. */
export interface SharedEntry {
  readonly name: string;
  readonly n_bytes: number;
  /** Milliseconds since 1970; 0 where it has no version. */
  readonly made_at: number;
  /** It is encrypted: the passphrase is asked for here, and the server never has it. */
  readonly isSealed: boolean;
}

/** The list as far as it is known. `refused`: without another token nothing more is shown. */
export type SharedList =
  | { readonly state: "unasked" | "asking" }
  | { readonly state: "ready"; readonly entries: readonly SharedEntry[] }
  | { readonly state: "refused" | "failed"; readonly message: string };

/** Whether a server of shared indexes gave this page; its build says so. */
export const hasShared =
  typeof document !== "undefined" && document.querySelector('meta[name="portolan-shared"]') !== null;
export const sharedList = signal<SharedList>({ state: "unasked" });
export const sharedToken = signal("");

/** Names of shared repositories in links and in this page, which repositories of this browser seldom have. */
const PREFIX = "shared/";
export const sharedName = (repository: string) => `${PREFIX}${repository}`;
export const isSharedName = (name: string) => name.startsWith(PREFIX);

const maxBytes = 2 ** 31;

/** An answer of the server that is none. */
export class SharedError extends Error {
  readonly status: number;
  readonly code: string;
  readonly help: string;
  constructor(status: number, { code = "remote.failed", message = `the server answers ${status}`, help = "" }) {
    super(message);
    this.status = status;
    this.code = code;
    this.help = help;
  }
}

/** Reads the list of repositories that the token may read. */
export async function listShared(): Promise<void> {
  sharedList.value = { state: "asking" };
  try {
    const entries: SharedEntry[] = [];
    for (let page: string | undefined = "v1/repos"; page !== undefined; ) {
      const response = await ask(page);
      const { repositories, next } = (await response.json()) as { repositories: readonly Listed[]; next?: string };
      entries.push(...repositories.map(entryOf));
      page = next === undefined ? undefined : `v1/repos?after=${encodeURIComponent(next)}`;
    }
    sharedList.value = { state: "ready", entries };
  } catch (error) {
    const isRefused = error instanceof SharedError && error.status === 401;
    sharedList.value = { state: isRefused ? "refused" : "failed", message: (error as Error).message };
  }
}

interface Listed {
  readonly name: string;
  readonly current?: { readonly n_bytes: number; readonly made_at: number; readonly is_sealed: boolean };
}

function entryOf({ name, current }: Listed): SharedEntry {
  const { n_bytes = 0, made_at = 0, is_sealed = false } = current ?? {};
  return { name, n_bytes, made_at, isSealed: is_sealed };
}

/** Opens a repository by its name in this page. The index is asked here, and is not stored. Rejects with a `SharedError`. */
export async function openShared(name: string, signal: AbortSignal): Promise<CodeIndex> {
  const response = await ask(`v1/repos/${encodeURIComponent(name.slice(PREFIX.length))}/index`, signal);
  const n_bytes = Number(response.headers.get("content-length") ?? 0);
  if (n_bytes > maxBytes)
    throw new SharedError(response.status, {
      code: "remote.too-large",
      message: `the index has ${n_bytes} bytes`,
      help: "Ask the server from the command line or an agent instead.",
    });
  return openBody(response, name, signal);
}

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const token = sharedToken.peek();
  const response = await fetch(new URL(path, new URL("./", document.baseURI)), {
    headers: { accept: "application/json, */*", ...(token !== "" && { authorization: `Bearer ${token}` }) },
    // A token follows no redirect.
    redirect: "error",
    ...(signal && { signal }),
  });
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { code?: string; message?: string; help?: string };
  throw new SharedError(response.status, said);
}
