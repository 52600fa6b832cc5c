//! The files that an index leaves out with their reasons, and its parts.

import { useState } from "preact/hooks";
import type { FileProblem, SkippedFile } from "portolan";
import { bytes, count, plural } from "../state/format.ts";
import { type Repository, saved } from "../state/repository.ts";

export function IndexDetails({ repository }: { repository: Repository }) {
  const { status } = repository;
  return (
    <>
      <Skipped skipped={status.skipped} />
      <Problems problems={status.problems} />
      <Sections repository={repository} />
    </>
  );
}

const codeNames: Record<string, string> = {
  ignored: "matched by an ignore file",
  "default-exclude": "folders and files without sources",
  generated: "generated",
  binary: "not text",
  "too-large": "too large",
  "long-line": "minified or data in one line",
  "not-utf-8": "not in UTF-8",
  "unsafe-path": "unsafe paths",
  "duplicate-path": "duplicate paths",
  "archive-limit": "beyond the limits of an archive",
  memory: "memory limit reached",
  unreadable: "could not be read",
};

/** Files left out by reason, the largest group first. */
export function byReason(skipped: readonly SkippedFile[]): [code: string, files: readonly SkippedFile[]][] {
  const groups = new Map<string, SkippedFile[]>();
  for (const file of skipped) {
    const group = groups.get(file.code);
    if (group) group.push(file);
    else groups.set(file.code, [file]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

function Skipped({ skipped }: { skipped: readonly SkippedFile[] }) {
  return (
    <section>
      <h3>Files left out</h3>
      {skipped.length === 0 && <p class="shield-note">No file was left out.</p>}
      {byReason(skipped).map(([code, files]) => (
        <LongList
          key={code}
          title={`${plural(files.length, "path")}: ${codeNames[code] ?? code}`}
          items={files}
          draw={(file) => [file.path, file.message]}
        />
      ))}
    </section>
  );
}

function Problems({ problems }: { problems: readonly FileProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section>
      <h3>Partly parsed files</h3>
      <LongList
        title={plural(problems.length, "place")}
        items={problems}
        draw={(problem) => [`${problem.path}:${problem.line}`, problem.message]}
      />
    </section>
  );
}

const firstRows = 100;

function LongList<T>({ title, items, draw }: { title: string; items: readonly T[]; draw(item: T): [string, string] }) {
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState(firstRows);
  return (
    <details class="long-list" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && (
        <ul>
          {items.slice(0, shown).map((item, at) => {
            const [path, message] = draw(item);
            return (
              <li key={at}>
                <code>{path}</code> <span>{message}</span>
              </li>
            );
          })}
        </ul>
      )}
      {open && shown < items.length && (
        <button type="button" class="text-button" onClick={() => setShown(shown + 1000)}>
          Show more of {count(items.length)}
        </button>
      )}
    </details>
  );
}

function Sections({ repository: { status, name, index } }: { repository: Repository }) {
  const known = saved.value;
  const kept =
    known.state === "ready" && index.stored.state === "saved"
      ? known.entries.find((entry) => entry.name === name)
      : undefined;
  const total = status.sections.reduce((sum, section) => sum + section.count, 0);
  return (
    <section>
      <h3>Parts of the index</h3>
      {total > 0 && (
        <details class="long-list">
          <summary>
            {bytes(total)} in {plural(status.sections.length, "part")}
          </summary>
          <table class="sections">
            <tbody>
              {status.sections.map(({ name, count: size }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{bytes(size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <p class="shield-note">
        {kept && `Saved size: ${bytes(kept.n_bytes)}. `}
        Made by Portolan {status.built_by}
        {status.embedder !== "" && `, vectors by ${status.embedder} in ${status.dimensions} dimensions`}.
      </p>
    </section>
  );
}
