//! The symbols of the file shown. The one around the reader's line is marked.

import { computed, signal } from "@preact/signals";
import { Kind } from "../controls/Kind.tsx";
import { visibleRows } from "../controls/rows.ts";
import { Tree } from "../controls/Tree.tsx";
import { currentLine, file } from "../state/file.ts";
import { goTo } from "../state/symbol.ts";
import { innermost, outlineTree } from "./outline.ts";

const entries = computed(() => (file.value.state === "ready" ? file.value.file.outline : []));
const path = computed(() => (file.value.state === "ready" ? file.value.file.path : ""));
const roots = computed(() => outlineTree(entries.value));
// Open is the rule here, so the closed ones are kept; ids belong to one file.
const closed = signal<ReadonlySet<string>>(new Set());
const rows = computed(() => visibleRows(roots.value, ({ id }) => !closed.value.has(`${path.value}#${id}`)));
const here = computed(() => innermost(entries.value, currentLine.value));

export function Outline() {
  if (file.value.state !== "ready") return <p class="empty">Open a file to see what it defines.</p>;
  if (entries.value.length === 0) return <p class="empty">No definitions were found in this file.</p>;
  return (
    <Tree
      key={path.value}
      label="Outline"
      rows={rows.value}
      selected={here.value}
      choosable
      draw={({ symbol }) => (
        <>
          <Kind kind={symbol.kind} />
          <span class="tree-name">{symbol.name}</span>
          <span class="tree-side">{symbol.line}</span>
        </>
      )}
      onToggle={({ id }) => {
        const next = new Set(closed.peek());
        const key = `${path.peek()}#${id}`;
        if (!next.delete(key)) next.add(key);
        closed.value = next;
      }}
      onChoose={({ symbol }) => goTo(symbol)}
    />
  );
}
