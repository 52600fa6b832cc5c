//! The card of a name: what it is, where it comes from, how sure that is, and what can be done with it.

import { HIGHLIGHT_CLASSES } from "portolan";
import { className, type Part } from "../state/columns.ts";
import { Kind } from "../controls/Kind.tsx";
import { count, plural } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import type { Block, Span } from "./doc.ts";
import type { Facts } from "./facts.ts";
import { inPlainWords } from "./words.ts";
import "./hover.css";

export type CardAction = "go" | "peek" | "references";

const classes = HIGHLIGHT_CLASSES.map(className);

export function Card({ facts, onAction }: { facts: Facts; onAction: (action: CardAction) => void }) {
  return (
    <section class="card" aria-label="About this name">
      {facts.kind === "definitions" && <Defined facts={facts} />}
      {facts.kind === "local" && <Local facts={facts} />}
      {facts.kind === "text" && <Words facts={facts} />}
      <p class="card-actions">
        {facts.kind !== "text" && (
          <button type="button" class="text-button" onClick={() => onAction("go")}>
            {facts.kind === "local" ? `Go to line ${facts.line.number}` : "Go to definition"}
          </button>
        )}
        {facts.kind === "definitions" && (
          <button type="button" class="text-button" onClick={() => onAction("peek")}>
            Peek
          </button>
        )}
        <button type="button" class="text-button" onClick={() => onAction("references")}>
          {facts.kind === "text" ? "Peek the matches" : facts.kind === "local" ? "Peek its uses" : "Uses"}
        </button>
      </p>
    </section>
  );
}

function Defined({ facts }: { facts: Extract<Facts, { kind: "definitions" }> }) {
  const { symbol, confidence, reason } = facts.target;
  return (
    <>
      <pre class="card-code">
        <Code pieces={facts.signature.length > 0 ? facts.signature : [{ text: symbol.qualified_name, colour: -1 }]} />
      </pre>
      <p class="card-place">
        <Kind kind={symbol.kind} /> {symbol.kind.replaceAll("_", " ")} <strong>{symbol.qualified_name}</strong> in{" "}
        {symbol.path}:{symbol.line}
      </p>
      {facts.doc.length > 0 && (
        <div class="card-doc">
          {facts.doc.map((block, at) => (
            <DocBlock key={at} block={block} />
          ))}
        </div>
      )}
      <p class="card-why">
        {inPlainWords(confidence, reason)}.
        {facts.others > 0 && ` It may also mean ${plural(facts.others, "other definition")}; the panel lists them.`}
      </p>
    </>
  );
}

function Local({ facts }: { facts: Extract<Facts, { kind: "local" }> }) {
  const { what, name, module, line, n_uses } = facts;
  return (
    <>
      <pre class="card-code">
        <Code pieces={line.pieces} />
      </pre>
      <p class="card-place">
        {what === "import" ? (
          <>
            <strong>{name}</strong> is imported{module !== "" && " from "}
            {module !== "" && <strong>{module}</strong>}
            {!/^[./]|^crate\b|^super\b|^self\b/.test(module) && ", which is outside of this repository"}
          </>
        ) : (
          <>
            <strong>{name}</strong> is a {what === "parameter" ? "parameter" : "local variable"} of this file, line{" "}
            {line.number}
          </>
        )}
      </p>
      <p class="card-why">{n_uses === 0 ? "No use in this file." : `${plural(n_uses, "use")} in this file.`}</p>
    </>
  );
}

function Words({ facts }: { facts: Extract<Facts, { kind: "text" }> }) {
  const { name, matches, isCut } = facts;
  const files = new Set(matches.map(({ path }) => path)).size;
  return (
    <>
      <p class="card-place">
        <strong>{name}</strong> could not be resolved to a definition.
      </p>
      <p class="card-why">
        The same word is on {isCut ? "more than " : ""}
        {plural(matches.length, "line")} of {count(files)} {files === 1 ? "file" : "files"}. These are matches of the
        text: they may mean something else.{" "}
        <a href={hashOf({ path: "", lines: null, view: "", query: name, mode: "regex", wholeWord: true })}>
          Search for {name}
        </a>
      </p>
    </>
  );
}

/** Code in its colours. */
export function Code({ pieces }: { pieces: readonly Part[] }) {
  return (
    <code>
      {pieces.map(({ text, colour }, at) => (
        <span key={at} class={classes[colour] ?? ""}>
          {text}
        </span>
      ))}
    </code>
  );
}

function DocBlock({ block }: { block: Block }) {
  if (block.kind === "code") return <pre class="card-code">{block.text}</pre>;
  if (block.kind === "tag")
    return (
      <p class="card-tag">
        <span class="card-tag-name">{block.tag}</span> {block.name !== "" && <code>{block.name}</code>}{" "}
        <Spans spans={block.spans} />
      </p>
    );
  return (
    <p class={`card-${block.kind}`}>
      <Spans spans={block.spans} />
    </p>
  );
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return <>{spans.map(({ text, isCode }, at) => (isCode ? <code key={at}>{text}</code> : text))}</>;
}
