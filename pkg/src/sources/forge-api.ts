/** Requests that every kind of forge answers in its own way. */

import { PortolanError } from "../errors.js";
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

/** A listed entry under a folder; folders themselves are none. */
export function entryBelow(folder: string, found: ListedEntry | undefined): TreeEntry[] {
  if (found === undefined || found.type === "tree") return [];
  const { type: _, path, ...entry } = found;
  return [{ ...entry, path: folder + path }];
}

/** Files of one repository; the index takes fewer. */
const MAX_LISTED = 500_000;

/** Throws where a host lists without end. */
export function checkLength(found: readonly TreeEntry[]): void {
  if (found.length > MAX_LISTED)
    throw new PortolanError(
      "source.too-large",
      `more than ${MAX_LISTED} files are not listed`,
      "download the archive and open it",
    );
}

/** An entry as hosts list it. */
export type ListedEntry = TreeEntry & { readonly type: string };

/** A path within an address, with `/` kept. Throws `source.path` for one that would lead to another place of the host. */
export function inAddress(path: string): string {
  const parts = path.split("/");
  if (parts.some((part) => part === "." || part === ".."))
    throw new PortolanError("source.path", `${path.slice(0, 200)} leads outside of the repository`, "");
  return parts.map(encodeURIComponent).join("/");
}
