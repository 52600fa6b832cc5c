//! The selected node of the graph: its figures, links and relations.

import type { AtlasResponse } from "portolan";
import { count, plural } from "../state/format.ts";
import { hashOf, link } from "../state/navigation.ts";
import { type Level, withArgs } from "./asked.ts";
import { Picked } from "./Picked.tsx";
import { type Item, neighboursOf } from "./scene.ts";

interface Props {
  items: readonly Item[];
  answer: AtlasResponse;
  level: Level;
  marked: number;
  onMark(at: number): void;
}

/** Related things that are listed. */
const mostListed = 40;

export function Figures({ items, answer, level, marked, onMark }: Props) {
  const item = items[marked];
  if (!item) return null;
  const neighbours = neighboursOf(answer, marked);
  return (
    <>
      {level === "symbols" ? (
        <Picked node={{ ...item, qualified_name: item.name }} />
      ) : (
        <section class="atlas-picked" aria-label="Chosen">
          <h2>{item.name}</h2>
          <p>{wordsFor(item, level)}</p>
          <div class="atlas-actions">
            <a class="button button-primary" href={hashOf({ args: withArgs(link.value.args, inside(item, level)) })}>
              {level === "areas" ? "Show its files" : "Show its definitions"}
            </a>
            {level === "files" && (
              <a class="button" href={hashOf({ path: item.path, lines: null })}>
                Open
              </a>
            )}
          </div>
        </section>
      )}
      {neighbours.length > 0 && (
        <section aria-label="Related">
          <h2 class="atlas-small">Related</h2>
          <ul class="atlas-list">
            {neighbours.slice(0, mostListed).map(({ at, words, count: n }) => (
              <li key={`${at} ${words}`}>
                <button type="button" onClick={() => onMark(at)}>
                  {items[at]?.name ?? ""}
                  <span>{n > 1 ? `${words}, ${count(n)} times` : words}</span>
                </button>
              </li>
            ))}
          </ul>
          {neighbours.length > mostListed && (
            <p class="atlas-figures">{`and ${count(neighbours.length - mostListed)} more`}</p>
          )}
        </section>
      )}
    </>
  );
}

function inside(item: Item, level: Level): Record<string, string> {
  return level === "areas" ? { area: item.name, level: "files" } : { file: item.path, level: "" };
}

function wordsFor(item: Item, level: Level): string {
  const figures = [
    plural(item.lines, "line"),
    plural(item.symbols, "definition"),
    `complexity ${count(item.complexity)}`,
  ];
  if (level === "areas") figures.unshift(plural(item.files, "file"), plural(item.tests, "test file"));
  else figures.unshift(item.language);
  return figures.join(", ");
}
