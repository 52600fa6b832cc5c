/** Requests that every kind of forge answers in its own way. */

import type { SourceClient } from "./client.js";
import type { ForgeHost } from "../types.js";

/** An entry of a repository's tree. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "module";
  /** Bytes, if the host reports them. */
  readonly size?: number | undefined;
  /** Digest by which git knows it. */
  readonly id: string;
}

/** An address, and the form in which it is wanted. */
export interface Wanted {
  readonly url: string;
  readonly accept?: string;
}

/** The API of a code host. */
export interface ForgeApi {
  /** The commit that a branch, tag or digest names; without one that of the default branch. Rejects with `source.not-found`. */
  commit(ref: string | undefined): Promise<string>;
  /** All of it in one file. */
  archive(commit: string): Wanted;
  /** Lists every file once. */
  tree(commit: string): Promise<TreeEntry[]>;
  file(commit: string, entry: TreeEntry): Wanted;
  /** One file by its path, where the tree was not listed. */
  fileAt(ref: string, path: string): Wanted;
}

export type MakeApi = (host: ForgeHost, name: string, client: SourceClient) => ForgeApi;

/** An entry of git's own listing: its mode marks links and submodules. */
export function entryOf(path: string, type: string, mode: string, id: string, size?: number): TreeEntry[] {
  if (type === "tree") return [];
  const kind = type === "commit" ? "module" : mode === "120000" ? "link" : "file";
  return [{ path, kind, id, size }];
}

/** A path within an address, with `/` kept. */
export function inAddress(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
