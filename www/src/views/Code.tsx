//! Lines of code in a list, coloured by the engine; texts are read once and kept for the last few files.

import { useEffect, useState } from "preact/hooks";
import { type CodeIndex, HIGHLIGHT_CLASSES } from "portolan";
import { hashOf } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { type CodeLine, codeLines, type ColoredText, type Mark } from "./lines.ts";

const mostKept = 40;
let keptOf: { index: CodeIndex; revision: number } | null = null;
const kept = new Map<string, Promise<ColoredText>>();

/** A file's text with its colours. */
export function coloredText({ index, revision }: Repository, path: string): Promise<ColoredText> {
  if (keptOf?.index !== index || keptOf.revision !== revision) kept.clear();
  keptOf = { index, revision };
  const known = kept.get(path);
  if (known) return known;
  const loading = load(index, path);
  kept.set(path, loading);
  loading.catch(() => kept.delete(path));
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return loading;
}

async function load(index: CodeIndex, path: string): Promise<ColoredText> {
  const [{ text }, columns] = await Promise.all([
    index.text(path),
    // Colours are a comfort: a text without them is still a text.
    index.highlights(path).catch(() => new Uint32Array()),
  ]);
  return { text, columns, classes: HIGHLIGHT_CLASSES };
}

interface Props {
  repository: Repository;
  path: string;
  from: number;
  to: number;
  /** The line that the code is shown for. */
  line?: number;
  marks?: readonly Mark[];
}

/** Lines of a file; a line number leads to its place. */
export function Code({ repository, path, from, to, line, marks }: Props) {
  const [lines, setLines] = useState<readonly CodeLine[] | string | null>(null);
  useEffect(() => {
    let isWanted = true;
    coloredText(repository, path).then(
      (text) => isWanted && setLines(codeLines(text, from, to, marks)),
      (error: unknown) => isWanted && setLines(wordsOf(error).message),
    );
    return () => {
      isWanted = false;
    };
  }, [repository.index, repository.revision, path, from, to, marks]);
  if (typeof lines === "string") return <p class="code-lines-failed">{lines}</p>;
  return (
    <pre class="code-lines" style={lines ? undefined : { minHeight: `${(to - from + 1) * 1.55}em` }}>
      {(lines ?? []).map(({ number, pieces }) => (
        <span key={number} class="code-line" data-chosen={number === line || undefined}>
          <a class="code-number" href={hashOf({ path, lines: { from: number, to: number } })} tabIndex={-1}>
            {number}
          </a>
          <code>
            {pieces.map(({ text, color, marked }, at) =>
              marked ? (
                <mark key={at} class={color}>
                  {text}
                </mark>
              ) : (
                <span key={at} class={color}>
                  {text}
                </span>
              ),
            )}
          </code>
        </span>
      ))}
    </pre>
  );
}
