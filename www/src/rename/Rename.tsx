//! A definition gets another name: every place before it is changed, as a patch, or written into the folder after asking.

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { CodeIndex, RenameRequest, RenameResponse } from "portolan";
import { PathsField } from "../controls/PathsField.tsx";
import { plural } from "../state/format.ts";
import { stemOf } from "../state/download.ts";
import { askView, hashOf, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { globsOf } from "../state/search-fields.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { side, useCalm } from "../views/calm.ts";
import { Central } from "../views/Central.tsx";
import { Frame, Nothing, Waiting } from "../views/Frame.tsx";
import { SymbolField } from "../views/SymbolField.tsx";
import { changesOf } from "../write/plan.ts";
import { type Choices, Plans } from "../write/Plans.tsx";
import { WriteBar } from "../write/WriteBar.tsx";
import { nameProblem, type Plan, plansOf } from "./rename.ts";
import "./rename.css";

const typingMillis = 250;
const readAtOnce = 8;

interface Planned {
  readonly rename: RenameResponse;
  readonly plan: Plan;
}

async function ask(index: CodeIndex, request: RenameRequest): Promise<Planned> {
  // Every place must be here: a rename that leaves some out breaks the code.
  const rename = await index.rename({ ...request, limit: 200_000, max_bytes: 64_000_000 });
  const texts = await side(
    rename.changes,
    readAtOnce,
    async ({ path }) => [path, (await index.text(path)).text] as const,
  );
  return { rename, plan: plansOf(rename, new Map(texts)) };
}

export function Rename({ repository }: { repository: Repository }) {
  const { of = "", to = "", in: within = "" } = link.value.args;
  const calm = useCalm(to, typingMillis);
  const problem = nameProblem(calm);
  const isAsked = of !== "" && calm !== "" && problem === "";
  const request: RenameRequest = { symbol: of, new_name: calm, text_search: "review", paths: globsOf(within) };
  const answer = useAnswer(repository, isAsked ? request : null, ask);
  const planned = shownOf(answer);
  return (
    <Frame
      title="Rename"
      words="Another name for a definition, at every place that means it. Nothing changes before you say so."
      busy={answer.state === "running"}
      controls={<Controls repository={repository} of={of} to={to} />}
      options={{
        fields: <PathsField value={within} placeholder="all" onInput={(paths) => askView({ in: paths }, "replace")} />,
        names: ["in"],
      }}
    >
      {of === "" && <Central repository={repository} view="rename" />}
      {problem !== "" && (
        <p class="rename-problem" role="alert">
          {problem}
        </p>
      )}
      {of !== "" && to === "" && <p class="view-hint">Type the new name to see every place that changes.</p>}
      <Waiting answer={answer} title="This cannot be renamed" words="Looking for its places…" />
      {planned && isAsked && answer.state !== "failed" && (
        <Answered key={`${of} ${planned.rename.new_name} ${within}`} repository={repository} planned={planned} />
      )}
    </Frame>
  );
}

function Controls({ repository, of, to }: { repository: Repository; of: string; to: string }) {
  return (
    <>
      <SymbolField label="Rename" value={of} repository={repository} onChange={(next) => askView({ of: next })} />
      <label class="filter-field">
        <span>to</span>
        <input
          value={to}
          placeholder="newName"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => askView({ to: event.currentTarget.value.trim() }, "replace")}
        />
      </label>
    </>
  );
}

function Answered({ repository, planned: { rename, plan } }: { repository: Repository; planned: Planned }) {
  const chosen: Choices = useMemo(() => signal(new Map()), [plan]);
  const changes = changesOf(plan.plans, chosen.value);
  const { conflicts, symbols, new_name: name, old_name: old } = rename;
  if (plan.plans.length === 0)
    return (
      <Nothing title={old === name ? "This is its name" : "Nothing to change"}>
        <p>No place in these paths holds {old}.</p>
      </Nothing>
    );
  return (
    <>
      <Facts rename={rename} plan={plan} />
      {conflicts.length > 0 && (
        <div class="rename-conflicts" role="alert">
          <strong>{name} is taken</strong>
          <ul>
            {conflicts.slice(0, 12).map(({ path, line, message }) => (
              <li key={`${path}:${line}:${message}`}>
                <a href={hashOf({ path, lines: { from: line, to: line } })}>{`${path}:${line}`}</a> {message}
              </li>
            ))}
          </ul>
          {conflicts.length > 12 && <p>and {plural(conflicts.length - 12, "more place")}</p>}
        </div>
      )}
      {symbols.length > 1 && (
        <details class="rename-with">
          <summary>{plural(symbols.length - 1, "other definition")} must keep the same name and change with it</summary>
          <ul>
            {symbols.slice(1).map((symbol) => (
              <li key={symbol.id}>
                <a href={hashOf({ path: symbol.path, lines: { from: symbol.line, to: symbol.line } })}>
                  {symbol.qualified_name}
                </a>{" "}
                {symbol.path}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Plans plans={plan.plans} chosen={chosen} />
      <WriteBar
        repository={repository}
        changes={changes}
        stem={`${stemOf(old)}-to-${stemOf(name)}`}
        warning={
          conflicts.length > 0
            ? `${name} is taken in ${plural(conflicts.length, "place")}: the code may not mean what it meant.`
            : ""
        }
      />
    </>
  );
}

function Facts({ rename, plan }: { rename: RenameResponse; plan: Plan }) {
  const { n_graph_edits: sure, n_text_edits: words, n_files: nFiles } = rename;
  return (
    <p class="rename-facts" role="status">
      {plural(sure, "resolved place")}
      {words > 0 && `, ${plural(words, "word")} to review in comments, strings and unresolved code`} ·{" "}
      {plural(nFiles, "file")}
      {rename.page.truncated && (
        <strong> · only the first {plural(plan.plans.length, "file")} fit: limit the paths and repeat</strong>
      )}
      {plan.n_lost > 0 && (
        <strong> · {plural(plan.n_lost, "place")} not found in the text: index the folder again</strong>
      )}
    </p>
  );
}
