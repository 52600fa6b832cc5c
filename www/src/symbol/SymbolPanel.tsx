//! The card of a symbol: what it is, who uses it, who calls it, whom it calls.

import { useMemo, useState } from "preact/hooks";
import type { Call, Reference, Symbol as Definition } from "portolan";
import { count, percent, plural, splitPath } from "../state/format.ts";
import { Growing } from "../controls/Growing.tsx";
import { Icon } from "../controls/Icon.tsx";
import { Kind } from "../controls/Kind.tsx";
import { Tabs } from "../controls/Tabs.tsx";
import { byPart } from "../peek/product.ts";
import { maxDepth } from "../state/link.ts";
import { hashOf, link, navigate } from "../state/navigation.ts";
import {
  byDepth,
  byFile,
  candidates,
  type Cut,
  selectorOf,
  symbol,
  type SymbolCard,
  type Tab,
  tab,
} from "../state/symbol.ts";
import { ViewLinks } from "../views/ViewLinks.tsx";
import { TextMatches } from "./TextMatches.tsx";
import "./symbol.css";

export function SymbolPanel() {
  const state = symbol.value;
  const card = state.state === "ready" ? state.card : state.state === "loading" ? state.before : null;
  return (
    <section class="symbol" aria-label="Symbol" aria-busy={state.state === "loading"}>
      <header class="symbol-head">
        <h2>Symbol</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Close the symbol"
          title="Close"
          onClick={() => navigate({ symbol: "" })}
        >
          <Icon name="close" size={14} />
        </button>
      </header>
      {state.state === "failed" && (
        <div class="empty" role="alert">
          <strong>{state.selector} was not found</strong>
          <p>{state.message}</p>
          {state.help !== "" && <p>{state.help}</p>}
        </div>
      )}
      {!card && state.state === "loading" && <p class="empty">Loading…</p>}
      {card &&
        (card.definitions.length === 0 ? (
          <p class="empty">Nothing in this repository is named {card.selector}.</p>
        ) : (
          <Card card={card} />
        ))}
    </section>
  );
}

function Card({ card }: { card: SymbolCard }) {
  const first = card.definitions[0] as Definition;
  return (
    <>
      <div class="symbol-card">
        <Definitions definitions={card.definitions} />
        <Others first={first} />
        <ViewLinks of={selectorOf(first)} />
      </div>
      <Tabs<Tab>
        label="Uses of the symbol"
        value={tab.value}
        onChange={(next) => (tab.value = next)}
        tabs={[
          { id: "references", label: "References", count: card.references.total },
          { id: "callers", label: "Callers", count: card.callers.total },
          { id: "callees", label: "Calls", count: card.callees.total },
        ]}
      >
        {tab.value === "references" ? (
          <References cut={card.references} />
        ) : (
          <Calls cut={tab.value === "callers" ? card.callers : card.callees} callers={tab.value === "callers"} />
        )}
        {isUnresolved(card) && (
          <TextMatches definitions={card.definitions} what={tab.value === "callees" ? "calls" : "uses"} />
        )}
      </Tabs>
    </>
  );
}

/** Whether the list shown is empty: then the text may still hold what was not resolved. */
function isUnresolved({ references, callers, callees }: SymbolCard): boolean {
  const shown = { references, callers, callees }[tab.value];
  return shown.items.length === 0;
}

function Definitions({ definitions }: { definitions: readonly Definition[] }) {
  const [first, ...others] = definitions as [Definition, ...Definition[]];
  return (
    <>
      <p class="symbol-name">
        <Kind kind={first.kind} />
        <span>{first.qualified_name}</span>
      </p>
      <p class="symbol-place">
        {first.kind.replaceAll("_", " ")} in <PlaceLink path={first.path} line={first.line} symbol={first} full />
      </p>
      {first.signature !== "" && <pre class="symbol-signature">{first.signature}</pre>}
      {first.doc !== "" && <Doc text={first.doc} />}
      {others.length > 0 && (
        <details class="symbol-others">
          <summary>{plural(others.length, "other definition")} of this name</summary>
          <ul>
            {others.map((other) => (
              <li key={other.id}>
                <PlaceLink path={other.path} line={other.line} symbol={other} full />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const longDoc = 320;

function Doc({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const long = text.length > longDoc;
  return (
    <div class="symbol-doc">
      <p>{long && !open ? `${text.slice(0, longDoc).trimEnd()}…` : text}</p>
      {long && (
        <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : "More"}
        </button>
      )}
    </div>
  );
}

// The name that was clicked may mean something else than what is shown first.
function Others({ first }: { first: Definition }) {
  const list = candidates.value;
  const own = list.find((target) => selectorOf(target.symbol) === selectorOf(first));
  if (!own) return null;
  const others = list.filter((target) => target !== own);
  return (
    <div class="symbol-why">
      <p>
        Found by <Rule confidence={own.confidence} reason={own.reason} />
      </p>
      {others.length > 0 && (
        <details class="symbol-others">
          <summary>It may also mean {plural(others.length, "other definition")}</summary>
          <ul>
            {others.map(({ symbol: other, confidence, reason }) => (
              <li key={other.id}>
                <a href={hashOf({ symbol: selectorOf(other) })}>{other.qualified_name}</a>{" "}
                <span class="symbol-dim">{other.path}</span> <Rule confidence={confidence} reason={reason} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Rule({ confidence, reason }: { confidence: number; reason: string }) {
  return (
    <span class="rule" title={`Found by the rule “${reason}”: ${percent(confidence)} of its results are right`}>
      {reason.replaceAll("-", " ")} <span>{percent(confidence)}</span>
    </span>
  );
}

function PlaceLink({
  path,
  line,
  symbol: target,
  full = false,
}: {
  path: string;
  line: number;
  symbol?: Definition;
  full?: boolean;
}) {
  const [folder, name] = splitPath(path);
  return (
    <a
      class="place"
      href={hashOf({ path, lines: { from: line, to: line }, ...(target ? { symbol: selectorOf(target) } : {}) })}
      title={`${path}:${line}`}
    >
      {full && <span class="symbol-dim">{folder}</span>}
      {name}:{line}
    </a>
  );
}

function References({ cut }: { cut: Cut<Reference> }) {
  const parts = useMemo(() => byPart(byFile(cut.items), ([path]) => path), [cut]);
  if (cut.items.length === 0) return <p class="empty">No resolved use in this repository.</p>;
  return (
    <>
      {parts.map(({ id, title, items }) => (
        <div key={id}>
          {parts.length > 1 && (
            <p class="use-part">
              {title} <span class="symbol-dim">{plural(items.length, "file")}</span>
            </p>
          )}
          <Growing
            items={items}
            step={12}
            draw={([path, references]) => <UsesInFile key={path} path={path} references={references} />}
          />
        </div>
      ))}
      <Rest cut={cut} />
    </>
  );
}

function UsesInFile({ path, references }: { path: string; references: readonly Reference[] }) {
  const [folder, name] = splitPath(path);
  return (
    <div class="use-file">
      <h3 title={path}>
        <span>{name}</span>
        <span class="symbol-dim">{folder.replace(/\/$/, "")}</span>
        <span class="use-count">{references.length}</span>
      </h3>
      <Growing
        items={references}
        step={60}
        draw={(reference) => <Use key={`${reference.line}:${reference.range.start.character}`} reference={reference} />}
      />
    </div>
  );
}

function Use({ reference: { path, line, text, confidence, reason, enclosing, form } }: { reference: Reference }) {
  return (
    <a
      class="use"
      href={hashOf({ path, lines: { from: line, to: line } })}
      title={`${form.replaceAll("_", " ")}${enclosing ? ` in ${enclosing}` : ""}\nby ${reason.replaceAll("-", " ")}, ${percent(confidence)}`}
    >
      <span class="use-line">{line}</span>
      <code>{text}</code>
      {confidence < 0.7 && <span class="unsure">unsure</span>}
    </a>
  );
}

function Calls({ cut, callers }: { cut: Cut<Call>; callers: boolean }) {
  const { depth } = link.value;
  const steps = useMemo(() => byDepth(cut.items), [cut]);
  return (
    <>
      <div class="depth">
        <span id="depth-label">Steps</span>
        <button
          type="button"
          class="icon-button"
          aria-label="Fewer steps"
          disabled={depth <= 1}
          onClick={() => navigate({ depth: depth - 1 }, "replace")}
        >
          −
        </button>
        <output aria-labelledby="depth-label">{depth}</output>
        <button
          type="button"
          class="icon-button"
          aria-label="More steps"
          disabled={depth >= maxDepth}
          onClick={() => navigate({ depth: depth + 1 }, "replace")}
        >
          +
        </button>
      </div>
      {cut.items.length === 0 && (
        <p class="empty">
          {callers
            ? "No resolved caller in this repository."
            : "No call in it leads to a definition of this repository."}
        </p>
      )}
      {steps.map(([step, calls]) => (
        <div key={step} class="use-file">
          {depth > 1 && (
            <h3>
              <span>{step === 1 ? (callers ? "Calls it" : "Called by it") : `${step} steps away`}</span>
              <span class="use-count">{calls.length}</span>
            </h3>
          )}
          <Growing
            items={calls}
            step={60}
            draw={(call) => (
              <CallRow key={`${call.path}:${call.line}:${call.symbol?.id}:${call.via}`} call={call} callers={callers} />
            )}
          />
        </div>
      ))}
      <Rest cut={cut} />
    </>
  );
}

function CallRow({ call, callers }: { call: Call; callers: boolean }) {
  const { symbol: other, confidence, reason } = call;
  // A caller is shown at its call; a callee at its definition.
  const { path, line } = callers || !other ? call : other;
  const [, name] = splitPath(path);
  return (
    <div class="call">
      <a
        class="call-link"
        href={hashOf({ path, lines: { from: line, to: line } })}
        title={`${path}:${line}\nby ${reason.replaceAll("-", " ")}, ${percent(confidence)}`}
      >
        {other ? (
          <Kind kind={other.kind} />
        ) : (
          <span class="call-file">
            <Icon name="file" size={14} />
          </span>
        )}
        <span class="call-name">{other?.qualified_name ?? name}</span>
        {confidence < 0.7 && <span class="unsure">unsure</span>}
        <span class="symbol-dim call-place">{other ? `${name}:${line}` : `line ${line}`}</span>
      </a>
      {other && (
        <a
          class="icon-button"
          href={hashOf({ symbol: selectorOf(other) })}
          title={`Show ${other.name} here`}
          aria-label={`Show ${other.qualified_name} in this panel`}
        >
          <Icon name="chevron" size={12} />
        </a>
      )}
    </div>
  );
}

function Rest({ cut }: { cut: Cut<unknown> }) {
  return cut.total > cut.items.length ? (
    <p class="rest">
      The first {count(cut.items.length)} of {count(cut.total)} are shown.
    </p>
  ) : null;
}
