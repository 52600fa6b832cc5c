//! The shortest paths between two pinned symbols, drawn in layers by the engine.

import { useEffect, useState } from "preact/hooks";
import { Layered } from "../controls/Layered.tsx";
import { plural } from "../state/format.ts";
import { hashOf, link } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { type Asked, edgeWords, withArgs } from "./asked.ts";

type Drawn =
  | { state: "running" }
  | { state: "done"; svg: string; nodes: number; edges: number }
  | { state: "failed"; message: string; help: string };

export function PathsDrawing({
  repository,
  asked,
  onSvg,
}: {
  repository: Repository;
  asked: Asked;
  onSvg(svg: string): void;
}) {
  const [drawn, setDrawn] = useState<Drawn>({ state: "running" });
  const { index, revision } = repository;
  const { from, to, kinds, sure } = asked;
  useEffect(() => {
    let isWanted = true;
    setDrawn({ state: "running" });
    index
      .export({
        format: "svg",
        from,
        to,
        link: "#",
        edges: kinds.length > 0 ? [...kinds] : Object.keys(edgeWords),
        min_confidence: sure / 100,
      })
      .then(
        ({ files, n_nodes, n_edges }) => {
          if (!isWanted) return;
          const svg = files[0]?.text ?? "";
          setDrawn({ state: "done", svg, nodes: n_nodes, edges: n_edges });
          onSvg(svg);
        },
        (error: unknown) => isWanted && setDrawn({ state: "failed", ...wordsOf(error) }),
      );
    return () => {
      isWanted = false;
    };
  }, [index, revision, from, to, kinds.join(), sure]);
  const { args } = link.value;
  const title = `Paths from ${from} to ${to}`;
  return (
    <div class="atlas-paths">
      <p class="atlas-figures" role="status">
        {drawn.state === "running" && "Looking for paths…"}
        {drawn.state === "done" &&
          drawn.nodes > 0 &&
          `${title}: ${plural(drawn.nodes, "node")}, ${plural(drawn.edges, "relation")}.`}
        {drawn.state === "done" && drawn.nodes === 0 && `No path of at most 10 steps leads from ${from} to ${to}.`}{" "}
        <a href={hashOf({ args: withArgs(args, { from: to, to: from }) })}>Other direction</a>{" "}
        <a href={hashOf({ args: withArgs(args, { from: "", to: "" }) })}>Unpin both</a>
      </p>
      {drawn.state === "failed" && (
        <div class="empty" role="alert">
          <strong>The paths could not be drawn</strong>
          <p>{drawn.message}</p>
          {drawn.help !== "" && <p>{drawn.help}</p>}
        </div>
      )}
      {drawn.state === "done" && drawn.nodes > 0 && <Layered svg={drawn.svg} label={title} />}
    </div>
  );
}
