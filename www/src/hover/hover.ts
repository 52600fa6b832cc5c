//! Cards in the code view: under the pointer after a moment, and at the cursor when they are asked for.

import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { closeHoverTooltips, type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { h, render } from "preact";
import { Card, type CardAction } from "./Card.tsx";
import type { Facts } from "./facts.ts";

/** The content of a card, and the range of its name. */
export interface CardSource {
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
  act(action: CardAction): void;
}

/** Collects a card for an offset; null where there is no name. */
export type CardOf = (offset: number) => Promise<CardSource | null>;

const pin = StateEffect.define<{ source: CardSource; focus: boolean } | null>();
const waitMillis = 350;

const pinned = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(pin)) return effect.value ? tooltip(effect.value.source, effect.value.focus) : null;
    return transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

function tooltip(source: CardSource, focus: boolean): Tooltip {
  return {
    pos: source.from,
    end: source.to,
    above: true,
    create(view) {
      const dom = document.createElement("div");
      dom.className = "card-tip";
      const onAction = (action: CardAction) => {
        view.dispatch({ effects: pin.of(null) });
        source.act(action);
      };
      render(h(Card, { facts: source.facts, onAction }), dom);
      dom.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        view.dispatch({ effects: pin.of(null) });
        view.focus();
      });
      return {
        dom,
        mount: () => void (focus && dom.querySelector("button")?.focus()),
        destroy: () => render(null, dom),
      };
    },
  };
}

/** Shows a card at its name until the cursor moves or Escape is pressed. */
export function pinCard(view: EditorView, source: CardSource, focus: boolean): void {
  // The pointer is still on the name: the card that it called would be a second one of the same.
  view.dispatch({ effects: [closeHoverTooltips, pin.of({ source, focus })] });
}

/** Cards for the names of a text. */
export function hoverCards(cardOf: CardOf): Extension {
  return [
    pinned,
    hoverTooltip(
      async (view, offset) => {
        const source = await cardOf(offset);
        if (!source || view.state.field(pinned)?.pos === source.from) return null;
        return tooltip(source, false);
      },
      { hoverTime: waitMillis, hideOnChange: true },
    ),
    keymap.of([
      {
        key: "Escape",
        run(view) {
          if (!view.state.field(pinned)) return false;
          view.dispatch({ effects: pin.of(null) });
          return true;
        },
      },
    ]),
  ];
}
