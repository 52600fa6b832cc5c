//! The places of a text: how sure they are, the parts that were read, and a card for each file.

import type { CodeIndex, LocatedFile, LocatedFunction, LocateRequest, LocateResponse } from "portolan";
import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { Kind } from "../controls/Kind.tsx";
import { bytes, percent, plural } from "../state/format.ts";
import { git, readHistory } from "../state/history.ts";
import { hashOf, hashOfView } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { shownOf, useAnswer } from "../views/answer.ts";
import { Code } from "../views/Code.tsx";
import { CopyButton, More, Nothing, Waiting } from "../views/Frame.tsx";
import { copied, readingOf, reasonOf, shownLines } from "./words.ts";

const firstFiles = 10;
const mostFiles = 50;
/** Tokens of the answer: only the copied text has code, and a model's context has room for it. */
const maxTokens = 16_000;

interface Asked {
  readonly text: string;
  readonly limit: number;
  readonly withHistory: boolean;
}

async function ask(index: CodeIndex, { text, limit, withHistory }: Asked): Promise<LocateResponse> {
  const request: LocateRequest = { text, limit, function_limit: 2 * limit, max_tokens: maxTokens };
  const found = withHistory ? await readHistory() : null;
  return found ? found.history.locate(index, request) : index.locate(request);
}

export function Places({
  repository,
  text,
  withHistory,
}: {
  repository: Repository;
  text: string;
  withHistory: boolean;
}) {
  const [limit, setLimit] = useState(firstFiles);
  const answer = useAnswer(repository, { text, limit, withHistory }, ask);
  const found = shownOf(answer);
  if (!found || answer.state === "failed")
    return <Waiting answer={answer} title="The text cannot be located" words="Reading the text…" />;
  if (found.files.length === 0)
    return (
      <Nothing title="No place found">
        <p>{found.note ?? "Nothing in the text leads into this repository."}</p>
      </Nothing>
    );
  const total = Math.min(mostFiles, found.total);
  return (
    <>
      <Summary found={found} />
      {found.files.map((file, at) => (
        <FileCard key={file.path} repository={repository} file={file} rank={at + 1} isSure={found.known} />
      ))}
      <More
        shown={found.files.length}
        total={found.n_more > 0 ? found.files.length : total}
        onMore={() => setLimit(mostFiles)}
      />
    </>
  );
}

function Summary({ found }: { found: LocateResponse }) {
  const read = readingOf(found.read);
  return (
    <div class="locate-summary" role="status">
      <p class={found.known ? "" : "locate-unsure"}>
        {found.known ? (
          <>
            <strong>{percent(found.confidence)}</strong> sure that the right files are among the first five
          </>
        ) : (
          <>
            <Icon name="warning" size={14} /> <strong>{percent(found.confidence)}</strong> sure: {found.note}
          </>
        )}
      </p>
      <p>
        {read !== "" && <span>Read: {read}</span>}
        {(found.read.n_left_out ?? 0) > 0 && <span>{bytes(found.read.n_left_out ?? 0)} in the middle left out</span>}
        <HistoryState with={found.with_history === true} />
        <CopyButton label="Copy with code" said="Places copied" text={() => copied(found)} />
      </p>
    </div>
  );
}

/** Whether the history counts; one that is not read yet is read when somebody asks. */
function HistoryState({ with: isIn }: { with: boolean }) {
  const now = git.value;
  if (isIn) return <span>With the history of git</span>;
  if (now.state === "reading") return <span>Reading the history…</span>;
  if (now.state === "failed") return <span title={now.help}>Without the history of git: {now.why}</span>;
  if (now.state !== "there") return null;
  return (
    <button
      type="button"
      class="text-button"
      title="Files that usually change together with the likeliest ones count, too"
      onClick={() => void readHistory()}
    >
      Use the history of git
    </button>
  );
}

interface CardProps {
  repository: Repository;
  file: LocatedFile;
  rank: number;
  /** Whether the answer is more than a guess. */
  isSure: boolean;
}

function FileCard({ repository, file, rank, isSure }: CardProps) {
  return (
    <section class="card locate-file" aria-label={file.path}>
      <h2>
        <span class="card-count">{rank}</span>
        <a class="row-name" href={hashOf({ path: file.path, lines: null })}>
          {file.path}
        </a>
        <span class="card-count locate-sure" title="How sure it is that this file is right">
          {percent(file.confidence)}
        </span>
      </h2>
      <Why clues={file.why} />
      {file.functions.length > 0 && (
        <ul class="rows">
          {file.functions.map((one) => (
            <FunctionRow
              key={`${one.symbol} ${one.start_line}`}
              repository={repository}
              path={file.path}
              found={one}
              isShown={isSure && one.rank === 1}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Why({ clues }: { clues: readonly string[] }) {
  return (
    <p class="locate-why">
      {clues.map((clue) => {
        const { words, title } = reasonOf(clue);
        return (
          <span key={clue} class="tag" title={title}>
            {words}
          </span>
        );
      })}
    </p>
  );
}

interface RowProps {
  repository: Repository;
  path: string;
  found: LocatedFunction;
  /** Whether its code is shown from the start. */
  isShown: boolean;
}

function FunctionRow({ repository, path, found, isShown }: RowProps) {
  const { symbol, kind, start_line: from, end_line: to, rank, why } = found;
  const [isOpen, setOpen] = useState(isShown);
  const lines = shownLines(found);
  const nMore = to - from - (lines.to - lines.from);
  const of = `${path}#${symbol}`;
  return (
    <li>
      <div class="row">
        <button
          type="button"
          class="icon-button row-open"
          aria-expanded={isOpen}
          aria-label={`Code of ${symbol}, line ${from}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="chevron" size={12} />
        </button>
        <Kind kind={kind} />
        <a class="row-name" href={hashOf({ path, lines: { from, to }, symbol: of })} title={symbol}>
          {symbol}
        </a>
        <span class="locate-clues" title={why.map((clue) => reasonOf(clue).title).join(" ")}>
          {why.map((clue) => reasonOf(clue).words).join(", ")}
        </span>
        <a class="locate-impact" href={hashOfView("impact", { of })}>
          Impact
        </a>
        <span class="row-end" title="Its place among the functions of all files">{`#${rank}`}</span>
      </div>
      {isOpen && (
        <>
          <Code repository={repository} path={path} {...lines} />
          {nMore > 0 && (
            <p class="locate-rest">
              <a href={hashOf({ path, lines: { from, to }, symbol: of })}>{plural(nMore, "more line")}</a>
            </p>
          )}
        </>
      )}
    </li>
  );
}
