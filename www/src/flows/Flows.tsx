//! Execution flows: the list of them, and the steps of the chosen one with their code.

import { useEffect, useRef, useState } from "preact/hooks";
import type { CodeIndex, FlowStep, ProcessesRequest, ProcessResponse, ProcessSummary } from "portolan";
import { narrow } from "../state/drawers.ts";
import { Growing } from "../controls/Growing.tsx";
import { Kind } from "../controls/Kind.tsx";
import { count, percent, plural } from "../state/format.ts";
import { askView, hashOf, hashOfView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { selectorOf } from "../state/symbol.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { Code } from "../views/Code.tsx";
import { Choice, Frame, Nothing, Waiting } from "../views/Frame.tsx";
import { endsOf, type EntryKind, entryKinds, entryWords, matching } from "./flows.ts";
import "./flows.css";

const mostFlows = 2000;
const rowsAtOnce = 80;

export function Flows({ repository }: { repository: Repository }) {
  const { args } = link.value;
  const kind = entryKinds.find((known) => known === args.kind);
  const question: ProcessesRequest = {
    limit: mostFlows,
    max_bytes: 8_000_000,
    ...(args.of ? { symbol: args.of } : {}),
    ...(kind ? { entry_kinds: [kind] } : {}),
  };
  const answer = useAnswer(repository, question, (index: CodeIndex, asked) => index.processes(asked));
  const all = shownOf(answer);
  const [typed, setTyped] = useState("");
  const flows = matching(all?.processes ?? [], typed);
  const chosen = args.flow ?? "";
  return (
    <Frame
      title="Flows"
      words="Chains of calls from the places where the program is entered to what they achieve."
      busy={answer.state === "running"}
      controls={
        <>
          <label class="filter-field">
            <span>Filter</span>
            <input
              value={typed}
              placeholder="name or path"
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          {args.of && (
            <span class="filter-field">
              Through <code>{args.of}</code>
              <button type="button" class="text-button" onClick={() => askView({ of: "", flow: "" })}>
                Show all
              </button>
            </span>
          )}
        </>
      }
      options={{
        fields: (
          <Choice<EntryKind | "">
            label="Begins with"
            value={kind ?? ""}
            options={[["", "any but tests"], ...entryKinds.map((known) => [known, entryWords(known)] as const)]}
            onChange={(next) => askView({ kind: next, flow: "" }, "replace")}
          />
        ),
        names: ["kind"],
      }}
    >
      <Waiting answer={answer} title="The flows cannot be shown" words="Reading the flows…" />
      {all && flows.length === 0 && (
        <Nothing title={all.processes.length === 0 ? "No flows" : "No flow matches"}>
          <p>
            {all.processes.length === 0
              ? "A flow needs calls between definitions of this repository. Tests have flows of their own: choose “test” above."
              : "Each word must be in the flow's name, or in the path of its first or last step."}
          </p>
        </Nothing>
      )}
      {flows.length > 0 && (
        <div class="flows">
          <List flows={flows} chosen={chosen} />
          {chosen === "" ? (
            <p class="flows-hint">Choose a flow to read its steps.</p>
          ) : (
            <Steps repository={repository} label={chosen} />
          )}
        </div>
      )}
    </Frame>
  );
}

function List({ flows, chosen }: { flows: readonly ProcessSummary[]; chosen: string }) {
  return (
    <nav class="card flows-list" aria-label="Flows">
      <h2>{plural(flows.length, "flow")}</h2>
      <ul class="rows">
        <Growing items={flows} step={rowsAtOnce} draw={(flow) => <Item key={flow.id} flow={flow} chosen={chosen} />} />
      </ul>
    </nav>
  );
}

function Item({ flow: { label, entry, entry_kind: kind, n_steps: n } }: { flow: ProcessSummary; chosen: string }) {
  const [from, to] = endsOf(label);
  // Read here, not from what the list passed: rows of a growing list are drawn once.
  const isChosen = link.value.args.flow === label;
  return (
    <li>
      <a
        class="flow"
        href={hashOfView("flows", { ...link.value.args, flow: label })}
        aria-current={isChosen ? "true" : undefined}
      >
        <span class="flow-name">{from}</span>
        {to !== "" && <span class="flow-to">→ {to}</span>}
        <span class="flow-facts">
          {entryWords(kind)} · {plural(n, "step")} · {entry.path}
        </span>
      </a>
    </li>
  );
}

function Steps({ repository, label }: { repository: Repository; label: string }) {
  const answer = useAnswer(repository, label, (index: CodeIndex, process) => index.process(process));
  const flow = shownOf(answer);
  const box = useRef<HTMLElement>(null);
  // On a narrow page the steps are below the list: bring them into sight.
  useEffect(() => {
    if (narrow.peek() && flow?.process.label === label) box.current?.scrollIntoView({ block: "nearest" });
  }, [flow, label]);
  return (
    <section class="flows-steps" ref={box} aria-label="Steps" aria-busy={answer.state === "running"}>
      <Waiting answer={answer} title="This flow is not there" words="Reading its steps…" />
      {flow && answer.state !== "failed" && <Flow repository={repository} flow={flow} />}
    </section>
  );
}

function Flow({ repository, flow: { process, steps } }: { repository: Repository; flow: ProcessResponse }) {
  return (
    <div class="card">
      <h2>
        {process.label}
        <span class="card-count">
          {plural(process.n_steps, "step")},{" "}
          {process.process_type === "cross_community" ? "across areas" : "in one area"}
        </span>
      </h2>
      <ol class="steps">
        {steps.map((step, at) => (
          <Step key={`${process.id}:${step.step}`} repository={repository} step={step} before={steps[at - 1]} />
        ))}
      </ol>
    </div>
  );
}

const firstLines = 5;

function Step({
  repository,
  step: { step, symbol, confidence, community },
  before,
}: {
  repository: Repository;
  step: FlowStep;
  before: FlowStep | undefined;
}) {
  const [open, setOpen] = useState(false);
  const { path, line } = symbol;
  const isFile = symbol.kind === "file";
  return (
    <li class="step">
      <span class="step-number" aria-hidden="true">
        {step}
      </span>
      <div class="step-body">
        <p class="step-head">
          <Kind kind={symbol.kind} />
          <a
            class="row-name"
            href={hashOf({ path, lines: { from: line, to: line }, symbol: isFile ? "" : selectorOf(symbol) })}
          >
            {isFile ? path : symbol.qualified_name}
          </a>
          {confidence < 1 && (
            <span class="row-end" title={`${percent(confidence)} of calls found by this rule are right`}>
              {percent(confidence)}
            </span>
          )}
          {community !== undefined && community !== before?.community && <span class="tag">{community}</span>}
          <span class="row-path">
            <bdi dir="ltr">{`${path}:${line}`}</bdi>
          </span>
        </p>
        <Code repository={repository} path={path} from={line} to={line + (open ? 29 : firstLines - 1)} />
        <button type="button" class="text-button step-more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Fewer lines" : "More lines"}
          <span class="unseen"> of step {count(step)}</span>
        </button>
      </div>
    </li>
  );
}
