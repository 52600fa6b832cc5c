/** Changes in a folder that the user picked, where the browser has `FileSystemObserver`. */

import type { Watcher } from "../host.js";
import type { Input } from "../types.js";

/** https://fs.spec.whatwg.org/ (proposal): not in TypeScript's library yet. */
interface Observer {
  observe(handle: FileSystemHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}
type ObserverClass = new (onRecords: (records: readonly { type: string }[]) => void) => Observer;

export function watchHandle(input: Input, onChange: () => void, onError: (error: Error) => void): Watcher | undefined {
  const { FileSystemObserver } = globalThis as { FileSystemObserver?: ObserverClass };
  const isHandle = typeof FileSystemDirectoryHandle !== "undefined" && input instanceof FileSystemDirectoryHandle;
  if (!FileSystemObserver || !isHandle) return undefined;
  const observer = new FileSystemObserver((records) => {
    if (records.some(({ type }) => type === "errored")) onError(new Error("the browser watches this folder no more"));
    onChange();
  });
  observer.observe(input, { recursive: true }).catch(onError);
  return { folders() {}, close: () => observer.disconnect() };
}
