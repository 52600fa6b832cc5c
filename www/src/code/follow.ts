//! Shows, follows, peeks at or explains a name of the code. No name is a dead end: one without a known definition is told apart as
//! local, imported from outside, or a word of the text.

import { HIGHLIGHT_CLASSES, type Target } from "portolan";
import { factsOf } from "../hover/facts.ts";
import type { CardAction } from "../hover/Card.tsx";
import type { CardSource } from "../hover/hover.ts";
import { countLines, type Meaning, meaningAt, type Place } from "../hover/meaning.ts";
import { peekOf } from "../peek/items.ts";
import { leftTab } from "../state/commands.ts";
import { fileAt, type OpenFile } from "../state/file.ts";
import { link, navigate, openBeside } from "../state/navigation.ts";
import { hint, report } from "../state/notices.ts";
import { hasRoom } from "../state/panes.ts";
import { repository } from "../state/repository.ts";
import { candidates, goTo, selectorOf, tab } from "../state/symbol.ts";
import type { CodeEditor } from "./editor.ts";

/** `show` is a plain click, `card` the same as pointing at the name; `beside` goes there in the other pane. */
export type Follow = "show" | "go" | "beside" | "references" | "peek" | "peek-references" | "card";

/** The meaning of the name at an offset; null where there is none. */
export async function nameAt(file: OpenFile, offset: number): Promise<Meaning | null> {
  const open = repository.peek();
  // The index knows nothing of a file that it left out.
  if (!open || file.leftOut !== undefined) return null;
  try {
    return await meaningAt(open.index, file, offset, HIGHLIGHT_CLASSES);
  } catch (error) {
    report("resolve this name", error, "warning");
    return null;
  }
}

/** The range of the name at an offset that can be followed. */
export async function followable(file: OpenFile, offset: number): Promise<Place | null> {
  const meaning = await nameAt(file, offset);
  return meaning && meaning.kind !== "text" ? meaning.origin : null;
}

/** The card of the name at an offset. */
export async function cardOf(editor: CodeEditor, file: OpenFile, offset: number): Promise<CardSource | null> {
  const meaning = await nameAt(file, offset);
  return meaning && cardFor(editor, file, meaning);
}

async function cardFor(editor: CodeEditor, file: OpenFile, meaning: Meaning): Promise<CardSource | null> {
  const open = repository.peek();
  if (!open) return null;
  const facts = await factsOf(open.index, file, meaning, fileAt);
  const { from, to } = meaning.origin;
  return { from, to, facts, act: (action) => void does(editor, file, meaning, followOf(action, meaning)) };
}

function followOf(action: CardAction, meaning: Meaning): Follow {
  if (action !== "references") return action;
  return meaning.kind === "definitions" ? "references" : "peek-references";
}

/** Does something with the name at an offset. */
export async function follow(editor: CodeEditor, file: OpenFile, offset: number, action: Follow): Promise<void> {
  const meaning = await nameAt(file, offset);
  if (meaning) return does(editor, file, meaning, action);
  if (action !== "show") hint("There is no name here");
}

async function does(editor: CodeEditor, file: OpenFile, meaning: Meaning, action: Follow): Promise<void> {
  const open = repository.peek();
  if (!open) return;
  try {
    if (action === "peek" || action === "peek-references") {
      const what = action === "peek" ? "definitions" : "references";
      editor.peek(meaning.origin.from, await peekOf(open.index, file, meaning, what));
    } else if (action === "card" || (action === "show" && meaning.kind !== "definitions")) {
      const card = await cardFor(editor, file, meaning);
      if (card) editor.card(card, action === "card");
    } else if (meaning.kind === "definitions") {
      toDefinition(file, meaning.origin, meaning.targets, action);
    } else if (action === "references") {
      editor.peek(meaning.origin.from, await peekOf(open.index, file, meaning, "references"));
    } else {
      await toLocal(editor, file, meaning);
    }
  } catch (error) {
    report(`follow ${meaning.name}`, error, "warning");
  }
}

function toDefinition(file: OpenFile, origin: Place, targets: readonly Target[], action: Follow): void {
  const best = targets[0] as Target;
  candidates.value = targets;
  if (action === "go" || action === "beside") {
    leaveTrace(file, origin);
    if (action === "go" || !hasRoom()) goTo(best.symbol);
    else
      openBeside(
        { path: best.symbol.path, lines: { from: best.symbol.line, to: best.symbol.line } },
        selectorOf(best.symbol),
      );
    if (targets.length > 1) hint(`The likeliest of ${targets.length} definitions; the panel lists the others`);
  } else {
    if (action === "references") tab.value = "references";
    navigate({ symbol: selectorOf(best.symbol) });
  }
  if (leftTab.peek() === "results" && link.peek().query === "") leftTab.value = "outline";
}

async function toLocal(editor: CodeEditor, file: OpenFile, meaning: Meaning): Promise<void> {
  const isHere = meaning.kind === "local" && meaning.bound.from === meaning.origin.from;
  if (meaning.kind !== "local" || isHere) {
    const card = await cardFor(editor, file, meaning);
    if (card) editor.card(card, false);
    hint(isHere ? "This is where it is bound" : "No definition in this repository");
    return;
  }
  leaveTrace(file, meaning.origin);
  const line = countLines(file.text, meaning.bound.from) + 1;
  navigate({ lines: { from: line, to: line } });
  if (meaning.what === "import" && meaning.module !== "") hint(`Imported from ${meaning.module}`);
}

// Back should return to the use, so its line is written into the step that is left.
function leaveTrace(file: OpenFile, origin: Place): void {
  if (link.peek().lines || link.peek().path !== file.path) return;
  const line = countLines(file.text, origin.from) + 1;
  navigate({ lines: { from: line, to: line } }, "replace");
}
