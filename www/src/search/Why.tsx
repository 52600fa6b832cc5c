//! Why a passage was found: badges, and on demand where each part of its score comes from.

import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import type { Explanation } from "portolan";
import { explaining, type Passage } from "../state/search.ts";

const meanings: Record<string, string> = {
  words: "Contains words of the query",
  meaning: "Similar in meaning to the query",
  name: "Defines a name in the query",
  path: "Its path contains words of the query",
  graph: "Much of the code depends on it",
};

export function Why({ passage }: { passage: Passage }) {
  const [open, setOpen] = useState(false);
  const toggle = () => {
    explaining.value = true;
    setOpen(!open);
  };
  return (
    <div class="why">
      <p class="why-badges">
        {passage.why.map((word) => (
          <span key={word} class={`badge badge-${word}`} title={meanings[word]}>
            {word}
          </span>
        ))}
        <button type="button" class="why-button" aria-expanded={open} onClick={toggle}>
          <span class="why-mark" data-open={open || undefined}>
            <Icon name="chevron" size={11} />
          </span>
          Explain
        </button>
      </p>
      {open && (passage.explanation ? <Score explanation={passage.explanation} /> : <p class="why-wait">Asking…</p>)}
    </div>
  );
}

/** The explanation from top to bottom: layers, fusion, signals, score. */
export function Score({ explanation }: { explanation: Explanation }) {
  const { terms, lexical_score, lexical_rank, vector_score, vector_rank, fused_score, signals, score } = explanation;
  const most = Math.max(...terms.map((term) => term.score), 1e-9);
  const moved = signals.filter(({ factor, added }) => factor !== 1 || added !== 0);
  return (
    <table class="score">
      <tbody>
        {terms.map(({ term, document_frequency, score: share }) => (
          <tr key={term}>
            <th scope="row">
              <code>{term}</code>
            </th>
            <td class="score-number">{figure(share)}</td>
            <td>
              <span class="score-bar" style={{ width: `${Math.round((share / most) * 100)}px` }} /> in{" "}
              {document_frequency.toLocaleString("en")} passages
            </td>
          </tr>
        ))}
        {lexical_rank != null && <Line name="by words" value={lexical_score} note={`place ${lexical_rank}`} />}
        {vector_score != null && (
          <Line
            name="by meaning"
            value={vector_score}
            note={vector_rank != null ? `place ${vector_rank}` : "similarity"}
          />
        )}
        <Line name="together" value={fused_score} note="before the signals" />
        {moved.map(({ name, factor, added }) => (
          <tr key={name}>
            <th scope="row">{name.replaceAll("_", " ")}</th>
            <td class="score-number">
              {[
                factor === 1 ? "" : `× ${figure(factor)}`,
                added === 0 ? "" : `${added > 0 ? "+" : "−"} ${figure(Math.abs(added))}`,
              ]
                .filter(Boolean)
                .join(" ")}
            </td>
            <td>{factor < 1 || added < 0 ? "lowers it" : "raises it"}</td>
          </tr>
        ))}
        <Line name="score" value={score} note="results are sorted by it" strong />
      </tbody>
    </table>
  );
}

function Line({ name, value, note, strong = false }: { name: string; value: number; note: string; strong?: boolean }) {
  return (
    <tr class={strong ? "score-total" : undefined}>
      <th scope="row">{name}</th>
      <td class="score-number">{figure(value)}</td>
      <td>{note}</td>
    </tr>
  );
}

function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}
