//! Two versions of a file beside each other: CodeMirror's merge view, read only, with our colours. Loaded when somebody asks for it.

import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars, lineNumbers } from "@codemirror/view";

const look = EditorView.theme({
  "&": { fontSize: "12.5px", backgroundColor: "var(--code-ground)", color: "var(--code-ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--code-ground)", color: "var(--ink-3)", border: "none" },
  "&.cm-merge-a .cm-changedLine": { backgroundColor: "light-dark(#fbe9e5, #34201e)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "light-dark(#e3f1e2, #1b2e22)" },
  "&.cm-merge-a .cm-changedText": { background: "light-dark(#f4c9bf, #5b2f29)" },
  "&.cm-merge-b .cm-changedText": { background: "light-dark(#bfe0bc, #2c5238)" },
  ".cm-collapsedLines": { background: "var(--surface-2)", color: "var(--ink-2)", font: "12px var(--sans)" },
  // The library's own signs are missing in many fonts.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '""' },
});

/** Draws both texts into the element; returns how to take them away. */
export function showMerge(parent: HTMLElement, { before, after }: { before: string; after: string }): () => void {
  const extensions = (label: string) => [
    look,
    lineNumbers(),
    highlightSpecialChars(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
  const view = new MergeView({
    parent,
    a: { doc: before, extensions: extensions("Before") },
    b: { doc: after, extensions: extensions("After") },
    gutter: false,
    collapseUnchanged: { margin: 3, minSize: 6 },
    diffConfig: { scanLimit: 2000, timeout: 200 },
  });
  return () => view.destroy();
}
