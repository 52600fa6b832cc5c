//! The file tree from the flat list of indexed files. Folders come first; a folder that holds nothing but one folder stands
//! in one row with it (`src/main/java`).

import type { FileEntry } from "portolan";
import type { TreeNode } from "../controls/rows.ts";

export interface FileNode extends TreeNode {
  /** Path, without a slash at the end. */
  readonly id: string;
  readonly children: readonly FileNode[];
  readonly entry: FileEntry | null;
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileEntry[];
}

/** The roots of the tree. */
export function fileTree(files: readonly FileEntry[]): FileNode[] {
  const top: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    let folder = top;
    const parts = file.path.split("/");
    for (const part of parts.slice(0, -1)) {
      let inner = folder.folders.get(part);
      if (!inner) folder.folders.set(part, (inner = { folders: new Map(), files: [] }));
      folder = inner;
    }
    folder.files.push(file);
  }
  return nodesOf(top, "");
}

// Paths nest no deeper than their length allows, which `source` bounds; the recursion is over folders, not files.
function nodesOf(folder: Folder, prefix: string): FileNode[] {
  const folders = [...folder.folders].map(([name, inner]) => folderNode(name, inner, prefix));
  const files = folder.files.map((entry): FileNode => ({ id: entry.path, name: entry.path.slice(prefix.length), children: [], entry }));
  return [...folders.sort(byName), ...files.sort(byName)];
}

function folderNode(name: string, folder: Folder, prefix: string): FileNode {
  let path = name;
  let inner = folder;
  for (let only = onlyFolder(inner); only; only = onlyFolder(inner)) {
    path += `/${only[0]}`;
    inner = only[1];
  }
  return { id: prefix + path, name: path, children: nodesOf(inner, `${prefix}${path}/`), entry: null };
}

function onlyFolder({ folders, files }: Folder): [string, Folder] | null {
  return files.length === 0 && folders.size === 1 ? ([...folders][0] ?? null) : null;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const byName = (a: FileNode, b: FileNode) => collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);

/** Ids of the folders on the way to a path. */
export function foldersOf(roots: readonly FileNode[], path: string): string[] {
  const found: string[] = [];
  let level = roots;
  for (;;) {
    const folder = level.find((node) => node.entry === null && path.startsWith(`${node.id}/`));
    if (!folder) return found;
    found.push(folder.id);
    level = folder.children;
  }
}
