//! The files shown: tabs, and one pane or two, each with its place, its code, and what happens when a name in it is clicked.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Splitter } from "../controls/Splitter.tsx";
import { LeftOutHost, NotebookHost } from "../host/LeftOutHost.tsx";
import { codeAction } from "../state/commands.ts";
import { narrow } from "../state/drawers.ts";
import { besideFile, currentLine, file, type FileState, type OpenFile } from "../state/file.ts";
import { blameOpen, git } from "../state/history.ts";
import { formatLines, type Lines, parseLines } from "../state/link.ts";
import { link, linesAsked, navigate, rememberBy, restored, type Side, swapPanes } from "../state/navigation.ts";
import { report } from "../state/notices.ts";
import { keptPlace, keepPlace } from "../state/panes.ts";
import { repository } from "../state/repository.ts";
import { passagesOf, search } from "../state/search.ts";
import { change, paneLimits, settings } from "../state/settings.ts";
import { symbol } from "../state/symbol.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import type { CodeEditor } from "./editor.ts";
import { FileTabs } from "./FileTabs.tsx";
import type { Blame } from "./blame.ts";
import { HistoryHost } from "./HistoryHost.tsx";
import type { Marks } from "./marks.ts";
import "./code.css";

/** Loads the editor, which is not part of the page's first load. */
export const loadEditor = () => import("./editor.ts");

/** The result that begins at these lines, if the reader came from one. */
function foundAt(path: string, lines: Lines | null) {
  return passagesOf(search.peek()).find((one) => one.path === path && one.startLine === lines?.from) ?? null;
}

export function CodeView() {
  const isSplit = link.value.beside !== null && !narrow.value;
  const { paneWidth } = settings.value;
  return (
    <section class="code" aria-label="Code">
      <FileTabs />
      <div class="panes">
        <Pane key="left" side="left" isSplit={isSplit} />
        {isSplit && (
          <div class="pane-right" style={paneWidth > 0 ? { flex: `0 1 ${paneWidth}px` } : undefined}>
            <Splitter
              label="Width of the right pane"
              side="right"
              width={paneWidth || paneLimits.min}
              limits={paneLimits}
              onChange={(width) => change({ paneWidth: width })}
            />
            <Pane key="right" side="right" isSplit={isSplit} />
          </div>
        )}
      </div>
    </section>
  );
}

interface PaneProps {
  side: Side;
  isSplit: boolean;
}

function Pane({ side, isSplit }: PaneProps) {
  const { path, lines, beside, onRight } = link.value;
  const isActive = !isSplit || onRight === (side === "right");
  const state = isActive ? file.value : besideFile.value;
  const wanted = isActive ? { path, lines } : (beside ?? { path, lines });
  // A press and the focus that follows it come before the page is drawn again.
  const activate = () => {
    if (isSplit && link.peek().onRight !== (side === "right")) swapPanes();
  };
  return (
    <div
      class="pane"
      data-active={isActive || undefined}
      {...(isSplit ? { role: "group", "aria-label": `${side === "left" ? "Left" : "Right"} pane` } : {})}
      onFocusIn={activate}
      onPointerDown={activate}
    >
      <Inside
        state={state}
        wanted={wanted.path}
        lines={wanted.lines}
        side={side}
        isActive={isActive}
        isSplit={isSplit}
      />
    </div>
  );
}

interface InsideProps extends PaneProps {
  state: FileState;
  wanted: string;
  lines: Lines | null;
  isActive: boolean;
}

function Inside({ state, ...pane }: InsideProps) {
  const [line, setLine] = useState(1);
  const [asText, setAsText] = useState("");
  const shown = state.state === "ready" ? state.file : null;
  useEffect(() => {
    if (pane.isActive) currentLine.value = line;
  }, [pane.isActive, line]);
  if (state.state === "loading") return <p class="empty">Opening {state.path}…</p>;
  if (state.state === "left-out")
    return <LeftOutHost name={repository.value?.name ?? ""} path={state.path} reason={state.reason} />;
  if (state.state === "failed") return <Failed {...state} />;
  if (!shown) return null;
  const isNotebook = /\.ipynb$/i.test(shown.path);
  const hasCells = isNotebook && !pane.lines && asText !== shown.path;
  const { path } = shown;
  const onForm = isNotebook ? () => setAsText(hasCells ? path : "") : undefined;
  return (
    <>
      <Breadcrumb
        file={shown}
        line={line}
        side={pane.side}
        isSplit={pane.isSplit}
        form={onForm && { words: hasCells ? "Show the JSON" : "Show the cells", onChange: onForm }}
      />
      {shown.leftOut !== undefined && <p class="code-note">{shown.leftOut}</p>}
      {hasCells ? (
        <NotebookHost text={shown.text} path={path} name={repository.value?.name ?? ""} />
      ) : (
        <Code key="code" file={shown} onLine={setLine} {...pane} />
      )}
    </>
  );
}

function Failed({ path, message, help }: Extract<FileState, { state: "failed" }>) {
  return (
    <div class="empty" role="alert">
      <strong>{path} cannot be shown</strong>
      <p>{message}</p>
      {help !== "" && <p>{help}</p>}
      <p class="empty-actions">
        <button type="button" class="button" onClick={() => navigate({ path: "", lines: null })}>
          Back to the overview
        </button>
      </p>
    </div>
  );
}

type CodeProps = Omit<InsideProps, "state"> & { file: OpenFile; onLine(line: number): void };

/** The editor of a pane, which shows one file after the other. */
function useEditor({ file: shown, side, onLine }: CodeProps) {
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    let isGone = false;
    let made: CodeEditor | null = null;
    const reading = { onLines: (lines: Lines) => navigate({ lines }, "replace"), onLine };
    loadEditor().then(
      ({ CodeEditor: Editor }) => {
        if (isGone || !box.current) return;
        made = new Editor(box.current, reading, settings.peek().wrapLines, latest.current);
        rememberBy(side, () => made?.place() ?? null);
        setEditor(made);
      },
      (error: unknown) => report("load the code view", error),
    );
    return () => {
      isGone = true;
      rememberBy(side, null);
      if (made) keepPlace(made.path, made.place());
      made?.destroy();
    };
  }, []);
  return { box, editor };
}

function Code(pane: CodeProps) {
  const { file: shown, isActive, isSplit } = pane;
  const { box, editor } = useEditor(pane);
  useShown(editor, pane);
  const wraps = settings.value.wrapLines;

  useEffect(() => {
    editor?.setWrap(wraps);
  }, [editor, wraps]);

  const action = codeAction.value;
  const done = useRef(action?.turn ?? 0);
  useEffect(() => {
    if (!editor || !action || action.turn === done.current) return;
    done.current = action.turn;
    if (!isActive) return;
    if (action.action === "find") editor.find();
    else editor.atCursor(action.action === "definition" ? "go" : action.action);
  }, [editor, action, isActive]);

  // The pane that becomes the active one by a key takes the focus from the other.
  useEffect(() => {
    const { activeElement: focused } = document;
    const isLeft = focused === document.body || focused?.closest(".pane:not([data-active])");
    if (editor && isSplit && isActive && isLeft) editor.focus();
  }, [editor, isSplit, isActive]);

  const found = search.value;
  const card = symbol.value;
  useEffect(() => {
    editor?.setMarks({
      definition: shown.outline.filter(({ parent }) => parent === undefined).map((entry) => entry.symbol.line),
      hit: passagesOf(found).flatMap(({ path, startLine }) => (path === shown.path ? [startLine] : [])),
      use: usesIn(shown.path, card),
    } satisfies Marks);
  }, [editor, shown, found, card]);

  const [blame, setBlame] = useState<Blame | null>(null);
  const [commit, setCommit] = useState("");
  useEffect(() => editor?.setBlame(blame, commit, setCommit), [editor, blame, commit]);
  useEffect(() => setCommit(""), [shown.path]);
  const hasHistory = blameOpen.value && git.value.state !== "none" && shown.leftOut === undefined;

  return (
    <>
      {hasHistory && (
        <HistoryHost
          file={shown}
          revision={repository.value?.revision ?? 0}
          chosen={commit}
          onChoose={setCommit}
          onBlame={setBlame}
        />
      )}
      <div class="code-body" ref={box} data-ready={editor !== null || undefined} />
    </>
  );
}

/** Shows the file, at the lines that are asked for, or where it was left. */
function useShown(editor: CodeEditor | null, { file: shown, side, wanted, lines, isActive }: CodeProps): void {
  // The same lines are the same object, whatever else of the link changes: the reader may have scrolled away from them.
  const text = lines ? formatLines(lines) : "";
  const stable = useMemo(() => parseLines(text), [text]);
  const isThere = shown.path === wanted;

  useEffect(() => {
    if (!editor || !isThere) return;
    if (editor.path !== shown.path) keepPlace(editor.path, editor.place());
    const place = restored.peek()?.[side] ?? (stable ? null : keptPlace(shown.path));
    editor.show(shown, stable, place);
    editor.mark(foundAt(shown.path, stable));
  }, [editor, shown, stable, isThere, side]);

  const place = restored.value?.[side];
  useEffect(() => {
    if (editor && isThere && place) editor.show(shown, stable, place);
  }, [place]);

  const asked = linesAsked.value;
  const seen = useRef(asked);
  useEffect(() => {
    if (!editor || (isActive && !isThere) || asked === seen.current) return;
    seen.current = asked;
    if (isActive && stable) editor.show(shown, stable, null);
  }, [editor, asked, isActive, isThere, stable, shown]);
}

function usesIn(path: string, state: typeof symbol.value): number[] {
  const uses = state.state === "ready" ? state.card.references.items : [];
  return uses.flatMap((use) => (use.path === path ? [use.line] : []));
}
