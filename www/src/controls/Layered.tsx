//! A layered drawing that the engine made as SVG (`index.export({ format: "svg", … })`), with boxes that lead to the code.
//!
//! The engine escapes every text in it; here only the elements and attributes that it writes get into the page.

import { useEffect, useRef } from "preact/hooks";
import { hashOf } from "../state/navigation.ts";
import "./layered.css";

const space = "http://www.w3.org/2000/svg";
const elements = new Set(["svg", "g", "a", "title", "rect", "path", "text"]);
const attributes = new Set(
  (
    "viewBox width height role fill stroke font-size font-family stroke-opacity fill-opacity stroke-dasharray d x y rx " +
    "data-node data-kind data-path data-line"
  ).split(" "),
);

/** Shows a drawing; `label` says what it is. */
export function Layered({ svg, label }: { svg: string; label: string }) {
  const host = useRef<HTMLElement>(null);
  useEffect(() => {
    const drawing = drawingOf(svg);
    if (drawing) {
      drawing.setAttribute("aria-label", label);
      for (const anchor of drawing.querySelectorAll("a")) {
        const line = Number(anchor.dataset.line);
        const path = anchor.dataset.path ?? "";
        anchor.setAttribute("href", hashOf({ path, lines: { from: line, to: line } }));
      }
    }
    host.current?.replaceChildren(...(drawing ? [drawing] : []));
  }, [svg, label]);
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide drawing is scrolled by keys
  return <section ref={host} class="layered" tabIndex={0} aria-label={label} />;
}

/** The drawing as an element of this page with what is allowed in it; null if it is none. */
function drawingOf(svg: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const root = parsed.documentElement;
  if (parsed.querySelector("parsererror") || root.localName !== "svg" || root.namespaceURI !== space) return null;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== space || !elements.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name } of [...element.attributes]) if (!attributes.has(name)) element.removeAttribute(name);
  }
  // A group is read out as one picture without its boxes; they are links here.
  root.setAttribute("role", "group");
  return document.importNode(root, true) as unknown as SVGSVGElement;
}
