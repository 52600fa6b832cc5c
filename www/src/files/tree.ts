//! The file tree from the flat list of indexed files. Folders come first; a folder that contains only one folder shares
//! its row (`src/main/java`).
//! A folder's children are built when it is first opened, so the cost depends on the visible rows and not on the number
//! of files.

import type { FileEntry, SkippedFile } from "portolan";
import type { TreeNode } from "../controls/rows.ts";

export interface FileNode extends TreeNode {
  /** Path, without a slash at the end. */
  readonly id: string;
  readonly children: readonly FileNode[];
  /** The file; null for a folder and for a file that was left out. */
  readonly entry: FileEntry | null;
  /** Why a file was left out, or every file of a folder; empty for the others. */
  readonly leftOut: string;
  /** Indexed files in it, at any depth; 1 for a file. */
  readonly nFiles: number;
  /** Files in it that were left out, at any depth; 0 for a file. */
  readonly nLeftOut: number;
}

/** A file of the repository that the index does not hold. */
export interface LeftOut {
  readonly path: string;
  readonly leftOut: string;
}

type Leaf = FileEntry | LeftOut;

/** Files that were left out as leaves of the tree; paths that lead elsewhere are not drawn. */
export function leavesOf(skipped: readonly SkippedFile[], files: readonly FileEntry[]): LeftOut[] {
  const known = new Set(files.map(({ path }) => path));
  return skipped.flatMap(({ path, code, message }) => {
    const plain = path.replace(/\/+$/, "");
    const isOdd = code === "unsafe-path" || known.has(plain) || plain.split("/").some((part) => /^\.{0,2}$/.test(part));
    return isOdd ? [] : [{ path: plain, leftOut: message || code }];
  });
}

/** The roots of the tree. */
export function fileTree(files: readonly Leaf[]): FileNode[] {
  return childrenOf(files, "");
}

function childrenOf(files: readonly Leaf[], prefix: string): FileNode[] {
  const folders = new Map<string, Leaf[]>();
  const leaves: FileNode[] = [];
  for (const entry of files) {
    const slash = entry.path.indexOf("/", prefix.length);
    if (slash < 0) {
      leaves.push({
        id: entry.path,
        name: entry.path.slice(prefix.length),
        branch: false,
        children: [],
        entry: "leftOut" in entry ? null : entry,
        leftOut: "leftOut" in entry ? entry.leftOut : "",
        nFiles: 1,
        nLeftOut: 0,
      });
      continue;
    }
    const name = entry.path.slice(prefix.length, slash);
    const inside = folders.get(name);
    if (inside) inside.push(entry);
    else folders.set(name, [entry]);
  }
  const nodes = [...folders].map(([name, inside]) => new FolderNode(inside, prefix, extended(inside, prefix + name)));
  return [...nodes.sort(byName), ...leaves.sort(byName)];
}

class FolderNode implements FileNode {
  readonly branch = true;
  readonly entry = null;
  readonly name: string;
  readonly nFiles: number;
  readonly nLeftOut: number;
  readonly leftOut: string;
  #children: readonly FileNode[] | null = null;

  constructor(
    private readonly files: readonly Leaf[],
    prefix: string,
    readonly id: string,
  ) {
    this.name = id.slice(prefix.length);
    const left = files.filter((file) => "leftOut" in file);
    this.nLeftOut = left.length;
    this.nFiles = files.length - left.length;
    this.leftOut = this.nFiles === 0 ? reasonsOf(left) : "";
  }

  get children(): readonly FileNode[] {
    this.#children ??= childrenOf(this.files, `${this.id}/`);
    return this.#children;
  }
}

/** Reasons in one line, the most frequent first: `binary (3 files), too large`. */
function reasonsOf(left: readonly LeftOut[]): string {
  const counts = new Map<string, number>();
  for (const { leftOut } of left) counts.set(leftOut, (counts.get(leftOut) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, mostReasons);
  return sorted.map(([reason, n]) => (n > 1 ? `${reason} (${n} files)` : reason)).join(", ");
}

const mostReasons = 3;

// The path as far down as all its files go the same way. Stops at the first file that does not.
function extended(files: readonly Leaf[], path: string): string {
  const [first] = files;
  for (let deepest = path; ; ) {
    const slash = first ? first.path.indexOf("/", deepest.length + 1) : -1;
    const next = slash < 0 ? "" : (first?.path.slice(0, slash) ?? "");
    if (next === "" || !files.every((file) => file.path.startsWith(`${next}/`))) return deepest;
    deepest = next;
  }
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const byName = (a: FileNode, b: FileNode) => collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);

/** Ids of the folders on the way to a path. */
export function foldersOf(roots: readonly FileNode[], path: string): string[] {
  const found: string[] = [];
  let level = roots;
  for (;;) {
    const folder = level.find((node) => node.branch && path.startsWith(`${node.id}/`));
    if (!folder) return found;
    found.push(folder.id);
    level = folder.children;
  }
}
