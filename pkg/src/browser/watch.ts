/** Changes in a folder that the user picked, where the browser has `FileSystemObserver`. */

import { PortolanError } from "../errors.js";
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
  const lost = (cause?: unknown) =>
    onError(
      new PortolanError(
        "watch.lost",
        "the browser watches this folder no more",
        "call update() when something may have changed",
        { cause },
      ),
    );
  const observer = new FileSystemObserver((records) => {
    if (records.some(({ type }) => type === "errored")) lost();
    onChange();
  });
  observer.observe(input, { recursive: true }).catch(lost);
  return { folders: () => false, close: () => observer.disconnect() };
}
