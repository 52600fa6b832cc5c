//! A small database of this browser with one store of its own, for state that is not an index.

export interface Place {
  readonly database: string;
  readonly store: string;
  /** Property of a value that is its key; without it the caller names keys. */
  readonly keyPath?: string;
}

/** Does one thing in a store. Rejects where the browser keeps nothing, as in some private windows. */
export async function within<T>(
  { database, store, keyPath }: Place,
  mode: IDBTransactionMode,
  work: (kept: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () =>
    void opening.result.createObjectStore(store, keyPath === undefined ? {} : { keyPath });
  const open = await settled(opening);
  try {
    return await settled(work(open.transaction(store, mode).objectStore(store)));
  } finally {
    open.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
