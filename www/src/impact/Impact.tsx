//! The effects of changing a symbol: who depends on it, by distance, the risk, the tests to run, and the flows that pass through.

import { useState } from "preact/hooks";
import type { CodeIndex, DepthGroup, Impacted, ImpactResponse } from "portolan";
import { Growing } from "../controls/Growing.tsx";
import { count, percent, plural } from "../state/format.ts";
import { askView, hashOfView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { Choice, CopyButton, Frame, More, Nothing, Waiting } from "../views/Frame.tsx";
import { Central } from "../views/Central.tsx";
import { PlaceLink, SymbolRow } from "../views/Rows.tsx";
import { SymbolField } from "../views/SymbolField.tsx";
import { RiskCard } from "./RiskCard.tsx";
import { type Asked, askedOf, confidences, depths, namesById, relationWords, requestOf, testFiles } from "./impact.ts";
import "./impact.css";

interface Reached {
  readonly impact: ImpactResponse;
  readonly tests: ImpactResponse;
}

const firstLimit = 150;
const mostTests = 2000;

async function ask(index: CodeIndex, [asked, limit]: readonly [Asked, number]): Promise<Reached> {
  const [impact, tests] = await Promise.all([
    index.impact(requestOf(asked, limit)),
    // Tests lie on the way of those who use the symbol, whatever is shown.
    index.impact({ ...requestOf({ ...asked, direction: "upstream" }, mostTests), tests: "only" }),
  ]);
  return { impact, tests };
}

export function Impact({ repository }: { repository: Repository }) {
  const asked = askedOf(link.value.args);
  const [limit, setLimit] = useState(firstLimit);
  const answer = useAnswer(repository, asked.symbol === "" ? null : ([asked, limit] as const), ask);
  const reached = shownOf(answer);
  return (
    <Frame
      title="Impact"
      words="What a change of a definition reaches, step by step, and the tests to run."
      busy={answer.state === "running"}
      controls={
        <SymbolField label="Of" value={asked.symbol} repository={repository} onChange={(of) => askView({ of })} />
      }
      options={{ fields: <Options asked={asked} />, names: ["way", "depth", "sure", "tests"] }}
    >
      {asked.symbol === "" && <Central repository={repository} view="impact" />}
      <Waiting answer={answer} title={`${asked.symbol} cannot be followed`} words="Following its users…" />
      {reached && answer.state !== "failed" && asked.symbol !== "" && (
        <Answered
          repository={repository}
          reached={reached}
          direction={asked.direction}
          onMore={() => setLimit(limit + 500)}
        />
      )}
    </Frame>
  );
}

function Options({ asked }: { asked: Asked }) {
  return (
    <>
      <Choice
        label="Show"
        value={asked.direction}
        options={[
          ["upstream", "who depends on it"],
          ["downstream", "what it depends on"],
        ]}
        onChange={(way) => askView({ way: way === "downstream" ? "down" : "" }, "replace")}
      />
      <Choice
        label="Steps"
        value={String(asked.depth)}
        options={depths.map((depth) => [String(depth), String(depth)] as const)}
        onChange={(depth) => askView({ depth: depth === "3" ? "" : depth }, "replace")}
      />
      <Choice
        label="Confidence"
        value={String(asked.minConfidence)}
        options={confidences.map(
          (share) => [String(share), share === 0 ? "any" : `${percent(share)} and more`] as const,
        )}
        onChange={(sure) => askView({ sure: sure === "0" ? "" : sure }, "replace")}
      />
      <button
        type="button"
        class="toggle"
        aria-pressed={asked.tests === "include"}
        onClick={() => askView({ tests: asked.tests === "include" ? "no" : "" }, "replace")}
      >
        Tests
      </button>
    </>
  );
}

function Answered({
  repository,
  reached: { impact, tests },
  direction,
  onMore,
}: {
  repository: Repository;
  reached: Reached;
  direction: Asked["direction"];
  onMore(): void;
}) {
  const names = namesById(impact);
  const shown = impact.by_depth.reduce((sum, { symbols }) => sum + symbols.length, 0);
  return (
    <>
      <Target impact={impact} />
      <div class="view-columns">
        <div class="view-main">
          {impact.page.total === 0 && (
            <Nothing title={direction === "upstream" ? "Nothing depends on it" : "It depends on nothing here"}>
              <p>
                No relation of this confidence {direction === "upstream" ? "leads to" : "leads from"} it in this
                repository. Callers that look it up by a string are not seen.
              </p>
            </Nothing>
          )}
          {impact.by_depth
            .filter(({ symbols }) => symbols.length > 0)
            .map((group) => (
              <Depth
                key={group.depth}
                repository={repository}
                group={group}
                names={names}
                upstream={direction === "upstream"}
              />
            ))}
          <More shown={shown} total={impact.page.total} onMore={onMore} />
        </div>
        <div class="view-side">
          <RiskCard risk={impact.risk}>
            {plural(impact.page.total, "definition")} in {plural(impact.n_files, "file")}
          </RiskCard>
          <Tests tests={tests} />
          <Flows impact={impact} />
          <Areas impact={impact} />
        </div>
      </div>
    </>
  );
}

/** The definition that was found, and the others of its name. */
function Target({ impact: { target, candidates, status } }: { impact: ImpactResponse }) {
  const others = candidates.filter(({ symbol }) => symbol.id !== target.id);
  return (
    <div class="impact-target">
      <ul class="rows card">
        <li class="row">
          <strong class="row-name">{target.qualified_name}</strong>
          <span class="tag">{target.kind.replaceAll("_", " ")}</span>
          <PlaceLink path={target.path} line={target.line} />
          <a class="row-end" href={hashOfView("rename", { of: `${target.path}#${target.qualified_name}` })}>
            Rename
          </a>
        </li>
      </ul>
      {status === "ambiguous" && (
        <details>
          <summary>{plural(others.length, "other definition")} of this name</summary>
          <ul>
            {others.map(({ symbol, selector }) => (
              <li key={symbol.id}>
                <a href={hashOfView("impact", { of: selector })}>{symbol.qualified_name}</a>{" "}
                <span>{`${symbol.path}:${symbol.line}`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const rowsAtOnce = 60;

function Depth({
  repository,
  group: { depth, meaning, total, symbols },
  names,
  upstream,
}: {
  repository: Repository;
  group: DepthGroup;
  names: ReadonlyMap<number, string>;
  upstream: boolean;
}) {
  return (
    <section class="card" aria-label={`Step ${depth}`}>
      <h2>
        <span class={`impact-step impact-step-${Math.min(depth, 3)}`}>{depth}</span>
        {upstream
          ? meaning.slice(0, 1).toUpperCase() + meaning.slice(1)
          : depth === 1
            ? "Directly"
            : `${depth} steps on`}
        <span class="card-count">{count(total)}</span>
      </h2>
      <ul class="rows">
        <Growing
          items={symbols}
          step={rowsAtOnce}
          draw={(one) => (
            <Row
              key={one.symbol.id}
              repository={repository}
              one={one}
              via={depth > 1 ? names.get(one.via) : undefined}
            />
          )}
        />
      </ul>
    </section>
  );
}

function Row({ repository, one, via }: { repository: Repository; one: Impacted; via: string | undefined }) {
  const { symbol, relation, use_line: line, certainty, reason, is_test: isTest } = one;
  return (
    <SymbolRow
      repository={repository}
      symbol={symbol}
      line={line > 0 ? line : symbol.line}
      end={
        <span title={`Found by the rule “${reason}”; all steps together are right in ${percent(certainty)} of cases`}>
          {percent(certainty)}
        </span>
      }
    >
      <span class="impact-relation">
        {relationWords(relation)}
        {via !== undefined && <span class="impact-via">{via}</span>}
      </span>
      {isTest && <span class="tag">test</span>}
    </SymbolRow>
  );
}

const shownTests = 12;

function Tests({ tests }: { tests: ImpactResponse }) {
  const [all, setAll] = useState(false);
  const files = testFiles(tests.by_depth);
  return (
    <section class="card" aria-label="Tests to run">
      <h2>
        Tests to run <span class="card-count">{count(files.length)}</span>
      </h2>
      {files.length === 0 ? (
        <p>No test reaches it within these steps.</p>
      ) : (
        <>
          <ul class="rows">
            {files.slice(0, all ? files.length : shownTests).map(({ path, line, n_tests: n }) => (
              <li key={path} class="row">
                <PlaceLink path={path} line={line} />
                <span class="row-end">{count(n)}</span>
              </li>
            ))}
          </ul>
          <p class="impact-actions">
            <CopyButton
              label="Copy the paths"
              said="Paths of the tests copied"
              text={() => files.map(({ path }) => path).join("\n")}
            />
            {files.length > shownTests && !all && (
              <button type="button" class="text-button" onClick={() => setAll(true)}>
                All {count(files.length)}
              </button>
            )}
          </p>
        </>
      )}
    </section>
  );
}

function Flows({ impact: { affected_processes: flows, processes_page: page } }: { impact: ImpactResponse }) {
  if (flows.length === 0) return null;
  return (
    <section class="card" aria-label="Flows">
      <h2>
        Flows <span class="card-count">{count(page.total)}</span>
      </h2>
      <ul class="rows">
        {flows.slice(0, 10).map(({ id, label, first_affected: first, n_steps: n }) => (
          <li key={id} class="row">
            <a class="row-name" href={hashOfView("flows", { flow: label })} title={label}>
              {label}
            </a>
            <span class="row-end" title={`From step ${first} of ${n} on`}>{`${first}/${n}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Areas({ impact: { areas } }: { impact: ImpactResponse }) {
  if (areas.length === 0) return null;
  return (
    <section class="card" aria-label="Areas">
      <h2>
        Areas <span class="card-count">{count(areas.length)}</span>
      </h2>
      <ul class="rows">
        {areas.slice(0, 10).map(({ label, n_symbols: n }) => (
          <li key={label} class="row">
            <span class="row-name" title={label}>
              {label}
            </span>
            <span class="row-end">{count(n)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
