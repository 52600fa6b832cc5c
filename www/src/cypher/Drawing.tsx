//! The nodes and relationships of an answer as a drawing, layer by layer; the table holds the same in words.

import { plural } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import { Nothing } from "../views/Frame.tsx";
import { boxHeight, boxWidth, layout, type Placed } from "./layers.ts";
import type { Drawn, Graph } from "./results.ts";

const margin = 16;
const longestName = 22;

export function Drawing({ graph }: { graph: Graph }) {
  const { places, width, height } = layout(graph);
  if (graph.edges.length === 0)
    return (
      <Nothing title="No relationship to draw">
        <p>
          Return relationships or paths, too: <code>MATCH p = (a)-[:CALLS]-&gt;(b) RETURN p</code>.
        </p>
      </Nothing>
    );
  return (
    <>
      {graph.n_left > 0 && (
        <p class="cypher-left">{plural(graph.n_left, "more node")} not drawn: limit the query to see all of them.</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a drawing larger than the page is scrolled by keys */}
      <section class="cypher-drawing" tabIndex={0} aria-label="Graph">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing of links is a group, and no fieldset */}
        <svg
          width={width + 2 * margin}
          height={height + 2 * margin}
          viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
          role="group"
          aria-label={`${plural(graph.nodes.length, "node")}, ${plural(graph.edges.length, "relationship")}`}
        >
          <defs>
            <marker id="cypher-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {graph.edges.map(({ source, target, type }) => {
            const from = places.get(source);
            const to = places.get(target);
            return from && to ? (
              <path
                key={`${source} ${target} ${type}`}
                class="cypher-edge"
                d={curve(from, to)}
                marker-end="url(#cypher-head)"
              >
                <title>{type}</title>
              </path>
            ) : null;
          })}
          {graph.nodes.map((node) => {
            const place = places.get(node.id);
            return place ? <Box key={node.id} node={node} place={place} /> : null;
          })}
        </svg>
      </section>
    </>
  );
}

function Box({ node: { name, node }, place: { x, y } }: { node: Drawn; place: Placed }) {
  const path = node?.path;
  const line = node?.line;
  const box = (
    <>
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={6} />
      <text x={x + 10} y={y + 17}>
        {name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name}
      </text>
      <title>{node ? `${node.label} ${node.qualified_name}${path ? ` in ${path}` : ""}` : name}</title>
    </>
  );
  const family = node && node.label !== "File" && node.label !== "Folder" ? "cypher-symbol" : "cypher-place";
  if (path === undefined) return <g class={`cypher-node ${family}`}>{box}</g>;
  return (
    <a
      class={`cypher-node ${family}`}
      href={hashOf({ path, lines: line === undefined ? null : { from: line, to: line } })}
    >
      {box}
    </a>
  );
}

/** From the right side of one box to the left side of the other; back to the left around them. */
function curve(from: Placed, to: Placed): string {
  const y1 = from.y + boxHeight / 2;
  const y2 = to.y + boxHeight / 2;
  const x1 = from.x + boxWidth;
  if (to.x > from.x) {
    const bend = (to.x - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
  }
  const low = Math.max(from.y, to.y) + boxHeight + 10;
  return `M${from.x + boxWidth / 2} ${from.y + boxHeight}C${from.x + boxWidth / 2} ${low} ${to.x + boxWidth / 2} ${low} ${to.x + boxWidth / 2} ${to.y + boxHeight}`;
}
