//! The places that can change, file by file: each with its lines before and after, and a box to choose it.

import type { Signal } from "@preact/signals";
import { Growing } from "../controls/Growing.tsx";
import { plural } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import { type FilePlan, isChosen, linesOf, type Spot } from "./plan.ts";
import "./write.css";

/** Choices that differ from what is chosen by itself, by path and key of the place. */
export type Choices = Signal<ReadonlyMap<string, boolean>>;

interface Props {
  plans: readonly FilePlan[];
  chosen: Choices;
}

const filesAtOnce = 20;

/** The cards. A choice draws its own card only: the list keeps its place, however long it is. */
export function Plans({ plans, chosen }: Props) {
  return (
    <Growing
      items={plans}
      step={filesAtOnce}
      draw={(plan) => <FileCard key={plan.path} plan={plan} chosen={chosen} />}
    />
  );
}

function FileCard({ plan, chosen }: { plan: FilePlan; chosen: Choices }) {
  const choices = chosen.value;
  const { path, spots } = plan;
  const nChosen = spots.filter((spot) => isChosen(path, spot, choices)).length;
  const choose = (of: readonly Spot[], on: boolean) => {
    const next = new Map(chosen.peek());
    for (const { key } of of) next.set(`${path} ${key}`, on);
    chosen.value = next;
  };
  return (
    <section class="card plan" aria-label={path}>
      <div class="card-head plan-head">
        <input
          type="checkbox"
          aria-label={`All places of ${path}`}
          checked={nChosen === spots.length}
          ref={(box) => {
            if (box) box.indeterminate = nChosen > 0 && nChosen < spots.length;
          }}
          onChange={(event) => choose(spots, event.currentTarget.checked)}
        />
        <a class="row-name" href={hashOf({ path, lines: null })}>
          {path}
        </a>
        <span class="card-count">{`${nChosen} of ${plural(spots.length, "place")}`}</span>
      </div>
      <ul class="rows">
        {spots.map((spot) => (
          <Place
            key={spot.key}
            plan={plan}
            spot={spot}
            on={isChosen(path, spot, choices)}
            onChange={(on) => choose([spot], on)}
          />
        ))}
      </ul>
    </section>
  );
}

function Place({
  plan: { path, before },
  spot,
  on,
  onChange,
}: {
  plan: FilePlan;
  spot: Spot;
  on: boolean;
  onChange(on: boolean): void;
}) {
  const lines = linesOf(before, spot);
  return (
    <li class="plan-place" data-off={!on || undefined}>
      <input
        type="checkbox"
        aria-label={`Change line ${spot.firstLine} of ${path}`}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <pre class="plan-lines">
        {lines.before.map((line, at) => (
          <Line key={`-${at}`} sign="-" number={spot.firstLine + at} text={line} path={path} />
        ))}
        {lines.after.map((line, at) => (
          <Line key={`+${at}`} sign="+" number={0} text={line} path={path} />
        ))}
      </pre>
      {spot.sort !== "" && <span class="tag">{spot.sort}</span>}
    </li>
  );
}

const longestLine = 300;

function Line({ sign, number, text, path }: { sign: "-" | "+"; number: number; text: string; path: string }) {
  return (
    <span class={sign === "-" ? "diff-line diff-old" : "diff-line diff-new"}>
      {number > 0 ? (
        <a class="diff-number" href={hashOf({ path, lines: { from: number, to: number } })} tabIndex={-1}>
          {number}
        </a>
      ) : (
        <span class="diff-number" />
      )}
      <span class="diff-sign">{sign}</span>
      <code>{text.length > longestLine ? `${text.slice(0, longestLine)}…` : text}</code>
    </span>
  );
}
