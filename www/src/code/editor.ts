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
  tooltips,
} from "@codemirror/view";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { standardKeymap } from "@codemirror/commands";
import { HIGHLIGHT_CLASSES } from "portolan";
import { type CardSource, hoverCards, pinCard } from "../hover/hover.ts";
import type { PeekList } from "../peek/items.ts";
import { openPeek, peeks } from "../peek/peek.ts";
import type { Lines } from "../state/link.ts";
import type { OpenFile } from "../state/file.ts";
import type { Blame } from "./blame.ts";
import { BlameGutter } from "./blame-gutter.ts";
import { folding, structureFacet } from "./folding.ts";
import { cardOf, type Follow, follow, followable } from "./follow.ts";
import { type Found, foundMarks, markFound } from "./found.ts";
import { guides } from "./guides.ts";
import { highlighter } from "../editor/highlights.ts";
import { look } from "../editor/look.ts";
import type { Marks } from "./marks.ts";
import { ruler, showMarks } from "./ruler.ts";
import { stickyScope } from "./sticky.ts";
import { structureOf } from "./structure.ts";

/** Where the reader is in the code. */
export interface Reading {
  /** Lines were chosen in the margin, 1-based. */
  onLines(lines: Lines): void;
  /** The reader is at this line now, 1-based. */
  onLine(line: number): void;
}

/** The state of a file that {@link CodeEditor.place} remembers. */
interface Remembered {
  readonly path: string;
  readonly head: number;
  readonly scroll: StateEffect<unknown>;
}

const tabSize = 4;
/** With a margin that is more than the room above the first line, or that room would be scrolled away. */
const toTop = EditorView.scrollIntoView(0, { y: "start", yMargin: 40 });
const setLines = StateEffect.define<Lines | null>();
const setLink = StateEffect.define<{ from: number; to: number } | null>();
const chosenLine = Decoration.line({ class: "cm-chosen" });
const underlined = Decoration.mark({ class: "cm-followable" });

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
        return effect.value ? Decoration.set([underlined.range(effect.value.from, effect.value.to)]) : Decoration.none;
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Parts that need the parse of a file, which comes after its text.
function partsOf(file: OpenFile): Extension {
  return [highlighter(file.highlights, HIGHLIGHT_CLASSES), stickyScope(file)];
}

let isWarm = false;

/** Makes a view and drops it, once: the editor is then compiled and its styles are there before a file waits for them. */
export function warmUp(): void {
  if (isWarm) return;
  const nobody: Reading = { onLines: () => {}, onLine: () => {} };
  const text = "function first() {\n  return 1;\n}\n".repeat(20);
  const file = { path: "", language: "", text, outline: [], highlights: Uint32Array.of(0, 8, 0) };
  new CodeEditor(document.createElement("div"), nobody, false, file).destroy();
}

/** A view of one file at a time. */
export class CodeEditor {
  readonly #view: EditorView;
  readonly #reading: Reading;
  readonly #wrap = new Compartment();
  readonly #colours = new Compartment();
  readonly #blame = new BlameGutter();
  #file: OpenFile;
  #lines: Lines | null = null;
  #wraps: boolean;
  #hovered = 0;
  #pressed: MouseEvent | null = null;

  /** Shows `file` at its top. */
  constructor(parent: HTMLElement, reading: Reading, wraps: boolean, file: OpenFile) {
    this.#reading = reading;
    this.#wraps = wraps;
    this.#file = file;
    isWarm = true;
    // With its text from the start: a view without one would be laid out for nothing.
    this.#view = new EditorView({ parent, state: this.#stateOf(file) });
    this.#view.scrollDOM.addEventListener("scroll", () => this.#tellLine("scroll"), { passive: true });
  }

  /** Shows a file: at `lines` if there are any, else where it was left, else at its top. One that has changed stays where it is. */
  show(file: OpenFile, lines: Lines | null, remembered: unknown): void {
    const another = file.path !== this.#file.path;
    const changed = !another && file.text !== this.#file.text;
    const here = changed ? this.place() : null;
    const richer = file !== this.#file;
    this.#file = file;
    if (another || changed) {
      this.#lines = null;
      this.#view.setState(this.#stateOf(file));
    } else if (richer) {
      // The text was there before its colours and its outline.
      this.#view.dispatch({ effects: this.#colours.reconfigure(partsOf(file)) });
      if (lines === this.#lines) return;
    }
    this.#choose(lines);
    const left = (here ?? remembered) as Remembered | null;
    if (left?.path === file.path)
      this.#view.dispatch({
        selection: { anchor: Math.min(left.head, this.#view.state.doc.length) },
        effects: left.scroll,
      });
    else if (lines) this.#reveal(lines);
    else if (another) this.#view.dispatch({ effects: toTop });
    this.#tellLine(lines || left ? "cursor" : "scroll");
  }

  /** The path of the file shown. */
  get path(): string {
    return this.#file.path;
  }

  /** Returns the state that {@link show} needs to restore this place. */
  place(): unknown {
    return {
      path: this.#file.path,
      head: this.#view.state.selection.main.head,
      scroll: this.#view.scrollSnapshot(),
    } satisfies Remembered;
  }

  /** Marks the words by which the place was found. */
  mark(found: Found | null): void {
    markFound(this.#view, found);
  }

  setWrap(wraps: boolean): void {
    this.#wraps = wraps;
    this.#view.dispatch({ effects: this.#wrap.reconfigure(wraps ? EditorView.lineWrapping : []) });
  }

  /** Sets the marks of the overview ruler. */
  setMarks(marks: Marks): void {
    showMarks(this.#view, marks);
  }

  /** Shows the commits of the lines in the margin; null shows none. */
  setBlame(blame: Blame | null, chosen: string, onCommit: (id: string) => void): void {
    this.#blame.show(this.#view, blame, chosen, onCommit);
  }

  /** Does something with the name at the cursor. */
  atCursor(action: Follow): true {
    const { head } = this.#view.state.selection.main;
    // A cursor behind the last letter of a name is still on the name.
    this.#follow(this.#view.state.wordAt(head)?.from ?? head, action);
    return true;
  }

  /** Shows a card at its name; `focus` where it was asked for by a key. */
  card(source: CardSource, focus: boolean): void {
    pinCard(this.#view, source, focus);
  }

  /** Shows a list of places and their code below the line of an offset. */
  peek(at: number, list: PeekList): void {
    openPeek(this.#view, at, list);
  }

  #follow(offset: number, action: Follow): void {
    void follow(this, this.#file, offset, action);
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

  #stateOf(file: OpenFile): EditorState {
    this.#blame.forget();
    return EditorState.create({ doc: file.text, extensions: this.#extensions(file) });
  }

  #extensions(file: OpenFile): Extension {
    const structure = structureOf(file.text, tabSize);
    return [
      EditorState.readOnly.of(true),
      EditorState.tabSize.of(tabSize),
      EditorView.contentAttributes.of({
        "aria-label": file.path,
        "aria-readonly": "true",
        tabindex: "0",
        inputmode: "none",
        spellcheck: "false",
      }),
      this.#blame.extension(),
      lineNumbers({
        domEventHandlers: {
          mousedown: (view, block, event) =>
            this.#clickMargin(view.state.doc.lineAt(block.from).number, event as MouseEvent),
        },
      }),
      structureFacet.of(structure),
      folding(),
      guides(structure.unit),
      ruler(),
      hoverCards((offset) => cardOf(this, this.#file, offset)),
      peeks(),
      // Cards are drawn over the panels beside the code, and below the messages of the page.
      tooltips({ parent: document.getElementById("cards") ?? document.body }),
      highlightSpecialChars(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      drawSelection(),
      highlightSelectionMatches({ highlightWordAroundCursor: true, wholeWords: true, minSelectionLength: 2 }),
      this.#colours.of(partsOf(file)),
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
      foundMarks,
      linkField,
      look,
      this.#wrap.of(this.#wraps ? EditorView.lineWrapping : []),
      keymap.of([{ key: "Enter", run: () => this.atCursor("show") }, ...searchKeymap, ...standardKeymap]),
      EditorView.domEventHandlers({
        mousedown: (event) => {
          this.#pressed = event;
        },
        mouseup: (event) => this.#release(event),
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

  // A browser reports no click where what was pressed is drawn anew before the button is up, as a name is when its underline comes.
  #release(event: MouseEvent): void {
    const from = this.#pressed;
    this.#pressed = null;
    if (event.button !== 0 || !from) return;
    const away = Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY);
    // The editor takes the selection in first.
    if (away < 4) setTimeout(() => this.#click(event));
  }

  #click(event: MouseEvent): void {
    const at = this.#nameAt(event);
    if (at === null) return;
    const { state } = this.#view;
    const { main } = state.selection;
    const goes = event.ctrlKey || event.metaKey;
    // Soon after another click, this one selects the word, too.
    const isWord = state.wordAt(at)?.eq(main) === true;
    if (!main.empty && !(goes && isWord)) return;
    this.#follow(at, goes ? (event.altKey ? "beside" : "go") : event.altKey ? "peek" : "show");
  }

  async #hover(event: MouseEvent): Promise<void> {
    if (!event.ctrlKey && !event.metaKey) return this.#unhover();
    const at = this.#nameAt(event);
    this.#hovered += 1;
    const turn = this.#hovered;
    if (at === null) return this.#unhover();
    const range = await followable(this.#file, at);
    if (turn !== this.#hovered) return;
    if (!range) return this.#unhover();
    this.#view.dispatch({ effects: setLink.of(range) });
  }

  #unhover(): void {
    this.#hovered += 1;
    if (this.#view.state.field(linkField, false)?.size) this.#view.dispatch({ effects: setLink.of(null) });
  }

  // The offset under the pointer if there is a name there.
  #nameAt(event: MouseEvent): number | null {
    const at = this.#view.posAtCoords({ x: event.clientX, y: event.clientY });
    return at !== null && this.#view.state.wordAt(at) ? at : null;
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
