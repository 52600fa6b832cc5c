//! The overview: what the repository is, its README, and where to begin in it.

import { useRef, useState } from "preact/hooks";
import type { CodeIndex, Count, ProcessSummary } from "portolan";
import { Changes, FolderLine } from "../changes/Changes.tsx";
import { Kind } from "../controls/Kind.tsx";
import { entryWords } from "../flows/flows.ts";
import { Readme } from "../readme/Readme.tsx";
import { hashOf, hashOfView } from "../state/navigation.ts";
import { age, bytes, count, percent, plural } from "../state/format.ts";
import { job, revealPaths, type Repository } from "../state/repository.ts";
import { selectorOf } from "../state/symbol.ts";
import { shownOf, useAnswer } from "../views/answer.ts";
import { sampleName, siteInParts } from "../state/sample.ts";
import { workViews } from "../state/work-views.ts";
import type { About } from "./about.ts";
import { type Facts, knownFacts } from "./facts.ts";
import { Where } from "./Where.tsx";
import "./overview.css";

export function Overview({ repository }: { repository: Repository }) {
  const { status, name, files, revision } = repository;
  // Facts about the code read most of the index: where that comes in parts, the reader decides.
  const isAsked = !(siteInParts && name === sampleName);
  const [isWanted, setWanted] = useState(isAsked);
  const answer = useAnswer(repository, isWanted ? `facts ${revision}` : null, (index: CodeIndex) =>
    knownFacts(index, `${revision}`, () => files.map(({ path }) => path)),
  );
  const facts = shownOf(answer);
  return (
    <section class="overview" aria-label="Overview">
      <div class="overview-inner">
        <header>
          <h1>{name}</h1>
          {facts && <What about={facts.about} />}
          <p>
            {plural(status.n_files, "file")}, {plural(status.n_lines, "line")}, {bytes(status.n_bytes)}
            {status.built_at > 0 && ` · indexed ${age(status.built_at, Date.now())}`}
          </p>
          <Figures repository={repository} />
          {job.value?.what === "index" && !job.value.usable && job.value.name === name && (
            <p>Still indexing: answers cover only these files.</p>
          )}
          <FolderLine />
          <HiddenPaths sections={status.sections} />
          <Languages languages={status.languages} total={status.n_files} />
        </header>
        {!isWanted && (
          <p>
            <button type="button" class="button button-small" onClick={() => setWanted(true)}>
              Find entry points, areas and questions
            </button>{" "}
            This reads much of the index, which is otherwise fetched as you look things up.
          </p>
        )}
        {facts && <Questions facts={facts} />}
        <div class="overview-columns" aria-busy={answer.state === "running"}>
          {facts && <Begin facts={facts} />}
        </div>
        <Readme name={name} />
        <Changes />
        <Where repository={repository} />
        <nav class="overview-ways" aria-label="Views">
          {workViews.map(({ id, title, words }) => (
            <a key={id} href={hashOf({ view: id })} title={words}>
              {title}
            </a>
          ))}
          <a href={hashOf({ mode: "form" })}>Structural search</a>
        </nav>
      </div>
    </section>
  );
}

/** The description by its manifest or README. */
function What({ about: { description, what, licence, entries } }: { about: About }) {
  if (description === "" && what === "" && entries.length === 0) return null;
  return (
    <>
      {description !== "" && <p class="overview-lead">{description}</p>}
      <p class="overview-what">
        {[what, licence && `licence ${licence}`].filter(Boolean).join(" · ")}
        {entries.map((path, at) => (
          <span key={path}>
            {at === 0 ? " · begins in " : ", "}
            <a href={hashOf({ path, lines: null })}>{path}</a>
          </span>
        ))}
      </p>
    </>
  );
}

function Questions({ facts: { questions } }: { facts: Facts }) {
  if (questions.length === 0) return null;
  return (
    <section>
      <h2>Ask it</h2>
      <ul class="suggestions">
        {questions.map((question) => (
          <li key={question.words}>
            <a
              href={
                "query" in question
                  ? hashOf({ query: question.query, mode: "auto", path: "", lines: null })
                  : hashOfView(question.view, question.args)
              }
            >
              {question.words}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where to begin: four short lists. One without items is not shown. */
function Begin({ facts: { flows, central, areas, hot } }: { facts: Facts }) {
  return (
    <>
      <Short title="Entry points" hint="where the program, or its users, come in" items={flows} draw={Entry} />
      <Short
        title="Central symbols"
        hint="what most code leads to"
        items={central}
        draw={(symbol) => (
          <a href={hashOf({ path: symbol.path, lines: lineOf(symbol), symbol: selectorOf(symbol) })}>
            <Kind kind={symbol.kind} />
            <span class="short-name">{symbol.qualified_name}</span>
            <span class="short-side">{symbol.path}</span>
          </a>
        )}
      />
      <Short
        title="Areas"
        hint="parts whose code belongs together"
        items={areas}
        draw={({ label, n_members, central: most }) => (
          <a href={hashOfView("atlas", { area: label })}>
            <span class="short-name">{label}</span>
            <span class="short-side">
              {plural(n_members, "definition")}
              {most.length > 0 &&
                `: ${most
                  .slice(0, 3)
                  .map(({ name }) => name)
                  .join(", ")}`}
            </span>
          </a>
        )}
      />
      <Short
        title="Hot files"
        hint="complex and much used: change them with care"
        items={hot}
        draw={({ path, complexity, users }) => (
          <a href={hashOf({ path, lines: null })}>
            <span class="short-name">{path}</span>
            <span class="short-side">{`used by ${plural(users, "file")}, ${count(complexity)} branches`}</span>
          </a>
        )}
      />
    </>
  );
}

function Entry({ entry, entry_kind: kind, label }: ProcessSummary) {
  // Code at the top level of a file has the file as its entry.
  const isFile = entry.kind === "file";
  return (
    <a
      href={
        isFile
          ? hashOfView("flows", { flow: label })
          : hashOf({ path: entry.path, lines: lineOf(entry), symbol: selectorOf(entry) })
      }
    >
      <Kind kind={entry.kind} />
      <span class="short-name">{entry.qualified_name || entry.path}</span>
      <span class="short-side">{`${entryWords(kind)} · ${entry.path}`}</span>
    </a>
  );
}

const lineOf = ({ line }: { line: number }) => ({ from: line, to: line });

function Short<T>({
  title,
  hint,
  items,
  draw,
}: {
  title: string;
  hint: string;
  items: readonly T[];
  draw(item: T): preact.ComponentChildren;
}) {
  if (items.length === 0) return null;
  return (
    <section class="short">
      <h2>
        {title} <span>{hint}</span>
      </h2>
      <ul>
        {items.map((item, at) => (
          <li key={at}>{draw(item)}</li>
        ))}
      </ul>
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

/** The figures in one line. */
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
    <section class="languages-line" aria-label="Languages">
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
