//! A picture: discs, boxes and lines, as the renderers draw it and as it is saved.

import { visible } from "portolan";

/** A disc or a box with its name. */
export interface Thing {
  /** Middle, in the units of the picture. */
  readonly x: number;
  readonly y: number;
  /** Radius of a disc; half the height of a box. */
  readonly r: number;
  /** Half the width of a box; discs have none. */
  readonly half?: number;
  readonly label: string;
  readonly colour: string;
  /** Discs that hold others are drawn first, pale, and cannot be chosen. */
  readonly isGround?: boolean;
}

export interface Line {
  readonly source: number;
  readonly target: number;
  /** In pixels. */
  readonly width: number;
  readonly colour: string;
}

export interface Picture {
  readonly title: string;
  readonly things: readonly Thing[];
  readonly lines: readonly Line[];
  readonly ink: string;
  readonly ground: string;
}

/** Left, top, width and height of everything, with a margin. */
export function frameOf({ things }: Pick<Picture, "things">): { x: number; y: number; w: number; h: number } {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { x, y, r, half = r } of things) {
    left = Math.min(left, x - half);
    right = Math.max(right, x + half);
    top = Math.min(top, y - r);
    bottom = Math.max(bottom, y + r);
  }
  if (left > right) return { x: 0, y: 0, w: 1, h: 1 };
  const margin = Math.max(right - left, bottom - top, 1) * 0.03;
  return { x: left - margin, y: top - margin, w: right - left + 2 * margin, h: bottom - top + 2 * margin };
}

/** Discs smaller than this, in pixels of the saved picture, have no name in it. */
const leastNamed = 9;

/** The picture as SVG, `width` pixels wide. Names are escaped, and characters that hide or reorder text are shown. */
export function svgOf(picture: Picture, width = 1600): string {
  const frame = frameOf(picture);
  const scale = width / frame.w;
  const height = Math.max(1, Math.round(frame.h * scale));
  const at = (value: number) => String(Math.round(value * 10) / 10);
  const px = (x: number) => at((x - frame.x) * scale);
  const py = (y: number) => at((y - frame.y) * scale);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui,sans-serif" font-size="12">`,
    `<title>${escaped(picture.title)}</title>`,
    `<rect width="100%" height="100%" fill="${picture.ground}"/>`,
  ];
  const order = picture.things.map((_, place) => place).sort((a, b) => rank(picture, a) - rank(picture, b));
  const draw = (isGround: boolean) => {
    for (const place of order) {
      const thing = picture.things[place];
      if (!thing || (thing.isGround === true) !== isGround) continue;
      const { x, y, r, half, label, colour } = thing;
      const opacity = isGround ? ' fill-opacity=".14"' : "";
      parts.push(
        half === undefined
          ? `<circle cx="${px(x)}" cy="${py(y)}" r="${at(Math.max(0.6, r * scale))}" fill="${colour}"${opacity}><title>${escaped(label)}</title></circle>`
          : `<rect x="${px(x - half)}" y="${py(y - r)}" width="${at(half * 2 * scale)}" height="${at(r * 2 * scale)}" fill="${colour}" stroke="${picture.ground}"><title>${escaped(label)}</title></rect>`,
      );
    }
  };
  draw(true);
  for (const { source, target, width: thick, colour } of picture.lines) {
    const [from, to] = [picture.things[source], picture.things[target]];
    if (from && to)
      parts.push(
        `<path d="M${px(from.x)} ${py(from.y)}L${px(to.x)} ${py(to.y)}" stroke="${colour}" stroke-width="${thick}" stroke-opacity=".5"/>`,
      );
  }
  draw(false);
  for (const { x, y, r, half, label, isGround } of picture.things) {
    if (r * scale < leastNamed) continue;
    const room = Math.floor(((half ?? r) * 2 * scale) / 6.6);
    if (room < 3) continue;
    const cut = label.length > room ? `${label.slice(0, room - 1)}…` : label;
    const top = isGround ? y - r + 14 / scale : y + 4 / scale;
    parts.push(`<text x="${px(x)}" y="${py(top)}" text-anchor="middle" fill="${picture.ink}">${escaped(cut)}</text>`);
  }
  return `${parts.join("\n")}\n</svg>\n`;
}

/** Large things are drawn before small ones. */
function rank({ things }: Picture, at: number): number {
  return -(things[at]?.r ?? 0);
}

function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return visible(text).replaceAll(/[&<>"']/g, (c) => entities[c] ?? c);
}
