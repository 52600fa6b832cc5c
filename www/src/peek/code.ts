//! A few lines of a file in their colours, inside of another file.

import { EditorState } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightSpecialChars, lineNumbers } from "@codemirror/view";
import { HIGHLIGHT_CLASSES } from "portolan";
import { highlighter } from "../editor/highlights.ts";
import { look } from "../editor/look.ts";
import type { OpenFile } from "../state/file.ts";

export class PeekCode {
  readonly #view: EditorView;

  /** Shows a file with `line` (1-based) in the middle. */
  constructor(parent: HTMLElement, file: OpenFile, line: number) {
    const state = EditorState.create({ doc: file.text });
    const { from } = state.doc.line(Math.min(line, state.doc.lines));
    this.#view = new EditorView({
      parent,
      scrollTo: EditorView.scrollIntoView(from, { y: "center" }),
      state: EditorState.create({
        doc: state.doc,
        selection: { anchor: from },
        extensions: [
          EditorState.readOnly.of(true),
          EditorState.tabSize.of(4),
          EditorView.contentAttributes.of({ "aria-label": file.path, "aria-readonly": "true", tabindex: "0" }),
          lineNumbers(),
          highlightSpecialChars(),
          drawSelection(),
          highlighter(file.highlights, HIGHLIGHT_CLASSES),
          EditorView.decorations.of(Decoration.set([Decoration.line({ class: "cm-chosen" }).range(from)])),
          look,
        ],
      }),
    });
  }

  destroy(): void {
    this.#view.destroy();
  }
}
