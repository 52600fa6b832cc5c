//! The reader's place: the path of the file and the definitions around the line.

import { plural, splitPath } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { Kind } from "../controls/Kind.tsx";
import { commands, palette } from "../state/commands.ts";
import { enclosing, type OpenFile } from "../state/file.ts";
import { give } from "../state/download.ts";
import { blameOpen, git } from "../state/history.ts";
import type { Side } from "../state/navigation.ts";
import { closePane, hasRoom, toggleSplit } from "../state/panes.ts";
import { goTo } from "../state/symbol.ts";

interface Props {
  file: OpenFile;
  /** The line the reader is at, 1-based. */
  line: number;
  side: Side;
  isSplit: boolean;
  /** Another form of the file, such as the cells of a notebook. */
  form?: { words: string; onChange(): void } | undefined;
}

export function Breadcrumb({ file, line, side, isSplit, form }: Props) {
  const [folder, name] = splitPath(file.path);
  const around = enclosing(file.outline, line);
  const copy = commands.find(({ id }) => id === "code.link");
  return (
    <nav class="breadcrumb" aria-label={isSplit ? `Place in the ${side} pane` : "Place in the code"}>
      <ol>
        <li class="breadcrumb-path" title={file.path}>
          {folder !== "" && (
            <button
              type="button"
              class="breadcrumb-folder"
              title="Files in this folder"
              onClick={() => (palette.value = folder)}
            >
              {folder}
            </button>
          )}
          <span class="breadcrumb-name">{name}</span>
        </li>
        {around.map(({ symbol }) => (
          <li key={`${symbol.start_line}:${symbol.name}`}>
            <span class="breadcrumb-mark">
              <Icon name="chevron" size={11} />
            </span>
            <button type="button" onClick={() => goTo(symbol)} title={symbol.signature}>
              <Kind kind={symbol.kind} />
              <span>{symbol.name}</span>
            </button>
          </li>
        ))}
      </ol>
      {form && (
        <button type="button" class="text-button" onClick={form.onChange}>
          {form.words}
        </button>
      )}
      <span class="breadcrumb-side">
        {file.language} · {plural(lineCount(file.text), "line")}
      </span>
      {git.value.state !== "none" && file.leftOut === undefined && (
        <button
          type="button"
          class="icon-button"
          aria-pressed={blameOpen.value}
          title="History: who changed each line, and when"
          aria-label="History of this file"
          onClick={() => (blameOpen.value = !blameOpen.value)}
        >
          <Icon name="clock" size={14} />
        </button>
      )}
      <button
        type="button"
        class="icon-button breadcrumb-rare"
        title="Open the text alone"
        aria-label="Open the text alone"
        onClick={() => showRaw(file)}
      >
        <Icon name="file" size={14} />
      </button>
      <button
        type="button"
        class="icon-button breadcrumb-rare"
        title="Download this file"
        aria-label="Download this file"
        onClick={() => give(textOf(file), name)}
      >
        <Icon name="download" size={14} />
      </button>
      <button
        type="button"
        class="icon-button"
        title="Copy a link to this place (y)"
        aria-label="Copy a link to this place"
        onClick={() => copy?.run()}
      >
        <Icon name="copy" size={14} />
      </button>
      {hasRoom() && (
        <button
          type="button"
          class="icon-button"
          title={isSplit ? "Close this pane" : "Split: two panes side by side"}
          aria-label={isSplit ? "Close this pane" : "Split into two panes"}
          onClick={() => (isSplit ? closePane(side) : toggleSplit())}
        >
          <Icon name={isSplit ? "close" : "split"} size={14} />
        </button>
      )}
    </nav>
  );
}

// Always plain text: whatever the file holds, nothing of it runs.
function textOf({ text }: OpenFile): Blob {
  return new Blob([text], { type: "text/plain;charset=utf-8" });
}

function showRaw(file: OpenFile): void {
  const url = URL.createObjectURL(textOf(file));
  window.open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// A last line break ends a line, it does not start one.
function lineCount(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
