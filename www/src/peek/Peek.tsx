//! The inside of a peek: a list of places and the code of the one that is chosen.

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { fileAt } from "../state/file.ts";
import { count } from "../state/format.ts";
import { openFile } from "../state/navigation.ts";
import { PeekCode } from "./code.ts";
import type { PeekItem, PeekList } from "./items.ts";
import "./peek.css";

export function Peek({ list, onClose }: { list: PeekList; onClose: () => void }) {
  const items = list.groups.flatMap((group) => group.items);
  const [chosen, setChosen] = useState<PeekItem | undefined>(items[0]);
  const open = (item: PeekItem) => {
    onClose();
    openFile(item.path, item.line);
  };
  return (
    <section
      class="peek"
      aria-label={list.title}
      onKeyDown={(event) => event.key === "Escape" && leave(event, onClose)}
    >
      <header class="peek-head">
        <strong>{list.title}</strong>
        {list.note !== "" && <span class="symbol-dim">{list.note}</span>}
        {chosen && (
          <button type="button" class="text-button peek-open" onClick={() => open(chosen)}>
            Open {chosen.path}:{chosen.line}
          </button>
        )}
        <button type="button" class="icon-button" aria-label="Close the peek" title="Close (Esc)" onClick={onClose}>
          <Icon name="close" size={14} />
        </button>
      </header>
      <div class="peek-body">
        {chosen ? <Body item={chosen} /> : <p class="empty">No use found in this repository.</p>}
        {items.length > 1 && (
          <div class="peek-list">
            {list.groups.map(({ title, items: group }) => (
              <div key={title}>
                {title !== "" && (
                  <p class="peek-part">
                    {title} <span class="symbol-dim">{count(group.length)}</span>
                  </p>
                )}
                {group.map((item, at) => (
                  <button
                    key={`${item.path}:${item.line}:${at}`}
                    type="button"
                    class="peek-item"
                    aria-current={item === chosen || undefined}
                    title={`${item.path}:${item.line}`}
                    onClick={() => setChosen(item)}
                    onDblClick={() => open(item)}
                    onKeyDown={moveFocus}
                  >
                    <span class="symbol-dim">
                      {item.path.slice(item.path.lastIndexOf("/") + 1)}:{item.line}
                    </span>
                    <code>{item.text}</code>
                  </button>
                ))}
              </div>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

function Body({ item }: { item: PeekItem }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let gone = false;
    let code: PeekCode | null = null;
    void fileAt(item.path).then((file) => {
      if (!gone && box.current && file) code = new PeekCode(box.current, file, item.line);
    });
    return () => {
      gone = true;
      code?.destroy();
    };
  }, [item]);
  return <div class="peek-code" ref={box} />;
}

function leave(event: KeyboardEvent, onClose: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  onClose();
}

// Arrow keys go through the list across its groups.
function moveFocus(event: KeyboardEvent): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const rows = [...(event.currentTarget.closest(".peek-list")?.querySelectorAll<HTMLElement>(".peek-item") ?? [])];
  const next = rows[rows.indexOf(event.currentTarget) + by];
  next?.focus();
  next?.click();
}
