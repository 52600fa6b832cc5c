//! The cells of a notebook, to be read: Markdown drawn and cleaned as a README is, code and outputs as plain text, images.

import { useEffect, useRef } from "preact/hooks";
import { visible } from "portolan";
import { Growing } from "../controls/Growing.tsx";
import { plural } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import type { Target } from "../readme/links.ts";
import type { Cell, Notebook, Output } from "./notebook.ts";
import "../readme/readme.css";
import "./leftout.css";

const cellsAtOnce = 40;

interface Props {
  notebook: Notebook;
  path: string;
  /** Name of the repository. */
  name: string;
}

export function NotebookView({ notebook: { cells, language }, path, name }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
    <section class="leftout-body notebook" tabIndex={0} aria-label="Notebook">
      <p class="leftout-facts">
        {plural(cells.length, "cell")}
        {language !== "" && ` · ${language}`}
      </p>
      <Growing
        items={cells}
        step={cellsAtOnce}
        draw={(cell, at) => <CellView key={at} cell={cell} path={path} name={name} />}
      />
    </section>
  );
}

function CellView({ cell, path, name }: { cell: Cell; path: string; name: string }) {
  const { kind, text, run, outputs } = cell;
  if (kind === "markdown") return <Words text={text} path={path} name={name} />;
  return (
    <div class={`cell cell-${kind}`}>
      <span class="cell-run">{kind === "code" ? `[${run ?? " "}]` : ""}</span>
      <div class="cell-parts">
        <pre class="cell-text">{text}</pre>
        {outputs.map((output, at) => (
          <OutputView key={at} output={output} />
        ))}
      </div>
    </div>
  );
}

function OutputView({ output }: { output: Output }) {
  if (output.kind === "text")
    return <pre class={output.isError ? "cell-output cell-error" : "cell-output"}>{output.text}</pre>;
  if (output.kind === "image")
    return <img class="cell-image" src={`data:${output.type};base64,${output.base64}`} alt="Output of the cell" />;
  return <p class="cell-other">Not shown: {output.types.join(", ") || "an output without data"}</p>;
}

function Words({ text, path, name }: { text: string; path: string; name: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isOver = false;
    const draw = async () => {
      const { drawMarkdown } = await import("../readme/render.ts");
      const drawn = await drawMarkdown(text, {
        path,
        above: 1,
        hrefOf: (to) => hashOf({ repository: name, path: to, lines: null }),
        imageOf: wordsOfImage,
      });
      if (!isOver) place.current?.replaceChildren(drawn);
    };
    draw().catch(() => {
      if (!isOver && place.current) place.current.textContent = visible(text);
    });
    return () => {
      isOver = true;
    };
  }, [text, path, name]);
  return <div ref={place} class="cell-words readme-body" />;
}

/** Images of Markdown are named, not loaded. */
function wordsOfImage(target: Target, words: string): Node {
  const text = document.createElement("span");
  text.className = "readme-image";
  text.textContent = visible(words || (target.kind === "file" ? target.path : "image"));
  return text;
}
