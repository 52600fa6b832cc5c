//! The lines of a result: numbers, marks, and colours once they are known.

import { HIGHLIGHT_CLASSES } from "portolan";
import { className, coloured } from "../state/columns.ts";
import { type FileColours, fileColours } from "../state/snippet-colours.ts";
import type { Piece, SnippetLine } from "./snippet.ts";

/** `path` names the file whose colours are shown; empty for plain text. */
export function Snippet({ lines, path }: { lines: readonly SnippetLine[]; path: string }) {
  const colours = path === "" ? undefined : fileColours.value.get(path);
  return (
    <code class="snippet">
      {lines.map((line) => (
        <span key={line.number} class="snippet-line">
          <span class="snippet-number">{line.number}</span>
          <span class="snippet-text">
            {line.pieces.map((piece, at) => {
              const text = colours ? <Coloured line={line} at={at} colours={colours} /> : piece.text;
              return piece.marked ? <mark key={at}>{text}</mark> : text;
            })}
          </span>
        </span>
      ))}
    </code>
  );
}

function Coloured({ line: { number, pieces }, at, colours }: { line: SnippetLine; at: number; colours: FileColours }) {
  const start = startOf(pieces, at, number, colours);
  const { text } = pieces[at] as Piece;
  const parts = start < 0 ? [{ text, colour: -1 }] : coloured(text, start, colours.columns);
  return (
    <>
      {parts.map((part, index) => (
        // An element each: texts of elements are shown with their control characters written out (app/escaped.ts).
        <span key={index} class={part.colour < 0 ? undefined : className(HIGHLIGHT_CLASSES[part.colour] ?? "")}>
          {part.text}
        </span>
      ))}
    </>
  );
}

/** Offset of a piece in its file; -1 where the line is not the one that was found (the file has changed since). */
function startOf(pieces: readonly Piece[], at: number, number: number, { lines, starts }: FileColours): number {
  const line = lines[number - 1];
  const start = starts[number - 1];
  const first = pieces[0]?.text ?? "";
  if (line === undefined || start === undefined) return -1;
  // The indent that all lines share is left out.
  const indent = line.indexOf(first + (pieces[1]?.marked ? pieces[1].text : ""));
  if (indent < 0) return -1;
  const before = pieces.slice(0, at).reduce((length, { text }) => length + text.length, 0);
  return start + indent + before;
}
