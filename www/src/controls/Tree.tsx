//! An accessible tree of any size: only the rows in sight are in the page.
//!
//! The focus stays on the tree itself and `aria-activedescendant` says which row it is on, so a row may leave the page while
//! it scrolls. Rows have one height.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./Icon.tsx";
import { deedOf, type Row, type TreeNode, typeAhead } from "./rows.ts";
import "./tree.css";

interface Props<N extends TreeNode> {
  label: string;
  rows: readonly Row<N>[];
  /** Id of the row that is shown elsewhere (the open file); it is marked and scrolled to. */
  selected: string;
  /** Rows with children are chosen like leaves; only their mark opens and closes them. */
  choosable?: boolean;
  draw(node: N, row: Row<N>): ComponentChildren;
  onToggle(node: N): void;
  onChoose(node: N): void;
}

export const rowHeight = 26;
const spare = 12;
const typingPause = 700;

export function Tree<N extends TreeNode>({ label, rows, selected, choosable = false, draw, onToggle, onChoose }: Props<N>) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ letters: "", at: 0 });
  const [activeId, setActiveId] = useState(selected);
  const [view, setView] = useState({ top: 0, height: 600 });
  const active = rows.findIndex(({ node }) => node.id === activeId);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  const reveal = (index: number) => {
    const element = box.current;
    if (!element || index < 0) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight - element.clientHeight + 2 * rowHeight;
  };

  useEffect(() => {
    if (selected === "") return;
    setActiveId(selected);
    reveal(rows.findIndex(({ node }) => node.id === selected));
    // Only a new selection moves the tree, not a row that opens above it.
  }, [selected]);

  const go = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveId(row.node.id);
    reveal(index);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const deed = deedOf(rows, active, event.key, Math.max(1, Math.floor(view.height / rowHeight) - 1));
    if (deed) {
      event.preventDefault();
      typed.current.letters = "";
      if ("to" in deed) go(deed.to);
      else if ("toggle" in deed) rows[deed.toggle] && onToggle(rows[deed.toggle]!.node);
      else activate(deed.choose);
      return;
    }
    if (event.key.length !== 1 || event.key === "/" || event.key === "?") return;
    const now = Date.now();
    typed.current = { letters: now - typed.current.at > typingPause ? event.key : typed.current.letters + event.key, at: now };
    const found = typeAhead(rows, active, typed.current.letters);
    event.preventDefault();
    if (found >= 0) go(found);
  };

  const activate = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveId(row.node.id);
    if (row.expanded === undefined || choosable) onChoose(row.node);
    else onToggle(row.node);
  };

  const onClick = (event: MouseEvent, index: number) => {
    const row = rows[index];
    const onMark = event.target instanceof Element && event.target.closest(".tree-mark") !== null;
    if (row?.expanded !== undefined && onMark) onToggle(row.node);
    else activate(index);
  };

  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spare);
  const name = label.replaceAll(/\W+/g, "-").toLowerCase();
  const inSight = active >= first && active < last;

  return (
    <div ref={box} class="tree" role="tree" aria-label={label} tabIndex={0} aria-activedescendant={inSight ? `${name}-${active}` : undefined} onKeyDown={onKeyDown} onFocus={() => active < 0 && go(0)}>
      <div class="tree-space" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, offset) => {
          const index = first + offset;
          return (
            <div
              key={row.node.id}
              id={`${name}-${index}`}
              class="tree-row"
              role="treeitem"
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.expanded}
              aria-selected={row.node.id === selected}
              data-active={index === active || undefined}
              style={{ top: `${index * rowHeight}px`, paddingLeft: `${6 + (row.level - 1) * 14}px` }}
              onClick={(event) => onClick(event, index)}
            >
              <span class="tree-mark" data-open={row.expanded || undefined}>
                {row.expanded !== undefined && <Icon name="chevron" size={12} />}
              </span>
              {draw(row.node, row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
