//! Saves the present view: as a picture, or as data for other tools.

import { useState } from "preact/hooks";
import type { ExportRequest } from "portolan";
import { give, stemOf } from "../state/download.ts";
import { notify, wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { type Asked, edgeWords } from "./asked.ts";
import { type Picture, svgOf } from "./picture.ts";

/** A picture, or the SVG that the engine drew. */
export type Shown = Picture | string;

const formats = {
  png: "PNG picture",
  svg: "SVG picture",
  graphml: "GraphML (Gephi, NetworkX)",
  dot: "DOT (Graphviz)",
  mermaid: "Mermaid",
  json: "JSON",
  csv: "CSV tables",
} as const;
type Format = keyof typeof formats;

export function Saving({ repository, asked, shown }: { repository: Repository; asked: Asked; shown: Shown | null }) {
  const [isBusy, setBusy] = useState(false);
  const save = async (format: Format) => {
    setBusy(true);
    try {
      const stem = `${stemOf(repository.name)}-atlas`;
      if (format === "svg" || format === "png") {
        if (shown === null) return;
        const svg = typeof shown === "string" ? shown : svgOf(shown);
        const blob = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pngOf(svg, shown);
        give(blob, `${stem}.${format}`);
        return;
      }
      const { files } = await repository.index.export({ format, ...partOf(asked) });
      for (const { name, text } of files) give(new Blob([text], { type: "text/plain" }), `${stem}-${name}`);
    } catch (error) {
      const { message, help } = wordsOf(error);
      notify("warning", message, help);
    } finally {
      setBusy(false);
    }
  };
  return (
    <label class="filter-field">
      <span>Save as</span>
      <select
        value=""
        disabled={isBusy}
        onChange={(event) => {
          const chosen = event.currentTarget.value as Format;
          event.currentTarget.value = "";
          void save(chosen);
        }}
      >
        <option value="" disabled>
          {isBusy ? "saving…" : "choose"}
        </option>
        {Object.entries(formats).map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The part of the graph that is shown, for the formats of other tools. */
function partOf({ around, from, to, file, folder, level, kinds, sure, form }: Asked): Omit<ExportRequest, "format"> {
  const edges = kinds.length > 0 ? [...kinds] : Object.keys(edgeWords);
  const common = { edges, min_confidence: sure / 100 };
  if (from !== "" && to !== "") return { ...common, from, to };
  if (around !== "") return { ...common, from: around, direction: "both", depth: 1 };
  if (file !== "") return { ...common, from: file, direction: "both", depth: 1 };
  // Files alone are related by their imports; calls are between their definitions.
  const nodes = form === "boxes" || level !== "symbols" ? ["file"] : [];
  return { ...common, nodes, paths: folder === "" || form !== "boxes" ? [] : [`${folder}/`] };
}

/** Most pixels of a side: browsers refuse larger canvases. */
const mostPixels = 8_000;

async function pngOf(svg: string, shown: Shown): Promise<Blob> {
  const image = new Image();
  // The page's policy allows pictures from data, not from blobs.
  image.src = `data:image/svg+xml;base64,${base64(painted(svg, shown))}`;
  await image.decode();
  const scale = Math.min(2, mostPixels / Math.max(image.width, image.height, 1));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no picture"))), "image/png");
  });
}

/** The engine's drawing takes its colours from the page; alone it needs a ground. */
function painted(svg: string, shown: Shown): string {
  return typeof shown === "string"
    ? svg.replace("<title>", '<rect width="100%" height="100%" fill="#fff"/><title>')
    : svg;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
