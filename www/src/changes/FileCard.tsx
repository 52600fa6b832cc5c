//! A changed file: its hunks with the definitions that each touches and their risk, or both versions side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ChangedFile, CodeIndex, OutlineEntry, Symbol as Definition } from "portolan";
import { hashOf, hashOfView } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { selectorOf } from "../state/symbol.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { side as sideBySide } from "../views/calm.ts";
import { coloursOf, type LineColours, textsOfLines } from "./colours.ts";
import { type DiffLine, type FileDiff, type Hunk, textsOf, touchedBy } from "./diffs.ts";

type Side = "old" | "new";

/** The version in the index, where it is one of the two; null where it is another or none. */
function sideOf(changed: ChangedFile | undefined): Side | null {
  return changed?.index === "old" || changed?.index === "new" ? changed.index : null;
}

const words: Record<string, string> = {
  stale: "The index has another version of it: lines may be off.",
  absent: "It is not in the index.",
};

export function FileCard({
  repository,
  file,
  changed,
}: {
  repository: Repository;
  file: FileDiff;
  changed: ChangedFile | undefined;
}) {
  const [merged, setMerged] = useState(false);
  const side = sideOf(changed);
  const own = side === "old" ? file.oldPath : file.path;
  const isHere = repository.files.some(({ path }) => path === own);
  const touched = useTouched(repository, file, isHere ? side : null, own);
  const colours = useColours(repository, file, isHere ? side : null, own);
  return (
    <section class="card changed-file" aria-label={file.path}>
      <div class="card-head plan-head">
        {isHere ? (
          <a class="row-name" href={hashOf({ path: own, lines: null })}>
            {file.path}
          </a>
        ) : (
          <span class="row-name">{file.path}</span>
        )}
        {changed && changed.status !== "modified" && <span class="tag">{changed.status}</span>}
        {changed && (
          <span class="card-count changed-counts">
            <span class="changed-plus">+{changed.n_added}</span> <span class="changed-minus">−{changed.n_deleted}</span>
          </span>
        )}
        {side && isHere && file.hunks.length > 0 && (
          <button type="button" class="button button-small" aria-pressed={merged} onClick={() => setMerged(!merged)}>
            {merged ? "Hunks" : "Side by side"}
          </button>
        )}
      </div>
      {changed && words[changed.index] && file.hunks.length > 0 && <p>{words[changed.index]}</p>}
      {file.isBinary && <p>A binary file.</p>}
      {merged && side ? (
        <Merged repository={repository} file={file} path={own} side={side} />
      ) : (
        file.hunks.map((hunk, at) => <HunkView key={at} hunk={hunk} touched={touched[at] ?? []} colours={colours} />)
      )}
    </section>
  );
}

interface Touched {
  readonly symbol: Definition;
  /** The risk of a change of it, in a word; empty while it is not known. */
  readonly risk: string;
  readonly n_dependants: number;
}

const mostAsked = 30;

/** The definitions that each hunk touches, with their risk. */
function useTouched(repository: Repository, file: FileDiff, side: Side | null, path: string): readonly Touched[][] {
  const answer = useAnswer(
    repository,
    side === null ? null : [path, side, file.hunks.length, file.hunks[0]?.oldStart],
    async (index: CodeIndex) => touchedOf(index, file, side ?? "old", path),
  );
  return shownOf(answer) ?? [];
}

async function touchedOf(index: CodeIndex, file: FileDiff, side: Side, path: string): Promise<Touched[][]> {
  const { symbols } = await index.outline(path);
  const hunks = file.hunks.map((hunk) => touchedBy(hunk, symbols as readonly OutlineEntry[], side));
  const unique = [...new Map(hunks.flat().map((symbol) => [symbol.id, symbol])).values()].slice(0, mostAsked);
  const risks = await sideBySide(unique, 4, async (symbol) => {
    const impact = await index.impact({ symbol: selectorOf(symbol), tests: "exclude", limit: 1 }).catch(() => null);
    return [symbol.id, { risk: impact?.risk.level ?? "", n_dependants: impact?.page.total ?? 0 }] as const;
  });
  const known = new Map(risks);
  return hunks.map((touched) =>
    touched.map((symbol) => ({ symbol, ...(known.get(symbol.id) ?? { risk: "", n_dependants: 0 }) })),
  );
}

/** Colours of both versions, where the index has one of them; else of the lines of the hunks alone. */
function useColours(repository: Repository, file: FileDiff, side: Side | null, path: string): LineColours | null {
  const answer = useAnswer(
    repository,
    file.hunks.length === 0 ? null : [path, side, file.hunks.length, file.hunks[0]?.oldStart],
    async (index: CodeIndex) => {
      const texts = side === null ? null : textsOf(file, (await index.text(path)).text, side);
      return coloursOf(index, file, texts ?? textsOfLines(file));
    },
  );
  return shownOf(answer);
}

interface HunkProps {
  hunk: Hunk;
  touched: readonly Touched[];
  colours: LineColours | null;
}

/** Definitions that are named above a hunk: a new file has dozens, and the list beside has all of them. */
const mostNamed = 6;

function HunkView({ hunk, touched, colours }: HunkProps) {
  return (
    <div class="hunk">
      <p class="hunk-head">
        <span class="hunk-place">{`line ${hunk.newStart || hunk.oldStart}`}</span>
        {touched.slice(0, mostNamed).map(({ symbol, risk, n_dependants: n }) => (
          <span key={symbol.id} class="hunk-symbol">
            <a href={hashOfView("impact", { of: selectorOf(symbol) })} title={`${n} definitions depend on it`}>
              {symbol.qualified_name}
            </a>
            {risk !== "" && <span class={`risk risk-${risk}`}>{risk}</span>}
          </span>
        ))}
        {touched.length > mostNamed && <span>{`and ${touched.length - mostNamed} more`}</span>}
      </p>
      <pre class="plan-lines">
        {hunk.lines.map((line, at) => (
          <span
            key={at}
            class={line.sign === "-" ? "diff-line diff-old" : line.sign === "+" ? "diff-line diff-new" : "diff-line"}
          >
            <span class="diff-number">{line.oldNumber || ""}</span>
            <span class="diff-number">{line.newNumber || ""}</span>
            <span class="diff-sign">{line.sign}</span>
            <code>{partsOf(line, colours)}</code>
          </span>
        ))}
      </pre>
    </div>
  );
}

function partsOf(line: DiffLine, colours: LineColours | null) {
  const text = line.text.replace(/\r$/, "");
  const parts = colours?.parts(line, text) ?? null;
  if (!parts) return text;
  return parts.map(({ text: part, css }, at) => (
    <span key={at} class={css}>
      {part}
    </span>
  ));
}

/** Both versions in editors; their code is loaded when somebody asks for it. */
function Merged({
  repository: { index },
  file,
  path,
  side,
}: {
  repository: Repository;
  file: FileDiff;
  path: string;
  side: Side;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    let destroy = () => {};
    let isWanted = true;
    Promise.all([import("./merge.ts"), index.text(path)]).then(
      ([{ showMerge }, { text }]) => {
        const texts = textsOf(file, text, side);
        if (!isWanted || !box.current) return;
        if (texts) destroy = showMerge(box.current, texts);
        else setFailure("The diff does not fit the version in the index.");
      },
      (error: unknown) => isWanted && setFailure(wordsOf(error).message),
    );
    return () => {
      isWanted = false;
      destroy();
    };
  }, [index, file, path, side]);
  return failure === "" ? <div class="merge" ref={box} /> : <p role="alert">{failure}</p>;
}
