//! One question with its steps and its answer.

import { useEffect, useRef } from "preact/hooks";
import { type Citation, type PlaceCheck, placesKept, type Step, type Turn, type Usage } from "portolan/chat";
import { Icon } from "../controls/Icon.tsx";
import { count } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import { argumentsOf, type Live } from "./live.ts";
import { drawAnswer } from "./render.ts";
import { copyAnswer, placesNow, waiting } from "./session.ts";

export function PastTurn({ turn }: { turn: Turn }) {
  const { question, answer, steps, citations, model, usage, cost, stopped } = turn;
  const n_unknown = citations.filter(({ state }) => state === "unknown").length;
  return (
    <article class="card chat-turn" aria-label={question}>
      <h2>{question}</h2>
      <Steps steps={steps} />
      <Answer text={answer} places={placesKept(citations)} />
      {stopped !== "" && <p class="chat-stopped">This answer is not whole: {stopped}.</p>}
      {n_unknown > 0 && (
        <p class="chat-stopped">
          <Icon name="warning" size={13} /> {n_unknown === 1 ? "One place in it is" : `${n_unknown} places in it are`}{" "}
          not in the index. Do not rely on what it says there.
        </p>
      )}
      <p class="chat-foot">
        <span>
          {model} · <Tokens usage={usage} cost={cost} />
        </span>
        {answer !== "" && (
          <button type="button" class="text-button" onClick={() => void copyAnswer(answer)}>
            Copy
          </button>
        )}
      </p>
    </article>
  );
}

export function LiveTurn({ live }: { live: Live }) {
  return (
    <article class="card chat-turn" aria-label={live.question} aria-busy="true">
      <h2>{live.question}</h2>
      <Steps steps={live.steps} isOpen />
      <Answer text={live.text} places={placesNow()} />
      <p class="chat-foot">
        <span role="status">{waiting.value ? "Waiting for your word, below" : live.note || "Writing…"}</span>
        <span>
          <Tokens usage={live.usage} cost={live.cost} />
        </span>
      </p>
    </article>
  );
}

function Tokens({ usage, cost }: { usage: Usage; cost: number | undefined }) {
  if (usage.input + usage.output === 0) return null;
  return (
    <>
      {usage.isEstimate ? "about " : ""}
      {`${count(usage.input)} tokens sent, ${count(usage.output)} received`}
      {cost !== undefined && ` · ${cost.toFixed(cost < 0.1 ? 4 : 2)} at your price`}
    </>
  );
}

const words: Readonly<Record<Step["state"], string>> = {
  running: "running",
  done: "",
  failed: "failed",
  refused: "refused: no tool that only reads",
};

function Steps({ steps, isOpen = false }: { steps: readonly Step[]; isOpen?: boolean }) {
  const n = steps.filter(({ tool }) => tool !== "").length;
  if (steps.length === 0) return null;
  return (
    <details class="chat-steps" open={isOpen}>
      <summary>{n === 1 ? "1 step" : `${n} steps`}</summary>
      <ol>
        {steps.map(({ id, tool, input, state, text }) =>
          tool === "" ? (
            <li key={id} class="chat-remark">
              {text}
            </li>
          ) : (
            <li key={id}>
              <details>
                <summary>
                  <code class="chat-tool">{tool}</code> <span class="chat-input">{argumentsOf(input)}</span>
                  {words[state] !== "" && (
                    <span class="tag" data-state={state}>
                      {words[state]}
                    </span>
                  )}
                </summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
                <pre tabIndex={0}>{text === "" ? "…" : text}</pre>
              </details>
            </li>
          ),
        )}
      </ol>
    </details>
  );
}

const drawnEvery = 120;

/** The answer, drawn again at most a few times a second while it arrives. */
function Answer({ text, places }: { text: string; places: PlaceCheck }) {
  const body = useRef<HTMLDivElement>(null);
  const drawn = useRef(0);
  useEffect(() => {
    const draw = () => {
      drawn.current = performance.now();
      body.current?.replaceChildren(drawAnswer(text, places, hrefOfPlace));
    };
    const timer = setTimeout(draw, Math.max(0, drawn.current + drawnEvery - performance.now()));
    return () => clearTimeout(timer);
  }, [text]);
  return <div ref={body} class="chat-answer" />;
}

function hrefOfPlace({ path, from, to }: Citation): string {
  return hashOf({ path, lines: { from, to } });
}
