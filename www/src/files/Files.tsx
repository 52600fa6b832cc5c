//! The file tree of the open repository.

import { computed, effect, signal } from "@preact/signals";
import { count } from "../state/format.ts";
import { FileIcon, FolderIcon } from "../controls/FileIcon.tsx";
import { visibleRows } from "../controls/rows.ts";
import { Tree } from "../controls/Tree.tsx";
import { link, openFile } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import { fileTree, foldersOf, leavesOf } from "./tree.ts";

const files = computed(() => repository.value?.files ?? []);
const leftOut = computed(() => leavesOf(repository.value?.status.skipped ?? [], files.value));
const roots = computed(() => fileTree([...files.value, ...leftOut.value]));
const open = signal<ReadonlySet<string>>(new Set());
const rows = computed(() => visibleRows(roots.value, ({ id }) => open.value.has(id)));

// A new repository starts closed; the folders of the file shown open by themselves.
effect(() => {
  const path = link.value.path;
  const folders = path === "" ? [] : foldersOf(roots.value, path);
  const known = open.peek();
  if (folders.some((id) => !known.has(id))) open.value = new Set([...known, ...folders]);
});

export function Files() {
  if (roots.value.length === 0) return <p class="empty">No file was indexed.</p>;
  return (
    <Tree
      label="Files"
      rows={rows.value}
      selected={link.value.path}
      draw={(node, { expanded }) => (
        <>
          {node.branch ? <FolderIcon isOpen={expanded === true} /> : <FileIcon path={node.id} />}
          <span class={node.leftOut === "" ? "tree-name" : "tree-name tree-left-out"} title={node.leftOut || undefined}>
            {node.name}
          </span>
          {node.branch && node.nFiles > 0 && <span class="tree-side">{count(node.nFiles)}</span>}
          {node.leftOut !== "" && (
            <span class="tree-side" title={node.leftOut}>
              {node.branch ? `${count(node.nLeftOut)} left out` : "left out"}
            </span>
          )}
        </>
      )}
      onToggle={({ id }) => {
        const next = new Set(open.peek());
        if (!next.delete(id)) next.add(id);
        open.value = next;
      }}
      onChoose={({ id }) => openFile(id)}
    />
  );
}
