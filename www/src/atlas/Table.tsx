//! The same contents as a table: for the keyboard, for screen readers, and for exact figures.

import { useMemo, useState } from "preact/hooks";
import { count } from "../state/format.ts";
import { hashOf, link } from "../state/navigation.ts";
import { withArgs } from "./asked.ts";
import type { Item } from "./scene.ts";

interface Column {
  readonly id: string;
  readonly title: string;
  readonly isNumber: boolean;
  value(item: Item): string | number;
}

const text = (id: string, title: string, value: (item: Item) => string): Column => ({
  id,
  title,
  isNumber: false,
  value,
});
const number = (id: string, title: string, value: (item: Item) => number): Column => ({
  id,
  title,
  isNumber: true,
  value,
});

const columns: Readonly<Record<"areas" | "files" | "symbols", readonly Column[]>> = {
  areas: [
    text("name", "Area", ({ name }) => name),
    number("files", "Files", ({ files }) => files),
    number("symbols", "Definitions", ({ symbols }) => symbols),
    number("lines", "Lines", ({ lines }) => lines),
    number("complexity", "Complexity", ({ complexity }) => complexity),
    number("tests", "Test files", ({ tests }) => tests),
  ],
  files: [
    text("name", "File", ({ name }) => name),
    text("area", "Area", ({ area }) => area),
    text("language", "Language", ({ language }) => language),
    number("lines", "Lines", ({ lines }) => lines),
    number("symbols", "Definitions", ({ symbols }) => symbols),
    number("complexity", "Complexity", ({ complexity }) => complexity),
    text("tests", "Tests", ({ isTest }) => (isTest ? "yes" : "")),
    number("churn", "Commits", ({ churn }) => churn ?? 0),
  ],
  symbols: [
    text("name", "Definition", ({ name }) => name),
    text("kind", "Kind", ({ kind }) => kind),
    text("path", "File", ({ path }) => path),
    number("line", "Line", ({ line }) => line),
    number("complexity", "Complexity", ({ complexity }) => complexity),
  ],
};

/** Commits have a column where the history was read. */
function columnsOf(level: "areas" | "files" | "symbols", items: readonly Item[]): readonly Column[] {
  return columns[level].filter(({ id }) => id !== "churn" || items.some(({ churn }) => churn !== undefined));
}

/** Rows drawn at once, and by each "more". */
const moreRows = 100;

export function Table({ items, level }: { items: readonly Item[]; level: "areas" | "files" | "symbols" }) {
  const shown = columnsOf(level, items);
  const [order, setOrder] = useState({ id: "", isDown: true });
  const [rows, setRows] = useState(moreRows);
  const sorted = useMemo(() => {
    const column = shown.find(({ id }) => id === order.id);
    if (!column) return items;
    const sign = order.isDown ? -1 : 1;
    return [...items].sort((a, b) => {
      const [one, other] = [column.value(a), column.value(b)];
      return (one < other ? -1 : one > other ? 1 : 0) * sign;
    });
  }, [items, level, order]);
  const sortBy = ({ id, isNumber }: Column) =>
    setOrder(({ id: before, isDown }) => ({ id, isDown: before === id ? !isDown : isNumber }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys
    <section class="atlas-table" tabIndex={0} aria-label="Table of the map">
      <table>
        <thead>
          <tr>
            {shown.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={order.id !== column.id ? "none" : order.isDown ? "descending" : "ascending"}
              >
                <button type="button" onClick={() => sortBy(column)}>
                  {column.title}
                  {order.id === column.id && <span aria-hidden="true">{order.isDown ? " ↓" : " ↑"}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, rows).map((item) => (
            <Row key={`${item.path} ${item.line} ${item.name}`} item={item} level={level} others={shown.slice(1)} />
          ))}
        </tbody>
      </table>
      {rows < sorted.length && (
        <button type="button" class="button" onClick={() => setRows(rows + moreRows)}>
          {`Show more of ${count(sorted.length)}`}
        </button>
      )}
    </section>
  );
}

interface RowProps {
  item: Item;
  level: "areas" | "files" | "symbols";
  others: readonly Column[];
}

function Row({ item, level, others }: RowProps) {
  const args = link.value.args;
  const href = {
    areas: () => hashOf({ args: withArgs(args, { area: item.name, level: "files" }) }),
    files: () => hashOf({ args: withArgs(args, { file: item.path, level: "" }) }),
    symbols: () => hashOf({ path: item.path, lines: { from: item.line, to: item.line } }),
  }[level]();
  return (
    <tr>
      <th scope="row">
        <a href={href}>{item.name}</a>
      </th>
      {others.map((column) => {
        const value = column.value(item);
        return (
          <td key={column.id} class={column.isNumber ? "atlas-number" : ""}>
            {typeof value === "number" ? count(value) : value}
          </td>
        );
      })}
    </tr>
  );
}
