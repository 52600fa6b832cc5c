//! Folding of blocks by their indent, with the keys and the margin of CodeMirror's own folding.

import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { type Extension, Facet } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Structure } from "./structure.ts";

/** The structure of the text shown. */
export const structureFacet = Facet.define<Structure, Structure | null>({ combine: ([first]) => first ?? null });

const byIndent = foldService.of((state, from) => {
  const structure = state.facet(structureFacet);
  const line = state.doc.lineAt(from);
  const end = structure?.ends[line.number - 1] ?? 0;
  return end < line.number ? null : { from: line.to, to: state.doc.line(Math.min(end + 1, state.doc.lines)).to };
});

/** Blocks fold at the margin, by Ctrl Shift [ and ] and by Ctrl Alt [ and ] for all of them. */
export function folding(): Extension {
  return [
    byIndent,
    codeFolding({
      placeholderDOM(_view, onclick) {
        const dots = document.createElement("button");
        dots.type = "button";
        dots.className = "cm-folded";
        dots.textContent = "⋯";
        dots.title = "Unfold";
        dots.setAttribute("aria-label", "Unfold the hidden lines");
        dots.onclick = onclick;
        return dots;
      },
    }),
    foldGutter({
      markerDOM(open) {
        const mark = document.createElement("span");
        mark.className = open ? "cm-fold cm-fold-open" : "cm-fold";
        mark.textContent = "›";
        mark.title = open ? "Fold these lines" : "Unfold these lines";
        return mark;
      },
    }),
    keymap.of(foldKeymap),
  ];
}
