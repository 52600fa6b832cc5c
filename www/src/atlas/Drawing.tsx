//! A picture in the renderer that this browser runs, with buttons and keys for readers without a wheel.

import { useEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "../state/notices.ts";
import { link } from "../state/navigation.ts";
import { canvasBound } from "./canvas.ts";
import type { Picture } from "./picture.ts";
import { openRenderer, type Renderer } from "./renderer.ts";

interface Props {
  picture: Picture;
  marked: number | null;
  onPick(at: number | null): void;
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.2, 0],
  ArrowRight: [0.2, 0],
  ArrowUp: [0, -0.2],
  ArrowDown: [0, 0.2],
};

export function Drawing({ picture, marked, onPick }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const [renderer, setRenderer] = useState<Renderer | null>(null);
  const [failure, setFailure] = useState("");
  const [hovered, setHovered] = useState<number | null>(null);
  const wanted = link.value.args.draw ?? "";
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let opened: Renderer | null = null;
    let isWanted = true;
    const events = { onPick: (at: number | null) => pick.current(at), onHover: setHovered };
    openRenderer(element, events, wanted).then(
      (next) => {
        if (!isWanted) return next.destroy();
        opened = next;
        setRenderer(next);
      },
      (error: unknown) => isWanted && setFailure(wordsOf(error).message),
    );
    return () => {
      isWanted = false;
      // No picture reaches a renderer that is gone.
      setRenderer(null);
      opened?.destroy();
    };
  }, [wanted]);
  useEffect(() => renderer?.show(picture), [renderer, picture]);
  useEffect(() => renderer?.mark(marked), [renderer, picture, marked]);
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    const by = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, "0": 0 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!move && by === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (move) renderer?.move(...move);
    else renderer?.zoom(by ?? 1);
  };
  const label = picture.things[hovered ?? marked ?? -1]?.label ?? "";
  return (
    <div class="atlas-drawing">
      <div
        ref={host}
        class="atlas-host"
        role="application"
        aria-label={picture.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows, plus and minus move the picture
        tabIndex={0}
        onKeyDown={onKeyDown}
        data-renderer={renderer?.kind ?? ""}
      />
      {failure !== "" && (
        <p
          class="empty"
          role="alert"
        >{`The picture could not be drawn: ${failure}. The table has the same contents.`}</p>
      )}
      <div class="atlas-zoom">
        <button
          type="button"
          class="icon-button"
          aria-label="Nearer"
          title="Nearer (+)"
          onClick={() => renderer?.zoom(1.5)}
        >
          +
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Further"
          title="Further (−)"
          onClick={() => renderer?.zoom(1 / 1.5)}
        >
          −
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Show everything"
          title="Show everything (0)"
          onClick={() => renderer?.zoom(0)}
        >
          ⤢
        </button>
      </div>
      {label !== "" && <p class="atlas-hint">{label}</p>}
      {renderer?.kind === "canvas" && picture.things.length > canvasBound.things && (
        <p class="atlas-note" role="status">
          {`This browser draws without a graphics card: the ${canvasBound.things.toLocaleString("en")} largest of ${picture.things.length.toLocaleString("en")} are shown.`}
        </p>
      )}
    </div>
  );
}
