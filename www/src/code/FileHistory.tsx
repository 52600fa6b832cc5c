//! The history of the file shown: one line, and behind it commits, authors and files that usually change with it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { BlamedFile, FileHistory as Found } from "portolan/history";
import { Icon } from "../controls/Icon.tsx";
import { age, percent, plural } from "../state/format.ts";
import type { OpenFile } from "../state/file.ts";
import { git, readHistory } from "../state/history.ts";
import { hashOf, hashOfView } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import { type Blame, blameOf } from "./blame.ts";
import "./history.css";

/** Of a file: nothing known yet, no commit, or all. */
type OfFile =
  | { readonly state: "reading" }
  | { readonly state: "none"; readonly why: string }
  | { readonly state: "done"; readonly found: Found; readonly root: string; readonly blamed: BlamedFile };

interface Props {
  readonly file: OpenFile;
  readonly revision: number;
  /** The commit that was clicked, in the list or beside a line; empty for none. */
  readonly chosen: string;
  onChoose(commit: string): void;
  /** Takes the commits of the lines; null where there are none. */
  onBlame(blame: Blame | null): void;
}

/** Reads the history of a file. */
function useHistory({ file: { path, text }, revision, onBlame }: Props): OfFile {
  const [known, setKnown] = useState<{ path: string; of: OfFile } | null>(null);
  useEffect(() => {
    let isWanted = true;
    read(path).then((of) => {
      if (!isWanted) return;
      setKnown({ path, of });
      onBlame(of.state === "done" ? blameOf(of.blamed, text) : null);
    });
    return () => {
      isWanted = false;
      onBlame(null);
    };
  }, [path, text, revision]);
  return known?.path === path ? known.of : { state: "reading" };
}

async function read(path: string): Promise<OfFile> {
  const read = await readHistory({ path });
  const now = git.peek();
  if (!read)
    return { state: "none", why: now.state === "failed" ? `${now.why} ${now.help}` : "The history could not be read." };
  const { history, root } = read;
  const own = path.slice(root.length);
  try {
    const [found, blamed] = await Promise.all([history.file(own), history.blame(own)]);
    return found ? { state: "done", found, root, blamed } : { state: "none", why: neverCommitted };
  } catch (error) {
    const { message, code } = wordsOf(error);
    return { state: "none", why: code === "history.no-file" ? neverCommitted : message };
  }
}

const neverCommitted = "This file is not in the newest commit.";

export function FileHistory(props: Props) {
  const { chosen, onChoose } = props;
  const of = useHistory(props);
  const [isOpen, setOpen] = useState(false);
  // A click beside a line shows the commit in the list.
  useEffect(() => {
    if (chosen !== "") setOpen(true);
  }, [chosen]);
  if (of.state !== "done")
    return (
      <p class="file-history file-history-line" role="status">
        {of.state === "reading" ? "Reading the history…" : of.why}
      </p>
    );
  const { found, root } = of;
  const [last] = found.commits;
  return (
    <details class="file-history" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="file-history-line">
        <Icon name="chevron" size={11} />
        <span class="file-history-count">{plural(found.n_commits, "commit")}</span>
        {last && (
          <span class="file-history-last">
            {`${last.author}, ${age(last.authored * 1000, Date.now())}: `}
            <span>{last.subject}</span>
          </span>
        )}
      </summary>
      {isOpen && <Lists found={found} root={root} chosen={chosen} onChoose={onChoose} />}
    </details>
  );
}

interface ListsProps {
  readonly found: Found;
  /** Paths of the history are from there. */
  readonly root: string;
  readonly chosen: string;
  onChoose(commit: string): void;
}

function Lists({ found, root, chosen, onChoose }: ListsProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const { commits, n_commits: n, authors, earlier_paths: earlier, together } = found;
  const now = Date.now();
  return (
    <div class="file-history-lists">
      <section aria-label="Commits of this file">
        <ol class="commits" ref={list}>
          {commits.map(({ id, subject, author, authored, n_files }) => (
            <li key={id} aria-current={id === chosen ? "true" : undefined}>
              <button type="button" class="commit-subject" title={subject} onClick={() => onChoose(id)}>
                {subject || "(no message)"}
              </button>
              <span class="commit-words">
                {`${author}, ${age(authored * 1000, now)}`}
                {n_files > 1 && ` · ${plural(n_files, "file")}`}
              </span>
              <a
                class="commit-id"
                href={hashOfView("changes", { commit: id, ...(root === "" ? {} : { in: root }) })}
                title="Show what this commit changed"
              >
                {id.slice(0, 8)}
              </a>
            </li>
          ))}
        </ol>
        {n > commits.length && <p class="file-history-note">{`and ${plural(n - commits.length, "earlier commit")}`}</p>}
      </section>
      <div>
        {together.length > 0 && (
          <section aria-label="Files that usually change with it">
            <h2>Usually changes with</h2>
            <ul class="file-facts">
              {together.map(({ path, support, confidence }) => (
                <li key={path}>
                  <a href={hashOf({ path: root + path, lines: null })}>{root + path}</a>
                  <span title={`${plural(support, "commit")} changed both`}>{percent(confidence)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-label="Authors">
          <h2>By</h2>
          <ul class="file-facts">
            {authors.slice(0, 8).map(({ name, n_commits }) => (
              <li key={name}>
                {name}
                <span>{plural(n_commits, "commit")}</span>
              </li>
            ))}
          </ul>
        </section>
        {earlier.length > 0 && (
          <p class="file-history-note">
            Earlier called <code>{earlier.map((path) => root + path).join(", ")}</code>
          </p>
        )}
      </div>
    </div>
  );
}
