//! An accessible tree of any size: only the rows in sight are in the page.
//!
//! The focus stays on the tree itself and `aria-activedescendant` says which row it is on, so a row may leave the page while
//! it scrolls. Rows have one height.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./Icon.tsx";
import { rowHeight } from "./row-height.ts";
import { actionOf, type Row, type TreeNode, typeAhead } from "./rows.ts";
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

const spare = 12;
const typingPause = 700;

export function Tree<N extends TreeNode>(props: Props<N>) {
  const { label, rows, selected, draw } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useView(box);
  const { active, go, onKeyDown, onClick } = useActiveRow(props, box, view.height);
  const [first, last] = inSightOf(view, rows.length);
  const name = label.replaceAll(/\W+/g, "-").toLowerCase();
  const inSight = active >= first && active < last;

  return (
    <div
      ref={box}
      class="tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={inSight ? `${name}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => active < 0 && go(0)}
    >
      <div class="tree-space" role="presentation" style={{ height: `${rows.length * rowHeight.value}px` }}>
        {rows.slice(first, last).map((row, offset) => (
          <TreeRow
            key={row.node.id}
            row={row}
            id={`${name}-${first + offset}`}
            index={first + offset}
            isSelected={row.node.id === selected}
            isActive={first + offset === active}
            onClick={(event) => onClick(event, first + offset)}
          >
            {draw(row.node, row)}
          </TreeRow>
        ))}
      </div>
    </div>
  );
}

/** The row that keys act on: it follows the selection, the keyboard and the mouse. */
function useActiveRow<N extends TreeNode>(
  { rows, selected, choosable = false, onToggle, onChoose }: Props<N>,
  box: RefObject<HTMLDivElement | null>,
  height: number,
) {
  const typed = useTyped();
  const [activeId, setActiveId] = useState(selected);
  const active = rows.findIndex(({ node }) => node.id === activeId);

  // Before the next key can move the active row: an effect after the paint would undo that move.
  useLayoutEffect(() => {
    if (selected === "") return;
    setActiveId(selected);
    reveal(
      box.current,
      rows.findIndex(({ node }) => node.id === selected),
    );
    // Only a new selection moves the tree, not a row that opens above it.
  }, [selected]);

  const go = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveId(row.node.id);
    reveal(box.current, index);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(rows, active, event.key, Math.max(1, Math.floor(height / rowHeight.value) - 1));
    if (action) {
      event.preventDefault();
      typed.clear();
      if ("to" in action) go(action.to);
      else if ("toggle" in action) {
        const row = rows[action.toggle];
        if (row) onToggle(row.node);
      } else activate(action.choose);
      return;
    }
    if (event.key.length !== 1 || event.key === "/" || event.key === "?") return;
    event.preventDefault();
    go(typeAhead(rows, active, typed.add(event.key)));
  };

  const activate = (index: number, onMark = false) => {
    const row = rows[index];
    if (!row) return;
    if (!onMark) setActiveId(row.node.id);
    if (row.expanded !== undefined && (onMark || !choosable)) onToggle(row.node);
    else onChoose(row.node);
  };

  const onClick = (event: MouseEvent, index: number) =>
    activate(
      index,
      event.target instanceof Element &&
        event.target.closest(".tree-mark") !== null &&
        rows[index]?.expanded !== undefined,
    );

  return { active, go, onKeyDown, onClick };
}

interface RowProps {
  row: Row<TreeNode>;
  id: string;
  index: number;
  isSelected: boolean;
  isActive: boolean;
  onClick(event: MouseEvent): void;
  children: ComponentChildren;
}

function TreeRow({
  row: { level, position, siblings, expanded },
  id,
  index,
  isSelected,
  isActive,
  onClick,
  children,
}: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and names the row (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      id={id}
      class="tree-row"
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={expanded}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      style={{
        top: `${index * rowHeight.value}px`,
        height: `${rowHeight.value}px`,
        paddingLeft: `${6 + (level - 1) * 14}px`,
      }}
      onClick={onClick}
    >
      <span class="tree-mark" data-open={expanded || undefined}>
        {expanded !== undefined && <Icon name="chevron" size={12} />}
      </span>
      {children}
    </div>
  );
}

/** The rows to draw: those in sight, and some around them. */
function inSightOf({ top, height }: { top: number; height: number }, n: number): [first: number, last: number] {
  return [
    Math.max(0, Math.floor(top / rowHeight.value) - spare),
    Math.min(n, Math.ceil((top + height) / rowHeight.value) + spare),
  ];
}

function reveal(element: HTMLElement | null, index: number): void {
  if (!element || index < 0) return;
  const top = index * rowHeight.value;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight.value > element.scrollTop + element.clientHeight)
    element.scrollTop = top + rowHeight.value - element.clientHeight + 2 * rowHeight.value;
}

/** The letters typed one soon after the other. */
function useTyped(): { add(letter: string): string; clear(): void } {
  const typed = useRef({ letters: "", at: 0 });
  return {
    add(letter) {
      const { letters, at } = typed.current;
      const now = Date.now();
      typed.current = { letters: now - at > typingPause ? letter : letters + letter, at: now };
      return typed.current.letters;
    },
    clear() {
      typed.current = { letters: "", at: 0 };
    },
  };
}

/** Scroll position and visible height of the tree. */
function useView(box: RefObject<HTMLElement | null>): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
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
  return view;
}
