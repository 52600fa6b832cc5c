//! The file shown: breadcrumb, code, and what happens when a name in it is clicked.

import { useEffect, useRef, useState } from "preact/hooks";
import { codeAction, leftTab } from "../state/commands.ts";
import { currentLine, file, type OpenFile } from "../state/file.ts";
import { link, navigate, rememberBy, restored } from "../state/navigation.ts";
import { hint, report } from "../state/notices.ts";
import { settings } from "../state/settings.ts";
import { candidates, definitionsAt, goTo, selectorOf } from "../state/symbol.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import type { CodeEditor, Place, Reading } from "./editor.ts";
import "./code.css";

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
  const { lines } = link.value;
  const action = codeAction.value;
  const wraps = settings.value.wrapLines;

  useEffect(() => {
    let gone = false;
    let made: CodeEditor | null = null;
    import("./editor.ts").then(
      ({ CodeEditor: Editor }) => {
        if (gone || !box.current) return;
        made = new Editor(box.current, reading, settings.peek().wrapLines);
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
  }, [editor, shown, lines]);

  useEffect(() => {
    editor?.setWrap(wraps);
  }, [editor, wraps]);

  const done = useRef(action?.turn ?? 0);
  useEffect(() => {
    if (!editor || !action || action.turn === done.current) return;
    done.current = action.turn;
    if (action.action === "find") editor.find();
    else editor.atCursor(action.action === "definition" ? "go" : "references");
  }, [editor, action]);

  return <div class="code-body" ref={box} data-ready={editor !== null || undefined} />;
}

const reading: Reading = {
  onName: (place, action) => void followName(place, action),
  onLines: (lines) => navigate({ lines }, "replace"),
  onLine: (line) => (currentLine.value = line),
  rangeOf: async ({ line, character }) => {
    const { origin, targets } = await definitionsAt(link.peek().path, line, character);
    return targets.length > 0 ? origin : undefined;
  },
};

async function followName({ line, character }: Place, action: "show" | "go" | "references"): Promise<void> {
  const { path } = link.peek();
  const { targets } = await definitionsAt(path, line, character);
  const best = targets[0];
  if (!best) {
    if (action !== "show") hint("No definition in this repository");
    return;
  }
  candidates.value = targets;
  if (action === "go") {
    // Back should return to the call, so the call's line is written into the step that is left.
    if (!link.peek().lines) navigate({ lines: { from: line + 1, to: line + 1 } }, "replace");
    goTo(best.symbol);
    if (targets.length > 1) hint(`The likeliest of ${targets.length} definitions; the panel lists the others`);
  } else {
    navigate({ symbol: selectorOf(best.symbol) });
  }
  if (leftTab.peek() === "results" && link.peek().query === "") leftTab.value = "outline";
}
