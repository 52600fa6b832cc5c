//! The next request, before it is sent: every piece of it can be read, and most can be left out.

import { useEffect, useRef, useState } from "preact/hooks";
import { tokensOfText, type Piece } from "portolan/chat";
import { Icon } from "../controls/Icon.tsx";
import { count } from "../state/format.ts";
import type { Waiting } from "./session.ts";
import "./chat.css";

export function Review({ waiting: { outgoing, decide } }: { waiting: Waiting }) {
  const { host, model, otherwise, pieces, n_tokens } = outgoing;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const saved = pieces.filter(({ id }) => left.has(id)).reduce((sum, { text }) => sum + tokensOfText(text), 0);
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const where = host === "" ? "the model of this browser" : host;
  const others = [...new Set(otherwise.map((one) => one.host).filter((one) => one !== host && one !== ""))];
  return (
    <section class="card chat-review" aria-label="What is sent">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="shield" size={14} /> This goes to {where}
        <span class="card-count">
          {model}, about {count(Math.max(0, n_tokens - saved))} tokens
        </span>
      </h2>
      <ul class="rows">
        {pieces.map((piece) => (
          <PieceRow key={piece.id} piece={piece} isLeft={left.has(piece.id)} onToggle={() => toggle(piece.id)} />
        ))}
      </ul>
      {pieces.some(({ kind }) => kind === "tools") && (
        <p>
          The model may then ask to read more; what its tools answer goes to the same host. “Show every request” in the
          settings lets you check each.
        </p>
      )}
      {others.length > 0 && <p>If it fails, the same goes to {others.join(", then ")}.</p>}
      <p class="chat-actions">
        <button type="button" class="button button-main button-small" onClick={() => decide([...left])}>
          Send
        </button>
        <button type="button" class="button button-small" onClick={() => decide(null)}>
          Do not send
        </button>
      </p>
    </section>
  );
}

function PieceRow({ piece, isLeft, onToggle }: { piece: Piece; isLeft: boolean; onToggle(): void }) {
  const { title, text, canLeave, id } = piece;
  return (
    <li class="chat-piece" data-left={isLeft || undefined}>
      {canLeave ? (
        <input id={`piece-${id}`} type="checkbox" checked={!isLeft} onChange={onToggle} aria-label={`Send ${title}`} />
      ) : (
        <span class="chat-must" title="The question needs it">
          <Icon name="check" size={13} />
        </span>
      )}
      <details>
        <summary>
          <span class="chat-title">{title}</span> <span class="row-end">{count(tokensOfText(text))} tokens</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <pre tabIndex={0}>{text}</pre>
      </details>
    </li>
  );
}
