//! Search and replace over the repository: a structural pattern or a regular expression, every place before it is changed.

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { CodeIndex } from "portolan";
import { PathsField } from "../controls/PathsField.tsx";
import { plural } from "../state/format.ts";
import { stemOf } from "../state/download.ts";
import { askView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { formOf, globsOf } from "../state/search-fields.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { side, useCalm } from "../views/calm.ts";
import { Choice, Frame, Nothing, Waiting } from "../views/Frame.tsx";
import { changesOf, type FilePlan, spotsOf } from "../write/plan.ts";
import { type Choices, Plans } from "../write/Plans.tsx";
import { WriteBar } from "../write/WriteBar.tsx";
import { regexEdits, type Replaced, structuralEdits, unknownNames } from "./replace.ts";
import "./replace.css";

const typingMillis = 350;
const mostMatches = 2000;
const readAtOnce = 8;

/** The arguments of the view, read. */
interface Asked {
  readonly how: "form" | "regex";
  readonly query: string;
  readonly template: string;
  readonly within: string;
  readonly language: string;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
}

/** The matches of a search, with the texts of their files. */
interface Found {
  readonly files: readonly { readonly path: string; readonly text: string; replace(template: string): Replaced }[];
  readonly n_matches: number;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly unread: readonly { readonly language: string; readonly message: string }[];
}

export function Replace({ repository }: { repository: Repository }) {
  const { how, q = "", to = "", in: within = "", lang = "", i = "", w = "" } = link.value.args;
  const asked: Asked = {
    how: how === "regex" ? "regex" : "form",
    query: useCalm(q, typingMillis),
    template: to,
    within: useCalm(within, typingMillis),
    language: lang,
    ignoreCase: i === "1",
    wholeWord: w === "1",
  };
  const { template, ...question } = asked;
  const answer = useAnswer(repository, asked.query.trim() === "" ? null : question, find);
  const found = shownOf(answer);
  return (
    <Frame
      title="Search and replace"
      words="By code pattern or regular expression, with every place shown before it is changed."
      busy={answer.state === "running"}
      controls={<Controls how={asked.how} query={q} template={to} />}
      options={{
        fields: <Options repository={repository} asked={{ ...asked, within }} />,
        names: ["how", "lang", "in", "i", "w"],
      }}
    >
      {asked.query.trim() === "" && <Guide />}
      <Waiting answer={answer} title="This pattern cannot be used" words="Searching…" />
      {found && answer.state !== "failed" && asked.query.trim() !== "" && (
        <Answered repository={repository} asked={asked} found={found} />
      )}
    </Frame>
  );
}

async function find(index: CodeIndex, asked: Omit<Asked, "template">, signal: AbortSignal): Promise<Found> {
  const { how, query, within, language, ignoreCase, wholeWord } = asked;
  const paths = globsOf(within);
  const languages = language === "" ? [] : [language];
  if (how === "regex") {
    const answer = await index.regex({
      pattern: query,
      ignore_case: ignoreCase,
      whole_word: wholeWord,
      paths,
      languages,
      limit: mostMatches,
    });
    const files = await withTexts(
      index,
      answer.matches,
      (text, matches) => (template) => regexEdits(text, matches, { pattern: query, ignoreCase, template }),
    );
    return {
      files,
      n_matches: answer.matches.length,
      truncated: answer.truncated,
      timedOut: answer.timed_out,
      unread: [],
    };
  }
  const answer = await index.structural({ ...formOf(query), paths, languages, limit: mostMatches }, { signal });
  const files = await withTexts(
    index,
    answer.matches,
    (text, matches) => (template) => structuralEdits(text, matches, template),
  );
  return {
    files,
    n_matches: answer.matches.length,
    truncated: answer.truncated,
    timedOut: answer.timed_out,
    unread: answer.unread,
  };
}

async function withTexts<M extends { readonly path: string }>(
  index: CodeIndex,
  matches: readonly M[],
  replacing: (text: string, matches: readonly M[]) => (template: string) => Replaced,
): Promise<Found["files"]> {
  const byPath = Map.groupBy(matches, ({ path }) => path);
  return side([...byPath], readAtOnce, async ([path, own]) => {
    const { text } = await index.text(path);
    return { path, text, replace: replacing(text, own) };
  });
}

function Controls({ how, query, template }: Pick<Asked, "how" | "query" | "template">) {
  const field = (label: string, name: string, value: string, placeholder: string) => (
    <label class="filter-field replace-wide">
      <span>{label}</span>
      <textarea
        rows={Math.min(6, value.split("\n").length)}
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => askView({ [name]: event.currentTarget.value }, "replace")}
      />
    </label>
  );
  return (
    <>
      {field("Find", "q", query, how === "form" ? "assert.equal($A, $B)" : "\\bold_(\\w+)")}
      {field("Replace with", "to", template, how === "form" ? "assert.strictEqual($A, $B)" : "new_$1")}
    </>
  );
}

function Options({ repository, asked }: { repository: Repository; asked: Asked }) {
  const { how, within, language, ignoreCase, wholeWord } = asked;
  const toggle = (label: string, name: string, on: boolean) => (
    <button
      type="button"
      class="toggle"
      aria-pressed={on}
      onClick={() => askView({ [name]: on ? "" : "1" }, "replace")}
    >
      {label}
    </button>
  );
  return (
    <>
      <Choice
        label="By"
        value={how}
        options={[
          ["form", "code pattern"],
          ["regex", "regular expression"],
        ]}
        onChange={(next) => askView({ how: next === "regex" ? "regex" : "" }, "replace")}
      />
      <Choice
        label="Language"
        value={language}
        options={[["", "all"], ...repository.status.languages.map(({ name }) => [name, name] as const)]}
        onChange={(lang) => askView({ lang }, "replace")}
      />
      <PathsField value={within} onInput={(paths) => askView({ in: paths }, "replace")} />
      {how === "regex" && toggle("Any case", "i", ignoreCase)}
      {how === "regex" && toggle("Whole words", "w", wholeWord)}
    </>
  );
}

const guides: readonly (readonly [how: string, query: string, to: string, words: string])[] = [
  ["", "assert.equal($A, $B)", "assert.strictEqual($A, $B)", "another function, the arguments as they are"],
  ["", "$A !== undefined && $A !== null", "$A != null", "a simpler form of the same"],
  ["regex", "http://(\\S+)", "https://$1", "a group of the match, in any file"],
];

function Guide() {
  return (
    <div class="empty replace-guide">
      <strong>Write what to find and what to put in its place</strong>
      <p>
        In a code pattern <code>$A</code> matches one node and <code>$$$ARGS</code> any number; the replacement may use
        both. In a regular expression <code>(…)</code> is a group; the replacement says <code>$1</code> or{" "}
        <code>$&#123;name&#125;</code>. An empty replacement deletes what was found.
      </p>
      <ul>
        {guides.map(([how, q, to, words]) => (
          <li key={q}>
            <button type="button" class="text-button" onClick={() => askView({ how, q, to })}>
              <code>{q}</code> → <code>{to}</code>
            </button>
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The places of all files with this template, and what cannot be replaced. */
function plansOf(found: Found, template: string) {
  let overlapping = 0;
  const replaced = found.files.map(({ path, text, replace }) => ({ path, text, ...replace(template) }));
  const plans = replaced.map(({ path, text, edits }): FilePlan => {
    const { spots, n_overlapping: n } = spotsOf(text, edits);
    overlapping += n;
    return { path, before: text, spots };
  });
  return {
    plans: plans.filter(({ spots }) => spots.length > 0),
    left: replaced.flatMap((file) => file.left),
    n_overlapping: overlapping,
  };
}

function Answered({ repository, asked, found }: { repository: Repository; asked: Asked; found: Found }) {
  const template = useCalm(asked.template, 120);
  const chosen: Choices = useMemo(() => signal(new Map()), [found]);
  const { plans, left, n_overlapping: overlapping } = useMemo(() => plansOf(found, template), [found, template]);
  const missing = asked.how === "form" ? unknownNames(asked.query, template) : [];
  if (found.n_matches === 0)
    return (
      <Nothing title="Nothing found">
        <p>No place in these paths matches the {asked.how === "form" ? "pattern" : "expression"}.</p>
        {found.timedOut && <p>The search reached its time limit before all files: limit the paths or the language.</p>}
        {found.unread.slice(0, 4).map(({ language, message }) => (
          <p key={language}>
            {language}: {message}
          </p>
        ))}
      </Nothing>
    );
  if (missing.length > 0)
    return (
      <p class="rename-problem" role="alert">
        The pattern has no {missing.map((name) => `$${name}`).join(", ")}.
      </p>
    );
  return (
    <>
      <p class="rename-facts" role="status">
        {plural(found.n_matches, asked.how === "form" ? "place" : "line")} in {plural(found.files.length, "file")}
        {template === "" && " · the replacement is empty: what was found is deleted"}
        {overlapping > 0 && ` · ${plural(overlapping, "place")} within others are left: repeat to reach them`}
        {left.length > 0 &&
          ` · ${plural(left.length, "place")} cannot be replaced: ${[...new Set(left.map(({ reason }) => reason))].join(", ")}`}
        {(found.truncated || found.timedOut) && (
          <strong> · there are more: limit the paths, or repeat after writing</strong>
        )}
      </p>
      <Plans plans={plans} chosen={chosen} />
      <WriteBar
        repository={repository}
        changes={changesOf(plans, chosen.value)}
        stem={`${stemOf(repository.name)}-replaced`}
        warning={template === "" ? "The replacement is empty: what was found is deleted." : ""}
      />
    </>
  );
}
