//! The map on a canvas, for browsers without WebGL. It draws fewer things: the largest, and says how many.

import { frameOf, type Picture } from "./picture.ts";
import { drawingOrder, type Events, furthest, nearestOf, type Renderer, scaleOf } from "./renderer.ts";

/** Most things and lines that a processor draws fluently. */
export const canvasBound = { things: 60_000, lines: 3_000 };

interface Camera {
  /** Middle of the view, in units of the picture. */
  x: number;
  y: number;
  /** Pixels of a unit. */
  scale: number;
}

/** Draws into an element that has a size. */
export function canvasRenderer(host: HTMLElement, events: Events): Renderer {
  const canvas = document.createElement("canvas");
  canvas.className = "atlas-canvas";
  host.replaceChildren(canvas);
  const context = canvas.getContext("2d");
  let picture: Picture = { title: "", things: [], lines: [], ink: "#000000", ground: "#ffffff" };
  let order: number[] = [];
  let marked: number | null = null;
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let nearest = 1;
  let isAsked = false;
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      if (context) draw(context, picture, order, marked, camera);
    });
  };
  const resize = () => {
    canvas.width = Math.max(1, Math.round(host.clientWidth * devicePixelRatio));
    canvas.height = Math.max(1, Math.round(host.clientHeight * devicePixelRatio));
    ask();
  };
  const watcher = new ResizeObserver(resize);
  watcher.observe(host);
  const fit = () => {
    const { x, y, w, h } = frameOf(picture);
    camera = { x: x + w / 2, y: y + h / 2, scale: scaleOf(picture, canvas.width, canvas.height) };
    ask();
  };
  const zoom = (by: number, px = canvas.width / 2, py = canvas.height / 2) => {
    const whole = scaleOf(picture, canvas.width, canvas.height);
    const scale = Math.min(whole / nearest, Math.max(whole / furthest, camera.scale * by));
    // The point under the pointer stays there.
    camera = {
      x: camera.x + (px - canvas.width / 2) * (1 / camera.scale - 1 / scale),
      y: camera.y + (py - canvas.height / 2) * (1 / camera.scale - 1 / scale),
      scale,
    };
    ask();
  };
  const at = (event: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    const x = camera.x + ((event.clientX - box.left) * devicePixelRatio - canvas.width / 2) / camera.scale;
    const y = camera.y + ((event.clientY - box.top) * devicePixelRatio - canvas.height / 2) / camera.scale;
    return hit(picture, order, x, y, 4 / camera.scale);
  };
  listen(canvas, {
    zoom,
    at,
    events,
    by: (x, y) => {
      camera = {
        ...camera,
        x: camera.x - (x * devicePixelRatio) / camera.scale,
        y: camera.y - (y * devicePixelRatio) / camera.scale,
      };
      ask();
    },
  });
  resize();
  return {
    kind: "canvas",
    show(next) {
      picture = next;
      marked = null;
      order = drawingOrder(next.things);
      nearest = nearestOf(next);
      // The largest come first in the order; the smallest are left out.
      order.length = Math.min(order.length, canvasBound.things);
      fit();
    },
    mark(place) {
      marked = place;
      ask();
    },
    zoom: (by) => (by === 0 ? fit() : zoom(by)),
    move(right, down) {
      camera = {
        ...camera,
        x: camera.x + (right * canvas.width) / camera.scale,
        y: camera.y + (down * canvas.height) / camera.scale,
      };
      ask();
    },
    destroy() {
      watcher.disconnect();
      canvas.remove();
    },
  };
}

interface Handlers {
  events: Events;
  zoom(by: number, px: number, py: number): void;
  by(x: number, y: number): void;
  at(event: MouseEvent): number | null;
}

/** Wheel, drag, hover and click. */
function listen(canvas: HTMLCanvasElement, { events, zoom, by, at }: Handlers): void {
  let from: { x: number; y: number } | null = null;
  let dragged = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(2 ** (-event.deltaY / 300), event.offsetX * devicePixelRatio, event.offsetY * devicePixelRatio);
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, y: event.clientY };
    dragged = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return events.onHover(at(event));
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    dragged += Math.abs(x) + Math.abs(y);
    from = { x: event.clientX, y: event.clientY };
    by(x, y);
  });
  canvas.addEventListener("pointerup", (event) => {
    from = null;
    if (dragged < 4) events.onPick(at(event));
  });
}

/** The topmost thing at a place, or near it. */
function hit({ things }: Picture, order: readonly number[], x: number, y: number, near: number): number | null {
  for (let place = order.length - 1; place >= 0; place -= 1) {
    const at = order[place] ?? 0;
    const thing = things[at];
    if (!thing || thing.isGround) continue;
    const reach = Math.max(thing.r, near);
    const [dx, dy] = [thing.x - x, thing.y - y];
    if (dx * dx + dy * dy <= reach * reach) return at;
  }
  return null;
}

function draw(
  context: CanvasRenderingContext2D,
  picture: Picture,
  order: readonly number[],
  marked: number | null,
  { x, y, scale }: Camera,
): void {
  const { width, height } = context.canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = picture.ground;
  context.fillRect(0, 0, width, height);
  const px = (value: number) => (value - x) * scale + width / 2;
  const py = (value: number) => (value - y) * scale + height / 2;
  const { things } = picture;
  const disc = (at: number) => {
    const thing = things[at];
    if (!thing) return;
    const [cx, cy, r] = [px(thing.x), py(thing.y), thing.r * scale];
    if (cx + r < 0 || cy + r < 0 || cx - r > width || cy - r > height) return;
    context.globalAlpha = thing.isGround ? 0.1 : 1;
    context.fillStyle = thing.colour;
    if (r < 1.5) return context.fillRect(cx - 1, cy - 1, 2, 2);
    context.beginPath();
    context.arc(cx, cy, r, 0, Math.PI * 2);
    context.fill();
  };
  const first = order.findIndex((at) => things[at]?.isGround !== true);
  const grounds = first < 0 ? order.length : first;
  for (let place = 0; place < grounds; place += 1) disc(order[place] ?? 0);
  const line = (width: number, source: number, target: number) => {
    const [from, to] = [things[source], things[target]];
    if (!from || !to) return;
    context.lineWidth = width * devicePixelRatio;
    context.beginPath();
    context.moveTo(px(from.x), py(from.y));
    context.lineTo(px(to.x), py(to.y));
    context.stroke();
  };
  context.globalAlpha = 0.5;
  for (const { source, target, width: thick, colour } of picture.lines.slice(0, canvasBound.lines)) {
    context.strokeStyle = colour;
    line(thick, source, target);
  }
  for (let place = grounds; place < order.length; place += 1) disc(order[place] ?? 0);
  context.globalAlpha = 1;
  context.strokeStyle = picture.ink;
  if (marked !== null)
    for (const { source, target } of picture.lines)
      if (source === marked || target === marked) line(1.5, source, target);
  name(context, picture, order, marked, { x, y, scale });
}

/** Names of the things that have room for them, and of the marked one. */
function name(
  context: CanvasRenderingContext2D,
  { things, ink, ground }: Picture,
  order: readonly number[],
  marked: number | null,
  { x, y, scale }: Camera,
): void {
  const { width, height } = context.canvas;
  context.fillStyle = ink;
  // A border in the colour of the ground keeps names readable on discs of every colour.
  context.strokeStyle = ground;
  context.lineWidth = 3 * devicePixelRatio;
  context.lineJoin = "round";
  context.textAlign = "center";
  context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  let left = 150;
  for (const at of marked === null ? order : [marked, ...order]) {
    const thing = things[at];
    if (!thing || thing.label === "" || (at !== marked && thing.r * scale < 26 * devicePixelRatio)) continue;
    const [cx, cy] = [(thing.x - x) * scale + width / 2, (thing.y - y) * scale + height / 2];
    if (cx < 0 || cy < 0 || cx > width || cy > height) continue;
    const room = Math.floor((thing.r * scale * 2) / (6.5 * devicePixelRatio));
    const text = at === marked || thing.label.length <= room ? thing.label : `${thing.label.slice(0, room - 1)}…`;
    const place = thing.isGround ? cy - thing.r * scale + 14 * devicePixelRatio : cy + 4;
    context.strokeText(text, cx, place);
    context.fillText(text, cx, place);
    left -= 1;
    if (left === 0) return;
  }
}
