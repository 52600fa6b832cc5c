//! The code view itself: CodeMirror, read only, with our colours. Loaded when the first file is opened.

import { Compartment, EditorSelection, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { standardKeymap } from "@codemirror/commands";
import { HIGHLIGHT_CLASSES, type Range } from "portolan";
import type { Lines } from "../state/link.ts";
import type { OpenFile } from "../state/file.ts";
import { highlighter } from "./highlights.ts";

/** Actions of the reader in the code. Lines are 0-based here, characters are UTF-16 units. */
export interface Reading {
  /** A name was clicked (`show`) or followed (`go`: Ctrl or ⌘ and click, F12). */
  onName(place: Place, action: "show" | "go" | "references"): void;
  /** Lines were chosen in the margin, 1-based. */
  onLines(lines: Lines): void;
  /** The reader is at this line now, 1-based. */
  onLine(line: number): void;
  /** Returns the range of the name at the place, if it can be followed. */
  rangeOf(place: Place): Promise<Range | undefined>;
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

/** The state of a file that {@link CodeEditor.place} remembers. */
interface Remembered {
  readonly path: string;
  readonly head: number;
  readonly scroll: StateEffect<unknown>;
}

const setLines = StateEffect.define<Lines | null>();
const setLink = StateEffect.define<{ from: number; to: number } | null>();
const chosenLine = Decoration.line({ class: "cm-chosen" });
const followable = Decoration.mark({ class: "cm-followable" });

const chosenField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const { doc } = transaction.state;
      if (!effect.value) return Decoration.none;
      const marks = [];
      for (let line = Math.max(1, effect.value.from); line <= Math.min(effect.value.to, doc.lines); line += 1)
        marks.push(chosenLine.range(doc.line(line).from));
      return Decoration.set(marks);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const linkField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setLink))
        return effect.value ? Decoration.set([followable.range(effect.value.from, effect.value.to)]) : Decoration.none;
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--code-ground)", color: "var(--code-ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "6px 0 40vh", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 16px 0 10px" },
  ".cm-gutters": { backgroundColor: "var(--code-ground)", color: "var(--ink-3)", border: "none", paddingLeft: "8px" },
  ".cm-lineNumbers .cm-gutterElement": { cursor: "pointer", padding: "0 8px 0 6px", minWidth: "40px" },
  ".cm-lineNumbers .cm-gutterElement:hover": { color: "var(--ink)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  ".cm-line.cm-chosen": { backgroundColor: "var(--mark-line)", boxShadow: "inset 2px 0 0 var(--accent)" },
  ".cm-followable": { textDecoration: "underline", textUnderlineOffset: "3px", cursor: "pointer" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--code-match)", borderRadius: "2px" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)", borderRadius: "2px" },
  ".cm-searchMatch-selected": { outline: "1px solid var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 32px 6px 10px", font: "12.5px var(--sans)" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "5px",
    verticalAlign: "middle",
    fontSize: "12.5px",
  },
  ".cm-textfield, .cm-button": { font: "12.5px var(--sans)", height: "26px" },
  ".cm-textfield": {
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    background: "var(--field)",
    color: "var(--ink)",
    padding: "3px 6px",
  },
  ".cm-button": {
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    background: "var(--field)",
    backgroundImage: "none",
    color: "var(--ink)",
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink-2)", fontSize: "18px" },
});

/** A view of one file at a time. */
export class CodeEditor {
  readonly #view: EditorView;
  readonly #reading: Reading;
  readonly #wrap = new Compartment();
  #path = "";
  #text = "";
  #lines: Lines | null = null;
  #wraps: boolean;
  #hovered = 0;

  constructor(parent: HTMLElement, reading: Reading, wraps: boolean) {
    this.#reading = reading;
    this.#wraps = wraps;
    this.#view = new EditorView({ parent });
    this.#view.scrollDOM.addEventListener("scroll", () => this.#tellLine("scroll"), { passive: true });
  }

  /** Shows a file: at `lines` if there are any, else where it was left, else at its top. One that has changed stays where it is. */
  show(file: OpenFile, lines: Lines | null, remembered: unknown): void {
    const another = file.path !== this.#path;
    const changed = !another && file.text !== this.#text;
    const here = changed ? this.place() : null;
    if (another || changed) {
      this.#path = file.path;
      this.#text = file.text;
      this.#lines = null;
      this.#view.setState(EditorState.create({ doc: file.text, extensions: this.#extensions(file) }));
    }
    this.#choose(lines);
    const left = (here ?? remembered) as Remembered | null;
    if (left?.path === file.path)
      this.#view.dispatch({
        selection: { anchor: Math.min(left.head, this.#view.state.doc.length) },
        effects: left.scroll,
      });
    else if (lines) this.#reveal(lines);
    else if (another) this.#view.dispatch({ effects: EditorView.scrollIntoView(0, { y: "start" }) });
    this.#tellLine(lines || left ? "cursor" : "scroll");
  }

  /** Returns the state that {@link show} needs to restore this place. */
  place(): unknown {
    return this.#path === ""
      ? null
      : ({
          path: this.#path,
          head: this.#view.state.selection.main.head,
          scroll: this.#view.scrollSnapshot(),
        } satisfies Remembered);
  }

  setWrap(wraps: boolean): void {
    this.#wraps = wraps;
    this.#view.dispatch({ effects: this.#wrap.reconfigure(wraps ? EditorView.lineWrapping : []) });
  }

  /** Does something with the name at the cursor. */
  atCursor(action: "go" | "references"): void {
    this.#reading.onName(this.#atCursor(), action);
  }

  #showName(): true {
    this.#reading.onName(this.#atCursor(), "show");
    return true;
  }

  find(): void {
    openSearchPanel(this.#view);
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  #extensions(file: OpenFile): Extension {
    return [
      EditorState.readOnly.of(true),
      EditorState.tabSize.of(4),
      EditorView.contentAttributes.of({
        "aria-label": file.path,
        "aria-readonly": "true",
        tabindex: "0",
        inputmode: "none",
        spellcheck: "false",
      }),
      lineNumbers({
        domEventHandlers: {
          mousedown: (view, block, event) =>
            this.#clickMargin(view.state.doc.lineAt(block.from).number, event as MouseEvent),
        },
      }),
      highlightSpecialChars(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      drawSelection(),
      highlightSelectionMatches({ highlightWordAroundCursor: true, wholeWords: true, minSelectionLength: 2 }),
      highlighter(file.highlights, HIGHLIGHT_CLASSES),
      search({ top: true }),
      EditorState.phrases.of({
        next: "Next",
        previous: "Previous",
        all: "All",
        "match case": "Match case",
        regexp: "Regex",
        "by word": "Whole words",
        Find: "Find in this file",
      }),
      chosenField,
      linkField,
      look,
      this.#wrap.of(this.#wraps ? EditorView.lineWrapping : []),
      keymap.of([{ key: "Enter", run: () => this.#showName() }, ...searchKeymap, ...standardKeymap]),
      EditorView.domEventHandlers({
        click: (event) => this.#click(event),
        mousemove: (event) => void this.#hover(event),
        mouseleave: () => this.#unhover(),
        keyup: (event) => void (event.key === "Control" || event.key === "Meta" ? this.#unhover() : undefined),
      }),
      EditorView.updateListener.of((update) => void (update.selectionSet && this.#tellLine("cursor"))),
    ];
  }

  #choose(lines: Lines | null): void {
    this.#lines = lines;
    this.#view.dispatch({ effects: setLines.of(lines) });
  }

  #reveal({ from, to }: Lines): void {
    const { doc } = this.#view.state;
    const first = doc.line(Math.min(from, doc.lines));
    const last = doc.line(Math.min(to, doc.lines));
    const long = last.number - first.number > 30;
    // The head of the range decides how far the view moves sideways: the start of the first line keeps it at the margin.
    const range = long ? EditorSelection.cursor(first.from) : EditorSelection.range(last.to, first.from);
    this.#view.dispatch({
      selection: { anchor: first.from + (/^\s*/.exec(first.text)?.[0].length ?? 0) },
      effects: EditorView.scrollIntoView(range, { y: long ? "start" : "center", yMargin: 60 }),
    });
  }

  #clickMargin(line: number, event: MouseEvent): boolean {
    const start = event.shiftKey && this.#lines ? this.#lines.from : line;
    this.#reading.onLines({ from: Math.min(start, line), to: Math.max(start, line) });
    return true;
  }

  #click(event: MouseEvent): boolean {
    if (event.button !== 0) return false;
    const at = this.#nameAt(event);
    if (at === null) return false;
    const { state } = this.#view;
    const { main } = state.selection;
    const goes = event.ctrlKey || event.metaKey;
    // Soon after another click, this one selects the word, too.
    const isWord = state.wordAt(at)?.eq(main) === true;
    if (!main.empty && !(goes && isWord)) return false;
    this.#reading.onName(this.#placeAt(at), goes ? "go" : "show");
    return false;
  }

  async #hover(event: MouseEvent): Promise<void> {
    if (!event.ctrlKey && !event.metaKey) return this.#unhover();
    const at = this.#nameAt(event);
    this.#hovered += 1;
    const turn = this.#hovered;
    if (at === null) return this.#unhover();
    const range = await this.#reading.rangeOf(this.#placeAt(at));
    if (turn !== this.#hovered) return;
    if (!range) return this.#unhover();
    this.#view.dispatch({ effects: setLink.of({ from: this.#offset(range.start), to: this.#offset(range.end) }) });
  }

  #unhover(): void {
    this.#hovered += 1;
    if (this.#view.state.field(linkField, false)?.size) this.#view.dispatch({ effects: setLink.of(null) });
  }

  // A cursor behind the last letter of a name is still on the name.
  #atCursor(): Place {
    const { head } = this.#view.state.selection.main;
    return this.#placeAt(this.#view.state.wordAt(head)?.from ?? head);
  }

  // The offset under the pointer if there is a name there.
  #nameAt(event: MouseEvent): number | null {
    const at = this.#view.posAtCoords({ x: event.clientX, y: event.clientY });
    return at !== null && this.#view.state.wordAt(at) ? at : null;
  }

  #placeAt(offset: number): Place {
    const line = this.#view.state.doc.lineAt(offset);
    return { line: line.number - 1, character: offset - line.from };
  }

  #offset({ line, character }: Place): number {
    const found = this.#view.state.doc.line(Math.min(line + 1, this.#view.state.doc.lines));
    return Math.min(found.from + character, found.to);
  }

  #tellLine(by: "cursor" | "scroll"): void {
    const view = this.#view;
    const { head } = view.state.selection.main;
    const top = Math.max(0, view.scrollDOM.scrollTop - view.documentPadding.top + 4);
    // A cursor that is in sight is where the reader is; at the very start of a file it may only never have been moved.
    const { top: at } = view.lineBlockAt(head);
    const inSight = head > 0 && at >= top - 4 && at < top + view.scrollDOM.clientHeight;
    const offset = by === "cursor" || inSight ? head : view.lineBlockAtHeight(top).from;
    this.#reading.onLine(view.state.doc.lineAt(Math.min(offset, view.state.doc.length)).number);
  }
}
