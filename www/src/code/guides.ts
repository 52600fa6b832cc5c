//! Indent guides: a line for each step of indent, drawn by the browser as the background of the lines in sight.

import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { structureFacet } from "./folding.ts";

const mostGuides = 16;
const marks = Array.from({ length: mostGuides + 1 }, (_, n) => Decoration.line({ class: `cm-guides cm-guides-${n}` }));
/** The padding before the text of a line, which `editor/look.ts` sets. */
const startOfText = 10;

// Classes instead of style attributes: the page's policy admits no inline style.
const look = EditorView.baseTheme({
  ".cm-guides": { backgroundRepeat: "no-repeat", backgroundPosition: `${startOfText}px 0` },
  ...Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8].flatMap((unit) => [
      [
        `.cm-unit-${unit} .cm-guides`,
        {
          backgroundImage: `repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px ${unit}ch)`,
        },
      ],
      ...marks.map((_, n) => [
        `.cm-unit-${unit} .cm-guides-${n}`,
        // One pixel less than a whole number of steps, so that no guide touches the first letter.
        { backgroundSize: `calc(${n * unit}ch - 1px) 100%` },
      ]),
    ]),
  ),
});

function draw(view: EditorView): DecorationSet {
  const structure = view.state.facet(structureFacet);
  const builder = new RangeSetBuilder<Decoration>();
  if (!structure) return builder.finish();
  for (const { from, to } of view.visibleRanges) {
    const last = view.state.doc.lineAt(to).number;
    for (let number = view.state.doc.lineAt(from).number; number <= last; number += 1) {
      const steps = Math.floor(((structure.indents[number - 1] ?? 0) + structure.unit - 1) / structure.unit);
      const mark = marks[Math.min(steps, mostGuides)];
      const start = view.state.doc.line(number).from;
      if (mark && steps > 0) builder.add(start, start, mark);
    }
  }
  return builder.finish();
}

/** Draws the guides for a unit of indent. */
export function guides(unit: number): Extension {
  return [
    look,
    EditorView.contentAttributes.of({ class: `cm-unit-${Math.min(8, Math.max(2, unit))}` }),
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
          this.decorations = draw(view);
        }
        update(update: ViewUpdate) {
          if (update.viewportChanged || update.docChanged) this.decorations = draw(update.view);
        }
      },
      { decorations: (plugin) => plugin.decorations },
    ),
  ];
}
