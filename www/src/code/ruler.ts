//! The overview ruler: where in the whole file definitions, uses, search results and the word at the cursor are.

import { getSearchQuery, searchPanelOpen } from "@codemirror/search";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { type Marks, placesOfWord, type Row, rowsOf } from "./marks.ts";

const setMarks = StateEffect.define<Marks>();
const marksField = StateField.define<Marks>({
  create: () => ({}),
  update: (value, { effects }) => effects.find((effect) => effect.is(setMarks))?.value ?? value,
});

const mostPlaces = 1000;
const rowHeight = 3;

/** Rows and the place of the ruler, in pixels of the editor. */
interface Drawing {
  readonly rows: readonly Row[];
  readonly top: number;
  readonly height: number;
  readonly right: number;
}

class Ruler implements PluginValue {
  readonly #box = document.createElement("div");
  // A panel above the code makes it lower without another word to the editor.
  readonly #watcher = new ResizeObserver(() => this.#queue());
  #queued = 0;

  constructor(private readonly view: EditorView) {
    this.#box.className = "cm-ruler";
    // Everything in it is in a list elsewhere: the outline, the panel of the symbol, the results.
    this.#box.setAttribute("aria-hidden", "true");
    this.#box.addEventListener("mousedown", (event) => this.#click(event));
    view.dom.append(this.#box);
    this.#watcher.observe(view.scrollDOM);
    this.#queue();
  }

  update(update: ViewUpdate): void {
    const hasNews = update.transactions.some(({ effects }) => effects.length > 0);
    if (update.selectionSet || update.geometryChanged || hasNews) this.#queue();
  }

  destroy(): void {
    clearTimeout(this.#queued);
    this.#watcher.disconnect();
    this.#box.remove();
  }

  // A moving cursor asks for one drawing when it rests.
  #queue(): void {
    clearTimeout(this.#queued);
    this.#queued = window.setTimeout(
      () => this.view.requestMeasure({ key: this, read: () => this.#read(), write: (found) => this.#write(found) }),
      60,
    );
  }

  #read(): Drawing {
    const { view } = this;
    const { scrollDOM } = view;
    const total = Math.max(1, view.contentHeight);
    const height = scrollDOM.clientHeight;
    const { doc } = view.state;
    const share = (line: number) => view.lineBlockAt(doc.line(Math.min(line, doc.lines)).from).top / total;
    const marks: Marks = { ...view.state.field(marksField), word: this.#word(), find: this.#found() };
    return {
      rows: rowsOf(marks, height, rowHeight, share),
      top: scrollDOM.offsetTop,
      height,
      right: scrollDOM.offsetWidth - scrollDOM.clientWidth,
    };
  }

  #word(): number[] {
    const { state } = this.view;
    const range = state.selection.main.empty ? state.wordAt(state.selection.main.head) : state.selection.main;
    const word = range ? state.sliceDoc(range.from, Math.min(range.to, range.from + 200)) : "";
    if (word.trim().length < 2 || word.includes("\n")) return [];
    return placesOfWord(state.doc.toString(), word, mostPlaces).map((at) => state.doc.lineAt(at).number);
  }

  #found(): number[] {
    const { state } = this.view;
    const query = getSearchQuery(state);
    if (!searchPanelOpen(state) || !query.valid) return [];
    const lines: number[] = [];
    const cursor = query.getCursor(state);
    for (let next = cursor.next(); !next.done && lines.length < mostPlaces; next = cursor.next())
      lines.push(state.doc.lineAt(next.value.from).number);
    return lines;
  }

  #write({ rows, top, height, right }: Drawing): void {
    this.#box.style.top = `${top}px`;
    this.#box.style.height = `${height}px`;
    this.#box.style.right = `${right}px`;
    this.#box.replaceChildren(
      ...rows.map(({ top: at, kind, line }) => {
        const row = document.createElement("span");
        row.className = `cm-ruler-${kind}`;
        row.style.top = `${at}px`;
        row.dataset.line = String(line);
        return row;
      }),
    );
  }

  #click(event: MouseEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    const { view } = this;
    const row = event.target instanceof HTMLElement ? event.target.dataset.line : undefined;
    const { top, height } = this.#box.getBoundingClientRect();
    const { doc } = view.state;
    const from =
      row === undefined
        ? view.lineBlockAtHeight(((event.clientY - top) / height) * view.contentHeight).from
        : doc.line(Math.min(Number(row), doc.lines)).from;
    view.dispatch({ effects: EditorView.scrollIntoView(Math.min(from, doc.length), { y: "center" }) });
  }
}

/** The ruler beside the scroll bar. */
export function ruler(): Extension {
  return [marksField, ViewPlugin.fromClass(Ruler)];
}

/** Sets the marks that come from outside of the text. */
export function showMarks(view: EditorView, marks: Marks): void {
  view.dispatch({ effects: setMarks.of(marks) });
}
