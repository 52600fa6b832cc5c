//! Handles of the folders that were picked, kept in this browser: on the next visit the page can look at the folder again, once the
//! reader has given leave.

declare global {
  interface FileSystemHandle {
    queryPermission?(options: { mode: "read" }): Promise<PermissionState>;
    requestPermission?(options: { mode: "read" }): Promise<PermissionState>;
  }
}

const database = "portolan page";
const store = "folders";

/** Stores the handle of the folder that is indexed under this name. If it cannot be stored, the page asks for the folder again. */
export async function keepHandle(name: string, handle: FileSystemDirectoryHandle): Promise<void> {
  await within("readwrite", (folders) => folders.put(handle, name)).catch(() => {});
}

/** The folder that was indexed under this name, if it was picked in this browser. */
export async function keptHandle(name: string): Promise<FileSystemDirectoryHandle | undefined> {
  return within("readonly", (folders) => folders.get(name) as IDBRequest<FileSystemDirectoryHandle | undefined>).catch(
    () => undefined,
  );
}

/** Forgets a folder. */
export async function forgetHandle(name: string): Promise<void> {
  await within("readwrite", (folders) => folders.delete(name)).catch(() => {});
}

/** Whether the folder may be read without asking the reader. */
export async function mayRead(handle: FileSystemDirectoryHandle): Promise<boolean> {
  return (await handle.queryPermission?.({ mode: "read" }).catch(() => "denied")) === "granted";
}

/** Asks the reader, where that is needed; only while a click is handled. */
export async function askToRead(handle: FileSystemDirectoryHandle): Promise<boolean> {
  return (await handle.requestPermission?.({ mode: "read" }).catch(() => "denied")) === "granted";
}

async function within<T>(mode: IDBTransactionMode, work: (folders: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(store);
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
