//! Colours from our own parse: columns of start, end and class become decorations for the lines in sight only.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { className, firstAfter } from "../state/columns.ts";

/** The extension that colours a document by the columns. */
export function highlighter(columns: Uint32Array, classNames: readonly string[]) {
  const marks = classNames.map((name) => Decoration.mark({ class: className(name) }));
  const draw = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    const length = view.state.doc.length;
    let drawn = 0;
    for (const { from, to } of view.visibleRanges) {
      for (let at = firstAfter(columns, Math.max(from, drawn)) * 3; at + 2 < columns.length; at += 3) {
        const start = Math.max(columns[at] ?? 0, drawn);
        const end = Math.min(columns[at + 1] ?? 0, length);
        if (start >= to) break;
        const mark = marks[columns[at + 2] ?? 0];
        if (mark && start < end) builder.add(start, end, mark);
        drawn = Math.max(drawn, end);
      }
    }
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = draw(view);
      }
      update(update: ViewUpdate) {
        if (update.viewportChanged) this.decorations = draw(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
