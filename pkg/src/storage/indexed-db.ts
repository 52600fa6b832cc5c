/**
 * Snapshots in IndexedDB. The bytes and what a list shows of them are two records, written in one transaction: whatever
 * fails, and whenever the tab is closed, the index stored before stays whole. Tabs that store under one name take turns.
 */

import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from "idb";

import { fromThrown, PortolanError, toBody } from "../errors.js";
import type { PieceFile, Store, StoredSnapshot } from "../host.js";
import { BlobFile, readsPieces } from "./blob-file.js";
import { blobOf, joined } from "./pieces.js";
import type { StoredState } from "../rpc/protocol.js";
import type { SavedIndex, StorageState } from "../types.js";

const DATABASE = "portolan";
const VERSION = 1;

interface Schema extends DBSchema {
  /** Bytes by name: a blob if its pieces can be read synchronously, as in workers. */
  snapshots: { key: string; value: Uint8Array<ArrayBuffer> | Blob };
  /** Entries of the list of indexes, by name. */
  entries: { key: string; value: SavedIndex };
}

/** Smaller ones are read whole: each reading of a piece goes through the browser, some milliseconds whatever its size. */
const LARGE = 32 << 20;

type Transaction = IDBPTransaction<Schema, ["snapshots", "entries"], "readwrite">;

export class IndexedDbStore implements Store {
  private database: Promise<IDBPDatabase<Schema>> | undefined;

  async put({ name, write, n_files, saved_at }: StoredSnapshot): Promise<void> {
    const stored = readsPieces ? blobOf(write) : joined(write);
    const n_bytes = stored instanceof Blob ? stored.size : stored.length;
    const entry = { name, saved_at, n_bytes, n_files };
    await inTurn(name, () =>
      this.change(`"${name}" (${megabytes(n_bytes)}) could not be stored`, async (transaction) => {
        await transaction.objectStore("snapshots").put(stored, name);
        await transaction.objectStore("entries").put(entry, name);
      }),
    );
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.run(`"${name}" could not be read from the store`, async (database) => {
      const stored = await database.get("snapshots", name);
      return stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : stored;
    });
  }

  async pieces(name: string): Promise<PieceFile | undefined> {
    const stored = await this.run(`"${name}" could not be read from the store`, (database) =>
      database.get("snapshots", name),
    );
    return readsPieces && stored instanceof Blob && stored.size > LARGE ? new BlobFile(stored) : undefined;
  }

  list(): Promise<SavedIndex[]> {
    return this.run("the stored indexes could not be listed", (database) => database.getAll("entries"));
  }

  async delete(name: string): Promise<void> {
    await inTurn(name, () =>
      this.change(`"${name}" could not be deleted`, async (transaction) => {
        await transaction.objectStore("snapshots").delete(name);
        await transaction.objectStore("entries").delete(name);
      }),
    );
  }

  /** All or nothing: a failure undoes the transaction. */
  private change(what: string, work: (transaction: Transaction) => Promise<void>): Promise<void> {
    return this.run(what, async (database) => {
      const transaction = database.transaction(["snapshots", "entries"], "readwrite");
      try {
        await work(transaction);
      } catch (error) {
        if (transaction.error === null) transaction.abort();
        await transaction.done.catch(() => {});
        throw error;
      }
      await transaction.done;
    });
  }

  private async run<T>(what: string, work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    const database = await this.open();
    try {
      return await work(database);
    } catch (error) {
      throw await storageError(what, error);
    }
  }

  private open(): Promise<IDBPDatabase<Schema>> {
    this.database ??= openDatabase(() => (this.database = undefined)).catch((error: unknown) => {
      this.database = undefined;
      throw unavailable(error);
    });
    return this.database;
  }
}

async function openDatabase(onLost: () => void): Promise<IDBPDatabase<Schema>> {
  if (typeof indexedDB === "undefined") throw new Error("this browser has no IndexedDB here");
  return openDB<Schema>(DATABASE, VERSION, {
    upgrade(database) {
      database.createObjectStore("snapshots");
      database.createObjectStore("entries");
    },
    // Another tab wants to delete or upgrade the database: let it.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      onLost();
    },
    terminated: onLost,
  });
}

function unavailable(cause: unknown): PortolanError {
  const message = `nothing can be stored in this browser: ${fromThrown(cause).message}`;
  const help =
    "private windows and blocked site data do that; the index works until the page is closed, and can be saved as a file";
  return new PortolanError("storage.unavailable", message, help, { cause });
}

/** One after the other, in whatever tab: by Web Locks, where there are any. */
async function inTurn(name: string, work: () => Promise<void>): Promise<void> {
  const locks = (globalThis as { navigator?: Partial<Navigator> }).navigator?.locks;
  if (!locks) return work();
  await locks.request(`portolan ${name}`, work);
}

async function storageError(what: string, cause: unknown): Promise<PortolanError> {
  const name = cause instanceof Error ? cause.name : "";
  if (name === "QuotaExceededError") {
    const { used, quota } = await storageState();
    const space = quota === undefined ? "" : ` than ${megabytes(quota)}, of which ${megabytes(used)} are taken`;
    const help =
      "delete an index that is no longer needed; what was stored before is untouched, and this index works on in memory";
    return new PortolanError("storage.quota", `${what}: the browser gives this site no more space${space}`, help, {
      cause,
    });
  }
  return new PortolanError("storage.failed", `${what}: ${fromThrown(cause).message}`, "the index works on in memory", {
    cause,
  });
}

/** Asks the browser to keep the store when space gets short, and returns whether it will; it may ask the user. */
export async function persist(): Promise<boolean> {
  return (
    (await manager()
      ?.persist?.()
      .catch(() => false)) ?? false
  );
}

/** Returns how much this site stores, and how much it may. */
export async function storageState(): Promise<StorageState> {
  const [persisted, estimate] = await Promise.all([
    manager()
      ?.persisted?.()
      .catch(() => false),
    manager()
      ?.estimate?.()
      .catch(() => undefined),
  ]);
  const { usage, quota } = estimate ?? {};
  return { persisted: persisted ?? false, used: usage ?? 0, ...(quota === undefined ? {} : { quota }) };
}

function manager(): Partial<StorageManager> | undefined {
  return (globalThis as { navigator?: Partial<Navigator> }).navigator?.storage;
}

function megabytes(n_bytes: number): string {
  return `${(n_bytes / 1_000_000).toFixed(1)} MB`;
}

/** Returns the state of the stored copy after a failed save. */
export function toStoredState(error: unknown): StoredState {
  const body = toBody(error);
  return { state: body.code === "storage.quota" ? "quota" : "unavailable", error: body };
}
