//! The kind of a file as two letters of its ending: the same letters in tree and palette. The colour only repeats them.

import { familyOf, lettersOf } from "./file-letters.ts";
import "./file-icon.css";

export function FileIcon({ path }: { path: string }) {
  return (
    <span class={`file-icon file-${familyOf(path)}`} aria-hidden="true">
      {lettersOf(path)}
    </span>
  );
}

/** A folder, open or closed. */
export function FolderIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg class="icon folder-icon" width={14} height={14} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={isOpen ? "M1.5 12.5v-9H6l1.5 2h6v2M1.5 12.5l2-5h11.5l-2 5z" : "M1.5 3.5v9h13v-7H7.5L6 3.5z"} />
    </svg>
  );
}
