//! Sticky scope: the first lines of the definitions around the top of the view stay in sight above the code.

import type { Extension } from "@codemirror/state";
import { EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { HIGHLIGHT_CLASSES } from "portolan";
import type { OpenFile } from "../state/file.ts";
import { className, coloured } from "../state/columns.ts";
import { type Scope, stickyScopes } from "./scopes.ts";

const mostScopes = 5;
const classes = HIGHLIGHT_CLASSES.map(className);

/** Scopes and the place of their lines, in pixels of the editor. */
interface Drawing {
  readonly scopes: readonly Scope[];
  readonly from: number;
  readonly margin: number;
  readonly left: number;
  readonly right: number;
}

class Sticky implements PluginValue {
  readonly #box = document.createElement("div");
  readonly #scroll = () =>
    this.view.requestMeasure({ key: this, read: () => this.#read(), write: (found) => this.#write(found) });
  #shown = "";

  constructor(
    private readonly view: EditorView,
    private readonly file: OpenFile,
  ) {
    this.#box.className = "cm-sticky";
    // The breadcrumb says the same to readers who do not see it, and is reached by keyboard.
    this.#box.setAttribute("aria-hidden", "true");
    this.#box.addEventListener("mousedown", (event) => this.#click(event));
    view.dom.append(this.#box);
    view.scrollDOM.addEventListener("scroll", this.#scroll, { passive: true });
    this.#scroll();
  }

  update(update: ViewUpdate): void {
    if (update.geometryChanged || update.viewportChanged) this.#scroll();
  }

  destroy(): void {
    this.view.scrollDOM.removeEventListener("scroll", this.#scroll);
    this.#box.remove();
  }

  #read(): Drawing {
    const view = this.view;
    const height = view.defaultLineHeight;
    const top = view.scrollDOM.scrollTop - view.documentPadding.top;
    const lineAt = (rows: number) => {
      const at = top + rows * height + 1;
      return at < 0
        ? 0
        : view.state.doc.lineAt(Math.min(view.lineBlockAtHeight(at).from, view.state.doc.length)).number;
    };
    return {
      scopes: top <= 0 ? [] : stickyScopes(this.file.outline, lineAt, mostScopes),
      from: view.scrollDOM.offsetTop,
      margin: view.contentDOM.offsetLeft,
      left: view.scrollDOM.scrollLeft,
      right: view.scrollDOM.offsetWidth - view.scrollDOM.clientWidth,
    };
  }

  #write({ scopes, from, margin, left, right }: Drawing): void {
    const key = `${from} ${margin} ${left} ${right} ${scopes.map(({ line }) => line).join(" ")}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#box.style.top = `${from}px`;
    this.#box.style.right = `${right}px`;
    this.#box.hidden = scopes.length === 0;
    this.#box.replaceChildren(...scopes.map((scope) => this.#row(scope, margin, left)));
  }

  #row({ line }: Scope, margin: number, left: number): HTMLElement {
    const row = document.createElement("div");
    row.className = "cm-sticky-row";
    row.dataset.line = String(line);
    const number = document.createElement("span");
    number.className = "cm-sticky-number";
    number.style.width = `${margin}px`;
    number.textContent = String(line);
    const code = document.createElement("span");
    code.className = "cm-sticky-code";
    const inner = document.createElement("span");
    inner.style.marginLeft = `${-left}px`;
    const { from, to } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    const end = Math.min(to, from + 400);
    for (const { text, colour } of coloured(this.file.text.slice(from, end), from, this.file.highlights)) {
      const piece = document.createElement("span");
      piece.className = classes[colour] ?? "";
      piece.textContent = text;
      inner.append(piece);
    }
    code.append(inner);
    row.append(number, code);
    return row;
  }

  #click(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(".cm-sticky-row") : null;
    const line = Number(row?.dataset.line);
    if (!line || event.button !== 0) return;
    event.preventDefault();
    const { from } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "start" }) });
    this.view.focus();
  }
}

/** Keeps the enclosing definitions in sight. */
export function stickyScope(file: OpenFile): Extension {
  return ViewPlugin.define((view) => new Sticky(view, file));
}
