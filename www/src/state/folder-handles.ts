//! Handles of the folders that were picked, kept in this browser: on the next visit the page can look at the folder again, once the
//! reader has given leave.

import { type Place, within } from "./database.ts";

declare global {
  interface FileSystemHandle {
    queryPermission?(options: { mode: "read" | "readwrite" }): Promise<PermissionState>;
    requestPermission?(options: { mode: "read" | "readwrite" }): Promise<PermissionState>;
  }
}

const place: Place = { database: "portolan page", store: "folders" };

/** Stores the handle of the folder that is indexed under this name. If it cannot be stored, the page asks for the folder again. */
export async function keepHandle(name: string, handle: FileSystemDirectoryHandle): Promise<void> {
  await within(place, "readwrite", (folders) => folders.put(handle, name)).catch(() => {});
}

/** The folder that was indexed under this name, if it was picked in this browser. */
export async function keptHandle(name: string): Promise<FileSystemDirectoryHandle | undefined> {
  return within(
    place,
    "readonly",
    (folders) => folders.get(name) as IDBRequest<FileSystemDirectoryHandle | undefined>,
  ).catch(() => undefined);
}

/** Forgets a folder. */
export async function forgetHandle(name: string): Promise<void> {
  await within(place, "readwrite", (folders) => folders.delete(name)).catch(() => {});
}

/** Whether the folder may be read without asking the reader. */
export async function mayRead(handle: FileSystemDirectoryHandle): Promise<boolean> {
  return (await handle.queryPermission?.({ mode: "read" }).catch(() => "denied")) === "granted";
}

/** Asks the reader, where that is needed; only while a click is handled. */
export async function askToRead(handle: FileSystemDirectoryHandle): Promise<boolean> {
  return (await handle.requestPermission?.({ mode: "read" }).catch(() => "denied")) === "granted";
}

/** Asks the reader whether the page may write into the folder, if the browser does not know; only while a click is handled. */
export async function askToWrite(handle: FileSystemDirectoryHandle): Promise<boolean> {
  const options = { mode: "readwrite" } as const;
  if ((await handle.queryPermission?.(options).catch(() => "denied")) === "granted") return true;
  return (await handle.requestPermission?.(options).catch(() => "denied")) === "granted";
}
