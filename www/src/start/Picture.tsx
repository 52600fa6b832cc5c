//! A map of the sample that is part of the page: each folder is a link into the sample's atlas, which is fetched only then.

import { boxes, height, width } from "virtual:sample-picture";
import { emptyLink, encodeLink } from "../state/link.ts";
import { hasSample, sampleName, siteName } from "../state/sample.ts";
import "./picture.css";

/** Colours of the folders at the top, again from the first after the last. */
const families = 5;

export function Picture() {
  if (!hasSample.value || siteName !== "") return null;
  const tops = boxes.filter(({ depth }) => depth === 0);
  const familyOf = (path: string) =>
    tops.findIndex((top) => path === top.path || path.startsWith(`${top.path}/`)) % families;
  return (
    <figure class="picture">
      <svg viewBox={`0 0 ${width} ${height}`}>
        <title>Map of the sample</title>
        {boxes.map((box) => (
          <a
            key={box.path}
            href={hrefOf(box.path)}
            aria-label={`${box.path} in the sample`}
            tabIndex={box.depth === 0 ? 0 : -1}
          >
            <rect
              class={`picture-box picture-${familyOf(box.path)}`}
              data-depth={box.depth}
              x={box.x}
              y={box.y}
              width={box.w}
              height={box.h}
              rx={box.depth === 0 ? 6 : 4}
            />
            {fits(box) && (
              <text class="picture-name" data-depth={box.depth} x={box.x + 7} y={box.y + (box.depth === 0 ? 13 : 16)}>
                {box.name}
              </text>
            )}
          </a>
        ))}
      </svg>
      <figcaption>
        A live map: this project's own sources, by lines. Choose a part, and the sample opens there.
      </figcaption>
    </figure>
  );
}

function hrefOf(folder: string): string {
  return encodeLink({ ...emptyLink, repository: sampleName, view: "atlas", args: { folder } });
}

/** Whether the name has room: letters are about 6.4 wide. */
function fits({ name, w, h }: { name: string; w: number; h: number }): boolean {
  return name.length * 6.4 + 12 <= w && h >= 22;
}
