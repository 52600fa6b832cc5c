//! Marks in the code the words by which an opened result was found.

import { type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Passage } from "../state/search.ts";

/** The part of a result that says where its marks are. */
export type Found = Pick<Passage, "text" | "textLine" | "marks">;

const setFound = StateEffect.define<Found | null>();
const mark = Decoration.mark({ class: "cm-found" });

/** Offsets in the document of the marks of a passage, in order. Marks outside of the document's lines are left out. */
export function placesOf(
  { text, textLine, marks }: Found,
  doc: Pick<Text, "lines" | "line">,
): { from: number; to: number }[] {
  const places: { from: number; to: number }[] = [];
  let offset = 0;
  text.split("\n").forEach((line, at) => {
    const number = textLine + at;
    if (number >= 1 && number <= doc.lines) {
      const { from, length } = doc.line(number);
      for (const [start, end] of marks) {
        const first = Math.max(start, offset) - offset;
        const last = Math.min(end, offset + line.length) - offset;
        if (first < last && last <= length) places.push({ from: from + first, to: from + last });
      }
    }
    offset += line.length + 1;
  });
  return places.sort((a, b) => a.from - b.from || a.to - b.to);
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setFound))
        return effect.value
          ? Decoration.set(placesOf(effect.value, transaction.state.doc).map(({ from, to }) => mark.range(from, to)))
          : Decoration.none;
    return value;
  },
  provide: (shown) => EditorView.decorations.from(shown),
});

/** The extension that shows the marks. */
export const foundMarks: Extension = [
  field,
  EditorView.theme({
    ".cm-found": { backgroundColor: "var(--mark)", borderRadius: "2px" },
    ".cm-found, .cm-found *": { color: "var(--code-ink)" },
  }),
];

/** Marks the words of a result, or none. */
export function markFound(view: EditorView, found: Found | null): void {
  view.dispatch({ effects: setFound.of(found) });
}
