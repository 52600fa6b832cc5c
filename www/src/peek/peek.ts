//! Peek: the code of a definition, or the list of uses, between the lines of the file that is read.

import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from "@codemirror/view";
import { h, render } from "preact";
import type { PeekList } from "./items.ts";
import { Peek } from "./Peek.tsx";

const setPeek = StateEffect.define<{ at: number; list: PeekList } | null>();

class PeekWidget extends WidgetType {
  constructor(readonly list: PeekList) {
    super();
  }

  override eq(other: PeekWidget): boolean {
    return other.list === this.list;
  }

  override get estimatedHeight(): number {
    return 280;
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "peek-place";
    render(h(Peek, { list: this.list, onClose: () => closePeek(view) }), dom);
    const first = dom.querySelector<HTMLElement>(".peek-item") ?? dom.querySelector<HTMLElement>("button");
    requestAnimationFrame(() => first?.focus());
    return dom;
  }

  override destroy(dom: HTMLElement): void {
    render(null, dom);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const peekField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setPeek)) continue;
      if (!effect.value) return Decoration.none;
      const { at, list } = effect.value;
      const line = transaction.state.doc.lineAt(Math.min(at, transaction.state.doc.length));
      const widget = Decoration.widget({ widget: new PeekWidget(list), block: true, side: 1 });
      return Decoration.set([widget.range(line.to)]);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Opens a peek below the line of an offset; one that is open closes. */
export function openPeek(view: EditorView, at: number, list: PeekList): void {
  view.dispatch({ effects: setPeek.of({ at, list }) });
}

/** Closes the peek and gives the focus back to the code; false where none is open. */
function closePeek(view: EditorView): boolean {
  if ((view.state.field(peekField, false)?.size ?? 0) === 0) return false;
  view.dispatch({ effects: setPeek.of(null) });
  view.focus();
  return true;
}

/** Makes room for peeks. */
export function peeks(): Extension {
  return [peekField, keymap.of([{ key: "Escape", run: closePeek }])];
}
