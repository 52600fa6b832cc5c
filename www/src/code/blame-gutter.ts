//! The margin that says who changed each line: words at the first line of each run, a shade of age at every line.

import { Compartment, type Extension } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";
import { age, shortAge } from "../state/format.ts";
import type { Blame } from "./blame.ts";

class Cell extends GutterMarker {
  constructor(
    private readonly words: string,
    private readonly title: string,
    readonly css: string,
  ) {
    super();
  }

  override eq(other: Cell): boolean {
    return other.words === this.words && other.title === this.title && other.css === this.css;
  }

  override toDOM(): Node {
    const cell = document.createElement("span");
    cell.className = this.css;
    cell.title = this.title;
    cell.textContent = this.words;
    return cell;
  }
}

function cellAt({ commits, lines, steps }: Blame, line: number, chosen: string, now: number): Cell | null {
  const at = lines[line - 1];
  if (at === undefined) return null;
  const isFirst = line === 1 || lines[line - 2] !== at;
  const commit = commits[at];
  if (!commit)
    return new Cell(isFirst ? "not committed" : "", "This line is not in the newest commit", "cm-blame-cell");
  const { id, subject, author, authored } = commit;
  const when = age(authored * 1000, now);
  const css = `cm-blame-cell cm-blame-${steps[at] ?? 0}${id === chosen ? " cm-blame-chosen" : ""}`;
  return new Cell(
    isFirst ? `${shortAge(authored * 1000, now)} · ${author}` : "",
    `${subject}\n${author}, ${when}, ${id.slice(0, 8)}`,
    css,
  );
}

/** Shows and hides the margin of one editor. */
export class BlameGutter {
  readonly #place = new Compartment();
  #shown: Extension = [];

  /** The extension for a new state, with what is shown now. */
  extension(): Extension {
    return this.#place.of(this.#shown);
  }

  /** Shows the commits of the lines; null hides them. `onCommit` hears which one was clicked. */
  show(view: EditorView, blame: Blame | null, chosen: string, onCommit: (id: string) => void): void {
    const now = Date.now();
    this.#shown = !blame
      ? []
      : gutter({
          class: "cm-blame",
          lineMarker: (editor, block) => cellAt(blame, editor.state.doc.lineAt(block.from).number, chosen, now),
          domEventHandlers: {
            mousedown(editor, block) {
              const at = blame.lines[editor.state.doc.lineAt(block.from).number - 1] ?? -1;
              const commit = blame.commits[at];
              if (commit) onCommit(commit.id);
              return true;
            },
          },
        });
    view.dispatch({ effects: this.#place.reconfigure(this.#shown) });
  }

  /** Another file is about to be shown. */
  forget(): void {
    this.#shown = [];
  }
}
