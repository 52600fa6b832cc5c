//! Folders and files as boxes whose areas are their lines. A folder opens in the boxes, a file in the code view.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural } from "../state/format.ts";
import { hashOf, link } from "../state/navigation.ts";
import { withArgs } from "./asked.ts";
import type { Colours } from "./colours.ts";
import type { Picture } from "./picture.ts";
import type { Item, Theme } from "./scene.ts";
import { type Box, heading, treemap } from "./treemap.ts";

interface Props {
  items: readonly Item[];
  folder: string;
  colours: Colours;
  theme: Theme;
  /** Takes the picture that is shown, to save it. */
  onPicture(picture: Picture): void;
}

/** Boxes with shorter sides have no name. */
const leastNamed = { w: 34, h: 15 };

export function Treemap({ items, folder, colours, theme, onPicture }: Props) {
  const host = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ w: 0, h: 0 });
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => setSize({ w: element.clientWidth, h: element.clientHeight }));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const boxes = useMemo(
    () =>
      treemap(
        items.map(({ path, lines }) => ({ path, size: lines })),
        folder,
        size.w,
        size.h,
      ),
    [items, folder, size.w, size.h],
  );
  useEffect(() => onPicture(pictureOfBoxes(boxes, items, colours, theme, folder)), [boxes, items, colours, theme]);
  return (
    <section ref={host} class="atlas-boxes" aria-label="Folders and files by lines; the table has the same contents">
      <svg width={size.w} height={size.h} aria-label="Boxes">
        {boxes.map((box) => (
          <BoxShape key={box.path} box={box} item={items[box.at]} colours={colours} />
        ))}
      </svg>
    </section>
  );
}

function BoxShape({ box, item, colours }: { box: Box; item: Item | undefined; colours: Colours }) {
  const { x, y, w, h, path, name, count } = box;
  const shade = item ? colours.of(item) : null;
  const words = item
    ? `${path}: ${plural(item.lines, "line")}, ${shade?.label ?? ""}`
    : `${path}/: ${plural(count, "file")}`;
  const room = Math.floor((w - 8) / 6.4);
  // A low folder has no room above its files: they would cover its name.
  const lowest = item ? leastNamed.h : heading * 2 + 1;
  const isNamed = w >= leastNamed.w && h >= lowest && room > 2;
  const href = item ? hashOf({ path, lines: null }) : hashOf({ args: withArgs(link.value.args, { folder: path }) });
  // The table is for the keyboard: thousands of stops would be none.
  return (
    <a href={href} tabIndex={-1} class={item ? "atlas-leaf" : "atlas-folder"}>
      <title>{words}</title>
      <rect
        x={x}
        y={y}
        width={Math.max(0, w - 1)}
        height={Math.max(0, h - 1)}
        {...(shade ? { fill: shade.soft } : {})}
      />
      {isNamed && (
        <text x={x + 4} y={y + 12}>
          {name.length > room ? `${name.slice(0, room - 1)}…` : name}
        </text>
      )}
    </a>
  );
}

function pictureOfBoxes(
  boxes: readonly Box[],
  items: readonly Item[],
  colours: Colours,
  theme: Theme,
  folder: string,
): Picture {
  return {
    title: folder === "" ? "Folders and files by lines" : `Files of ${folder} by lines`,
    things: boxes.map(({ x, y, w, h, at, path, name }) => {
      const item = items[at];
      return {
        x: x + w / 2,
        y: y + h / 2,
        r: h / 2,
        half: w / 2,
        label: item ? name : path,
        colour: item ? colours.of(item).soft : theme.ink,
        ...(item ? {} : { isGround: true }),
      };
    }),
    lines: [],
    ink: theme.ink,
    ground: theme.ground,
  };
}
