//! The overview: contents of the index, skipped files with reasons, and where the code is stored.

import { useRef, useState } from "preact/hooks";
import type { Count, FileProblem, SkippedFile } from "portolan";
import { Changes, FolderLine } from "../changes/Changes.tsx";
import { age, bytes, count, percent, plural } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { hashOf } from "../state/navigation.ts";
import { askToSave, saveAsItIs } from "../state/save.ts";
import { job, keepHere, revealPaths, type Repository, sampleName, saved } from "../state/repository.ts";
import "./overview.css";

export function Overview({ repository }: { repository: Repository }) {
  const { status, name } = repository;
  return (
    <section class="overview" aria-label="Overview">
      <div class="overview-inner">
        <header>
          <h1>{name}</h1>
          <p>
            {plural(status.n_files, "file")}, {plural(status.n_lines, "line")}, {bytes(status.n_bytes)}
            {status.built_at > 0 && ` · indexed ${age(status.built_at, Date.now())}`}
          </p>
          {job.value?.what === "index" && !job.value.usable && job.value.name === name && (
            <p>Still indexing: answers cover only these files.</p>
          )}
          <FolderLine />
          <HiddenPaths sections={status.sections} />
        </header>
        <Figures repository={repository} />
        <Languages languages={status.languages} total={status.n_files} />
        <Suggestions kinds={status.kinds} />
        <p class="overview-ways">
          <a href={hashOf({ view: "map" })}>Repository map</a>
          <a href={hashOf({ mode: "form" })}>Structural search</a>
        </p>
        <Changes />
        <Privacy repository={repository} />
        <Skipped skipped={status.skipped} />
        <Problems problems={status.problems} />
        <Sections repository={repository} />
      </div>
    </section>
  );
}

/** Explains encrypted paths and offers to decrypt them. */
function HiddenPaths({ sections }: { sections: readonly Count[] }) {
  const input = useRef<HTMLInputElement>(null);
  if (!sections.some(({ name }) => name === "originals")) return null;
  return (
    <p class="folder-line">
      Its paths are encrypted.
      <button type="button" class="text-button" onClick={() => input.current?.click()}>
        Decrypt them with a key file
      </button>
      <input
        ref={input}
        class="ingest-input"
        type="file"
        name="path-key"
        tabIndex={-1}
        aria-label="Key file"
        onChange={(event) => event.currentTarget.files?.[0] && void revealPaths(event.currentTarget.files[0])}
      />
    </p>
  );
}

function Figures({ repository: { status } }: { repository: Repository }) {
  const figures: [string, number][] = [
    ["definitions", status.n_symbols],
    ["passages", status.n_chunks],
    ["connections", status.n_edges],
    ["vectors", status.n_vectors],
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const shownLanguages = 8;

function Languages({ languages, total }: { languages: readonly Count[]; total: number }) {
  if (languages.length === 0 || total === 0) return null;
  const shown = languages.slice(0, shownLanguages);
  const rest = languages.slice(shownLanguages).reduce((sum, language) => sum + language.count, 0);
  const all = rest > 0 ? [...shown, { name: "others", count: rest }] : shown;
  return (
    <section>
      <h2>Languages</h2>
      <div class="languages-bar" aria-hidden="true">
        {all.map(({ name, count: n }, at) => (
          <span key={name} class={`language-${at}`} style={{ flexGrow: n }} title={name} />
        ))}
      </div>
      <ul class="languages">
        {all.map(({ name, count: n }, at) => (
          <li key={name}>
            <span class={`language-dot language-${at}`} aria-hidden="true" />
            {name}{" "}
            <span>
              {plural(n, "file")}, {n / total < 0.01 ? "under 1 %" : percent(n / total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Suggestions({ kinds }: { kinds: readonly Count[] }) {
  const questions = ["where is the configuration read", "error handling", "entry point"];
  const tests = kinds.length > 0 ? ["how are tests set up"] : [];
  return (
    <section>
      <h2>Try a search</h2>
      <p class="suggestions">
        {[...questions, ...tests].map((query) => (
          <a key={query} href={hashOf({ query, mode: "auto", path: "", lines: null })}>
            {query}
          </a>
        ))}
      </p>
    </section>
  );
}

function Privacy({ repository: { index, name } }: { repository: Repository }) {
  const { state: kept, error } = index.stored;
  // Work that was cancelled saves nothing any more.
  const state = kept === "saving" && job.value === null ? "off" : kept;
  const where: Record<typeof state, string> = {
    saved:
      "The index is saved in this browser, where only this site can read it. Deleting it on the start page, or clearing the site's data, removes it.",
    saving: "The index is being saved in this browser.",
    off: "The index is in the memory of this tab and is lost when you close it.",
    unavailable: "This browser does not allow storage, so the index is only in the memory of this tab.",
    quota: "There was no space left to save the index, so it is only in the memory of this tab.",
  };
  return (
    <section>
      <h2>Where the code is</h2>
      <p class="privacy">
        <Icon name="shield" />
        <span>
          Code stays in this tab. The page may only talk to its own site, and asks it for nothing but its own parts.{" "}
          {where[state]}
          {error && state !== "saved" && ` (${error.message})`}
        </span>
      </p>
      {state === "off" && job.value === null && name !== sampleName && <Keep name={name} />}
    </section>
  );
}

/** Offers to save what was opened from a file. */
function Keep({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const known = saved.value;
  if (known.state !== "ready") return null;
  const replaces = known.entries.some((entry) => entry.name === name);
  return (
    <p class="overview-actions">
      <button
        type="button"
        class="button"
        disabled={busy}
        onClick={() => {
          setBusy(true);
          void keepHere().finally(() => setBusy(false));
        }}
      >
        {busy ? "Saving…" : replaces ? `Keep in this browser, replacing the stored ${name}` : "Keep in this browser"}
      </button>
    </p>
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
      <h2>Skipped files</h2>
      {skipped.length === 0 && <p class="overview-note">No files were skipped.</p>}
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
      <h2>Partly parsed files</h2>
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
      <h2>The index</h2>
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
      <p class="overview-note">
        {kept && `Saved size: ${bytes(kept.n_bytes)}. `}
        Made by Portolan {status.built_by}
        {status.embedder !== "" && `, vectors by ${status.embedder} in ${status.dimensions} dimensions`}.
      </p>
      <p class="overview-actions">
        <button type="button" class="button" onClick={() => void saveAsItIs({ name, index })}>
          <Icon name="download" size={14} /> Save the index to a file
        </button>
        <button type="button" class="button" onClick={() => askToSave({ name, index })}>
          <Icon name="shield" size={14} /> Save an encrypted copy…
        </button>
      </p>
    </section>
  );
}
