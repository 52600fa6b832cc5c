/**
 * The catalogue of a repository: its versions, which of them is current, and the pieces that are being deleted. It is one document that is
 * replaced in one step, so a version is there or not, and the current one is the old or the new, whatever is killed when.
 */

import { PortolanError } from "../errors.js";
import { pause } from "../sleep.js";
import { fieldsOf } from "./manifest.js";
import { MAX_DOCUMENT, type ObjectStore } from "./store.js";
import type { VersionSummary } from "./types.js";

/** A switch of the current version. */
export interface Switch {
  readonly at: number;
  readonly from?: string | undefined;
  readonly to: string;
  /** Who: the id of a token, or of a rule for CI. */
  readonly by: string;
}

/** The versions of a repository, and which one is current. */
export interface Catalogue {
  readonly current?: string | undefined;
  /** The newest first. */
  readonly versions: readonly VersionSummary[];
  /** Digests of pieces that a pruning deletes now: nobody may count on them. */
  readonly deleting: readonly string[];
  /** When that began; milliseconds since 1970. */
  readonly deleting_since?: number | undefined;
  /** The last ones, the newest first. */
  readonly switches: readonly Switch[];
}

/** A catalogue with the etag that replaces it. */
export interface StoredCatalogue {
  readonly catalogue: Catalogue;
  /** Undefined where the repository has none yet. */
  readonly etag: string | undefined;
}

const EMPTY: Catalogue = { versions: [], deleting: [], switches: [] };
const FORMAT = 1;
const MAX_SWITCHES = 50;
/** Versions of one repository. */
const MAX_VERSIONS = 5000;
/** Writers that meet try again; this often at most. */
const MAX_TRIES = 12;

/** Folder of a repository's objects. No part of a name is `-` or `_`, so no repository is inside of another. */
export function folderOf(repository: string): string {
  return `repos/${repository.split("/").join("/-/")}/_`;
}

/** Key of a piece in the store. */
export function pieceKey(repository: string, digest: string): string {
  return `${folderOf(repository)}/pieces/${digest}`;
}

/** Key of a version's manifest in the store. */
export function manifestKey(repository: string, id: string): string {
  return `${folderOf(repository)}/versions/${id}`;
}

function catalogueKey(repository: string): string {
  return `${folderOf(repository)}/catalogue`;
}

/** Reads the catalogue; an empty one where there is none. Rejects with `store.failed`. */
export async function readCatalogue(store: ObjectStore, repository: string): Promise<StoredCatalogue> {
  const stored = await store.readDocument(catalogueKey(repository));
  if (stored === undefined) return { catalogue: EMPTY, etag: undefined };
  return { catalogue: parsed(stored.bytes, repository), etag: stored.etag };
}

function parsed(bytes: Uint8Array, repository: string): Catalogue {
  try {
    const fields = fieldsOf(JSON.parse(new TextDecoder().decode(bytes)), "the catalogue");
    if (fields.format !== FORMAT) throw new Error(`format ${String(fields.format)}`);
    return fields as unknown as Catalogue;
  } catch (error) {
    const message = `the catalogue of ${repository} cannot be read: ${(error as Error).message}`;
    throw new PortolanError("store.failed", message, "restore the storage from a copy", { cause: error });
  }
}

/**
 * Changes a catalogue: `change` gets the present one and returns the next, or nothing to leave it. Called again where another writer came
 * between. Rejects with `store.conflict` after a dozen tries.
 */
export async function changeCatalogue(
  store: ObjectStore,
  repository: string,
  change: (catalogue: Catalogue) => Promise<Catalogue | undefined>,
): Promise<Catalogue> {
  for (let n_tries = 1; ; n_tries++) {
    const { catalogue, etag } = await readCatalogue(store, repository);
    const next = await change(catalogue);
    if (next === undefined) return catalogue;
    try {
      await store.writeDocument(catalogueKey(repository), encoded(next), etag);
      return next;
    } catch (error) {
      const isConflict = error instanceof PortolanError && error.code === "store.conflict";
      if (!isConflict || n_tries >= MAX_TRIES) throw error;
      await pause(Math.random() * 20 * n_tries);
    }
  }
}

function encoded(catalogue: Catalogue): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify({ format: FORMAT, ...catalogue }));
  if (bytes.length <= MAX_DOCUMENT) return bytes;
  throw new PortolanError("version.too-many", "the list of versions is full", "prune old ones");
}

/** Deletes a catalogue, and with it the repository's versions for every reader. */
export function deleteCatalogue(store: ObjectStore, repository: string): Promise<void> {
  return store.deleteDocument(catalogueKey(repository));
}

/** Names of the repositories that have a catalogue, sorted. */
export async function repositoryNames(store: ObjectStore): Promise<string[]> {
  const keys = await store.listDocuments("repos/");
  const names = keys.flatMap((key) => /^repos\/(.+)\/_\/catalogue$/.exec(key)?.[1] ?? []);
  return names.map((name) => name.split("/-/").join("/")).sort();
}

/** With a version added, and current if `isSwitched`. */
export function withVersion(
  catalogue: Catalogue,
  version: VersionSummary,
  isSwitched: boolean,
  by: string,
  now: number,
): Catalogue {
  const others = catalogue.versions.filter(({ id }) => id !== version.id);
  const known = catalogue.versions.find(({ id }) => id === version.id);
  if (others.length >= MAX_VERSIONS)
    throw new PortolanError(
      "version.too-many",
      `a repository has at most ${MAX_VERSIONS} versions`,
      "prune old ones: `portolan versions --prune`",
    );
  const tags = [...new Set([...(known?.source.tags ?? []), ...(version.source.tags ?? [])])];
  const merged = { ...(known ?? version), source: { ...version.source, ...(tags.length > 0 && { tags }) } };
  const versions = known
    ? catalogue.versions.map((one) => (one.id === version.id ? merged : one))
    : [merged, ...others];
  return isSwitched ? switched({ ...catalogue, versions }, version.id, by, now) : { ...catalogue, versions };
}

/** With another current version. */
export function switched(catalogue: Catalogue, to: string, by: string, now: number): Catalogue {
  if (catalogue.current === to) return catalogue;
  const entry = { at: now, ...(catalogue.current !== undefined && { from: catalogue.current }), to, by };
  return { ...catalogue, current: to, switches: [entry, ...catalogue.switches].slice(0, MAX_SWITCHES) };
}
