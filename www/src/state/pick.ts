//! The browser's own ways to choose a folder.

import { folderSource, handleSource, type Source } from "./sources.ts";

declare global {
  interface Window {
    showDirectoryPicker?(options?: { id?: string; mode?: "read" }): Promise<FileSystemDirectoryHandle>;
  }
}

/** A folder that the reader picks: its handle, or where the browser gives none the list of its files. Only while a click is handled. */
export async function pickFolder(): Promise<Source> {
  if (window.showDirectoryPicker)
    return handleSource(await window.showDirectoryPicker({ id: "repository", mode: "read" }));
  const input = document.createElement("input");
  input.type = "file";
  input.webkitdirectory = true;
  return new Promise((resolve, reject) => {
    input.onchange = () => {
      try {
        resolve(folderSource([...(input.files ?? [])]));
      } catch (error) {
        reject(error as Error);
      }
    };
    input.oncancel = () => reject(new DOMException("nothing was chosen", "AbortError"));
    input.click();
  });
}
