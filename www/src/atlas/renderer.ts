//! The adapter between pictures and the library that draws them: sigma where a graphics card draws WebGL, else a canvas of our own.

import { frameOf, type Picture, type Thing } from "./picture.ts";

export interface Events {
  /** A thing was clicked; null for the ground. */
  onPick(at: number | null): void;
  /** The pointer is on a thing, or on none. */
  onHover(at: number | null): void;
}

export interface Renderer {
  /** `webgl` or `canvas`. */
  readonly kind: string;
  /** Draws another picture and shows all of it. */
  show(picture: Picture): void;
  /** Marks a thing with its lines. */
  mark(at: number | null): void;
  /** Nearer (above 1) or further; 0 shows everything. */
  zoom(by: number): void;
  /** Moves by shares of the view. */
  move(right: number, down: number): void;
  destroy(): void;
}

/** Names of drivers that draw with the processor: those of Chromium, Mesa and Windows. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether this browser has WebGL 2; with `fast`, one that a graphics card draws: a processor draws on a canvas ten times faster. */
function hasWebGl(fast: boolean): boolean {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { failIfMajorPerformanceCaveat: fast });
    if (context === null) return false;
    // Chromium knows of no such caveat where it was started to draw with the processor.
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const driver = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return !(fast && SOFTWARE.test(driver));
  } catch {
    return false;
  }
}

/** Opens the faster renderer of this browser. `wanted` (`webgl`, `canvas`) is for tests and for people whose WebGL is broken. */
export async function openRenderer(host: HTMLElement, events: Events, wanted = ""): Promise<Renderer> {
  if (wanted !== "canvas" && hasWebGl(wanted !== "webgl")) {
    try {
      const { webglRenderer } = await import("./webgl.ts");
      return webglRenderer(host, events);
    } catch (error) {
      console.info("WebGL failed, so the map is drawn on a canvas", error);
      host.replaceChildren();
    }
  }
  const { canvasRenderer } = await import("./canvas.ts");
  return canvasRenderer(host, events);
}

/** Pixels of a unit of the picture where it fills a view. */
export function scaleOf(picture: Picture, width: number, height: number): number {
  const { w, h } = frameOf(picture);
  return Math.min(width / w, height / h);
}

/** Furthest view, in multiples of the one that shows everything. */
export const furthest = 3;

/** Nearest view, as a share of the one that shows everything: the smallest disc takes half of it. Nearer views would mostly be empty. */
export function nearestOf(picture: Picture): number {
  const { w, h } = frameOf(picture);
  let least = Number.POSITIVE_INFINITY;
  for (const { r, isGround } of picture.things) if (isGround !== true && r > 0) least = Math.min(least, r);
  return Math.min(1, (4 * least) / Math.min(w, h));
}

/** A colour in front of a ground, as drawn by a renderer that multiplies beforehand. */
export function pale(colour: string, alpha: number): string {
  const part = (at: number) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * alpha);
  return `rgba(${part(1)},${part(3)},${part(5)},${alpha})`;
}

/** Places of the things in the order in which they are drawn: grounds, then large before small. */
export function drawingOrder(things: readonly Thing[]): number[] {
  const order = things.map((_, at) => at);
  const key = (at: number) => (things[at]?.isGround === true ? 0 : 1);
  return order.sort((a, b) => key(a) - key(b) || (things[b]?.r ?? 0) - (things[a]?.r ?? 0));
}
