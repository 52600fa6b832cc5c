//! The map drawn by sigma, with graphology as its data. The only file that knows either.

import Graph from "graphology";
import Sigma from "sigma";
import { frameOf, type Picture } from "./picture.ts";
import { drawingOrder, type Events, furthest, nearestOf, pale, type Renderer, scaleOf } from "./renderer.ts";

/** Draws into an element that has a size. Throws where WebGL fails. */
export function webglRenderer(host: HTMLElement, events: Events): Renderer {
  let graph = new Graph({ type: "directed", multi: false });
  let shown: Picture | null = null;
  let marked: number | null = null;
  const sigma = new Sigma(graph, host, {
    // Discs keep their places and sizes relative to each other when one zooms.
    itemSizesReference: "positions",
    zoomToSizeRatioFunction: (ratio) => ratio,
    zIndex: true,
    hideEdgesOnMove: true,
    hideLabelsOnMove: false,
    labelRenderedSizeThreshold: 7,
    labelDensity: 0.6,
    labelFont: "system-ui, sans-serif",
    labelSize: 12,
    minEdgeThickness: 0.4,
    maxCameraRatio: furthest,
    // Each click chooses, as on the canvas. By default a second click soon after zooms in, wherever it is.
    doubleClickTimeout: 0,
    allowInvalidContainer: true,
  });
  const isMoving = matchMedia("(prefers-reduced-motion: no-preference)").matches;
  const duration = isMoving ? 200 : 0;
  const at = (node: string) => {
    const place = Number(node);
    return shown?.things[place]?.isGround === true ? null : place;
  };
  sigma.on("clickNode", ({ node }) => events.onPick(at(node)));
  sigma.on("clickStage", () => events.onPick(null));
  sigma.on("enterNode", ({ node }) => events.onHover(at(node)));
  sigma.on("leaveNode", () => events.onHover(null));
  const paint = (place: number | null, isMarked: boolean) => {
    if (place === null || !shown || !graph.hasNode(place)) return;
    graph.setNodeAttribute(place, "highlighted", isMarked);
    const { ink } = shown;
    graph.forEachEdge(place, (edge, { own }) => {
      graph.mergeEdgeAttributes(edge, { color: isMarked ? ink : own, zIndex: isMarked ? 1 : 0 });
    });
  };
  return {
    kind: "webgl",
    show(picture) {
      shown = picture;
      marked = null;
      graph = graphOf(picture, scaleOf(picture, host.clientWidth, host.clientHeight));
      sigma.setSetting("defaultDrawNodeLabel", nameOf(picture));
      // The label of a marked thing has a box of its own, which is white in both themes.
      sigma.setSetting("defaultDrawNodeHover", hover(picture));
      // Its own frame goes through the middles of the outermost discs and cuts them in half.
      const { x, y, w, h } = frameOf(picture);
      sigma.setCustomBBox({ x: [x, x + w], y: [-(y + h), -y] });
      sigma.setSetting("minCameraRatio", nearestOf(picture));
      sigma.setGraph(graph);
      sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
    },
    mark(place) {
      paint(marked, false);
      marked = place;
      paint(marked, true);
    },
    zoom(by) {
      const camera = sigma.getCamera();
      if (by === 0) void camera.animatedReset({ duration });
      else void camera.animate({ ratio: camera.ratio / by }, { duration });
    },
    move(right, down) {
      const camera = sigma.getCamera();
      void camera.animate({ x: camera.x + right * camera.ratio, y: camera.y - down * camera.ratio }, { duration });
    },
    destroy: () => sigma.kill(),
  };
}

function graphOf(picture: Picture, scale: number): Graph {
  const graph = new Graph({ type: "directed", multi: false });
  for (const place of drawingOrder(picture.things)) {
    const thing = picture.things[place];
    if (!thing) continue;
    graph.addNode(place, {
      x: thing.x,
      // Its axis points upwards.
      y: -thing.y,
      size: thing.r,
      // An empty label would keep that of the disc in its middle from being drawn.
      label: thing.label || null,
      color: thing.isGround ? pale(thing.colour, 0.1) : thing.colour,
      zIndex: thing.isGround ? 0 : 1,
    });
  }
  for (const { source, target, width, colour } of picture.lines)
    if (graph.hasNode(source) && graph.hasNode(target) && source !== target)
      graph.mergeEdge(source, target, { size: width / scale, color: colour, own: colour, zIndex: 0 });
  return graph;
}

interface Shown {
  x: number;
  y: number;
  size: number;
  label: string | null;
}

/** Draws a name with a border in the colour of the ground, so that it is readable on discs of every colour. */
function nameOf({ ink, ground }: Picture) {
  return (context: CanvasRenderingContext2D, { x, y, size, label }: Shown) => {
    if (!label) return;
    context.font = "12px system-ui, sans-serif";
    context.strokeStyle = ground;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeText(label, x + size + 3, y + 4);
    context.fillStyle = ink;
    context.fillText(label, x + size + 3, y + 4);
  };
}

/** Draws a marked thing: a ring, and its name on the page's ground. */
function hover({ ink, ground }: Picture) {
  return (context: CanvasRenderingContext2D, { x, y, size, label }: Shown) => {
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, size + 2, 0, Math.PI * 2);
    context.stroke();
    if (!label) return;
    context.font = "600 12px system-ui, sans-serif";
    const width = context.measureText(label).width;
    context.fillStyle = ground;
    context.fillRect(x + size + 4, y - 9, width + 10, 18);
    context.fillStyle = ink;
    context.fillText(label, x + size + 9, y + 4);
  };
}
