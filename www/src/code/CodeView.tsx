//! The file shown: breadcrumb, code, and what happens when a name in it is clicked.

import { useEffect, useRef, useState } from "preact/hooks";
import { codeAction } from "../state/commands.ts";
import { currentLine, file, type OpenFile } from "../state/file.ts";
import type { Lines } from "../state/link.ts";
import { link, navigate, rememberBy, restored } from "../state/navigation.ts";
import { report } from "../state/notices.ts";
import { passagesOf, search } from "../state/search.ts";
import { settings } from "../state/settings.ts";
import { symbol } from "../state/symbol.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import type { CodeEditor, Reading } from "./editor.ts";
import type { Marks } from "./marks.ts";
import "./code.css";

/** Loads the editor, which is not part of the page's first load. */
export const loadEditor = () => import("./editor.ts");

/** The result that begins at these lines, if the reader came from one. */
function foundAt(path: string, lines: Lines | null) {
  return passagesOf(search.peek()).find((one) => one.path === path && one.startLine === lines?.from) ?? null;
}

export function CodeView() {
  const state = file.value;
  return (
    <section class="code" aria-label="Code">
      {state.state === "ready" && <Breadcrumb file={state.file} />}
      {state.state === "loading" && <p class="empty">Opening {state.path}…</p>}
      {state.state === "failed" && (
        <div class="empty" role="alert">
          <strong>{state.path} cannot be shown</strong>
          <p>{state.message}</p>
          {state.help !== "" && <p>{state.help}</p>}
          <p class="empty-actions">
            <button type="button" class="button" onClick={() => navigate({ path: "", lines: null })}>
              Back to the overview
            </button>
          </p>
        </div>
      )}
      {state.state === "ready" && <Code file={state.file} />}
    </section>
  );
}

function Code({ file: shown }: { file: OpenFile }) {
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const latest = useRef(shown);
  latest.current = shown;
  const { lines } = link.value;
  const action = codeAction.value;
  const wraps = settings.value.wrapLines;

  useEffect(() => {
    let gone = false;
    let made: CodeEditor | null = null;
    loadEditor().then(
      ({ CodeEditor: Editor }) => {
        if (gone || !box.current) return;
        made = new Editor(box.current, reading, settings.peek().wrapLines, latest.current);
        rememberBy(() => made?.place() ?? null);
        setEditor(made);
      },
      (error: unknown) => report("load the code view", error),
    );
    return () => {
      gone = true;
      rememberBy(() => null);
      made?.destroy();
    };
  }, []);

  useEffect(() => {
    editor?.show(shown, lines, restored.peek());
    editor?.mark(foundAt(shown.path, lines));
  }, [editor, shown, lines]);

  useEffect(() => {
    editor?.setWrap(wraps);
  }, [editor, wraps]);

  const done = useRef(action?.turn ?? 0);
  useEffect(() => {
    if (!editor || !action || action.turn === done.current) return;
    done.current = action.turn;
    if (action.action === "find") editor.find();
    else editor.atCursor(action.action === "definition" ? "go" : action.action);
  }, [editor, action]);

  const found = search.value;
  const card = symbol.value;
  useEffect(() => {
    editor?.setMarks({
      definition: shown.outline.filter(({ parent }) => parent === undefined).map((entry) => entry.symbol.line),
      hit: passagesOf(found).flatMap(({ path, startLine }) => (path === shown.path ? [startLine] : [])),
      use: usesIn(shown.path, card),
    } satisfies Marks);
  }, [editor, shown, found, card]);

  return <div class="code-body" ref={box} data-ready={editor !== null || undefined} />;
}

const reading: Reading = {
  onLines: (lines) => navigate({ lines }, "replace"),
  onLine: (line) => (currentLine.value = line),
};

function usesIn(path: string, state: typeof symbol.value): number[] {
  const uses = state.state === "ready" ? state.card.references.items : [];
  return uses.flatMap((use) => (use.path === path ? [use.line] : []));
}
