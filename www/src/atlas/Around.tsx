//! A symbol's neighbourhood, which grows by click.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { SymbolRef } from "portolan";
import { plural } from "../state/format.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { grow, type Grown, nothing, pictureOfGrown } from "./around.ts";
import { type Asked, edgeWords } from "./asked.ts";
import { coloursOf } from "./colours.ts";
import { Drawing } from "./Drawing.tsx";
import { Picked } from "./Picked.tsx";
import type { Picture } from "./picture.ts";
import type { Theme } from "./scene.ts";

/** Neighbours that a click adds; the rest is in the panel of the symbol. */
const mostNeighbours = 60;

interface Props {
  repository: Repository;
  asked: Asked;
  theme: Theme;
  onPicture(picture: Picture): void;
}

export function Around({ repository, asked, theme, onPicture }: Props) {
  const [grown, setGrown] = useState<Grown>(nothing);
  const [failure, setFailure] = useState({ message: "", help: "" });
  const [marked, setMarked] = useState<number | null>(null);
  const [left, setLeft] = useState(0);
  const { index, revision } = repository;
  const { around, kinds, sure } = asked;
  const open = async (from: string, before: Grown, id: number | null) => {
    const answer = await index.subgraph({
      from,
      depth: 1,
      edges: kinds.length > 0 ? [...kinds] : Object.keys(edgeWords),
      min_confidence: sure / 100,
      limit: mostNeighbours,
      max_bytes: 1_000_000,
    });
    setLeft(Math.max(0, answer.nodes_page.total - answer.nodes.length));
    const middle = id ?? middleOf(answer.nodes, from);
    return grow(before, middle, answer);
  };
  useEffect(() => {
    let isWanted = true;
    setFailure({ message: "", help: "" });
    open(around, nothing, null).then(
      (next) => {
        if (!isWanted) return;
        setGrown(next);
        setMarked(0);
      },
      (error: unknown) => isWanted && setFailure(wordsOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [index, revision, around, kinds.join(), sure]);
  const colours = useMemo(
    () =>
      coloursOf(
        grown.nodes.map((node) => coloured(node)),
        "area",
        theme.isDark,
      ),
    [grown, theme],
  );
  const picture = useMemo(
    () => pictureOfGrown(grown, (node) => colours.of(coloured(node)).strong, theme),
    [grown, colours, theme],
  );
  useEffect(() => onPicture(picture), [picture]);
  const pick = (at: number | null) => {
    setMarked(at);
    const node = grown.nodes[at ?? -1];
    if (!node || grown.opened.has(node.id)) return;
    open(selectorOf(node), grown, node.id).then(setGrown, (error: unknown) => setFailure(wordsOf(error)));
  };
  if (failure.message !== "" && grown.nodes.length === 0)
    return (
      <div class="empty" role="alert">
        <strong>The neighbourhood could not be shown</strong>
        <p>{failure.message}</p>
        {failure.help !== "" && <p>{failure.help}</p>}
      </div>
    );
  const node = grown.nodes[marked ?? -1];
  return (
    <div class="atlas-body">
      <Drawing picture={picture} marked={marked} onPick={pick} />
      <aside class="atlas-side" aria-label="Neighbourhood">
        <p class="atlas-figures" role="status">
          {`${plural(grown.nodes.length, "node")}, ${plural(grown.edges.length, "relation")}. Click a node to see its neighbours.`}
          {left > 0 && ` ${plural(left, "neighbour")} of the last one did not fit.`}
        </p>
        {node && <Picked node={node} />}
        <Neighbours grown={grown} marked={marked} onPick={pick} />
      </aside>
    </div>
  );
}

/** The same nodes as a list, by keyboard. */
function Neighbours({ grown, marked, onPick }: { grown: Grown; marked: number | null; onPick(at: number): void }) {
  return (
    <ul class="atlas-list">
      {grown.nodes.map((node, at) => (
        <li key={node.id}>
          <button type="button" aria-pressed={at === marked} onClick={() => onPick(at)}>
            {node.qualified_name || node.name}
            <span>{grown.opened.has(node.id) ? `${node.kind}, opened` : node.kind}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function coloured({ kind }: SymbolRef) {
  return { language: "", area: kind, complexity: 0, lines: 1, isTest: false };
}

function selectorOf({ path, qualified_name, kind, name }: SymbolRef): string {
  if (kind === "file" || kind === "folder") return path || qualified_name;
  return kind === "external" ? name : `${path}#${qualified_name}`;
}

/** The node that was asked about: by its place and name, else the first. */
function middleOf(nodes: readonly SymbolRef[], from: string): number {
  const found = nodes.find((node) => selectorOf(node) === from || node.qualified_name === from || node.name === from);
  return (found ?? nodes[0])?.id ?? 0;
}
