//! The README of the repository, as soon as it is there: from a source on another host before anything is indexed, else from the index.

import { fetchSourceFile, parseSource, textOfName } from "portolan";
import { useEffect, useRef, useState } from "preact/hooks";
import { hashOf } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import { allowed, earlyReadme, hostOf, sourceSettings } from "../state/remote.ts";
import { repository } from "../state/repository.ts";
import { imageType, readmeAmong, type Target } from "./links.ts";
import "./readme.css";

interface Document {
  readonly path: string;
  readonly text: string;
}

const largestImage = 4 * 1024 * 1024;

export function Readme({ name }: { name: string }) {
  const [shown, setShown] = useState<Document | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const open = repository.value?.name === name ? repository.value : null;
  const path = readmeAmong(open?.files.map((file) => file.path) ?? []);
  // The index knows of later changes.
  const early = path === undefined && earlyReadme.value?.repository === name ? earlyReadme.value : null;
  const index = open?.index;
  const revision = early ? 0 : (open?.revision ?? 0);

  useEffect(() => {
    let isOver = false;
    if (early) setShown(early);
    else if (path !== undefined && index)
      index.text(path).then(
        ({ text }) =>
          !isOver && setShown((before) => (before?.text === text && before.path === path ? before : { path, text })),
        () => !isOver && setShown(null),
      );
    else setShown(null);
    return () => {
      isOver = true;
    };
  }, [early, path, index, revision]);

  useEffect(() => {
    const stop = new AbortController();
    const place = body.current;
    if (shown && place) void draw(place, shown, name, stop.signal);
    return () => stop.abort();
  }, [shown, name]);

  if (!shown) return null;
  return (
    <section class="readme" aria-label="README">
      <h2>
        <a href={hashOf({ repository: name, path: shown.path })}>{shown.path}</a>
      </h2>
      <div ref={body} class="readme-body" />
    </section>
  );
}

async function draw(place: HTMLElement, { path, text }: Document, name: string, signal: AbortSignal): Promise<void> {
  if (!/\.(md|markdown|mkd)$/i.test(path)) {
    const plain = document.createElement("pre");
    plain.textContent = text;
    return place.replaceChildren(plain);
  }
  const { drawMarkdown } = await import("./render.ts");
  if (signal.aborted) return;
  const hrefOf = (to: string) => hashOf({ repository: name, path: to });
  const imageFor = (target: Target, words: string) => imageOf(target, words, name, signal);
  const drawn = await drawMarkdown(text, { path, above: 2, hrefOf, imageOf: imageFor });
  if (!signal.aborted) place.replaceChildren(drawn);
}

/** An image of the repository; of one elsewhere a button, since its host would learn who reads this. */
function imageOf(target: Target, words: string, name: string, signal: AbortSignal): Node {
  if (target.kind === "file" && imageType(target.path)) return ownImage(target.path, words, name, signal);
  const text = document.createElement("span");
  text.className = "readme-image";
  text.textContent = words || "image";
  if (target.kind !== "elsewhere" || !/^https?:/.test(target.url)) return text;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "text-button readme-image";
  button.textContent = `${words || "Image"} (load from ${new URL(target.url).host})`;
  button.addEventListener("click", () => void load(button, target.url, words, signal));
  return button;
}

/** Loads an image from elsewhere, where its host is allowed; else it opens in a tab of its own. */
async function load(button: HTMLButtonElement, url: string, words: string, signal: AbortSignal): Promise<void> {
  const { origin } = new URL(url);
  if (!allowed.peek().includes(origin)) {
    window.open(url, "_blank", "noopener,noreferrer");
    return;
  }
  try {
    const answer = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer" });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    if (!answer.ok || !type.startsWith("image/") || bytes.length > largestImage)
      throw new Error(`${hostOf(origin)} sent no image`);
    button.replaceWith(imageElement(bytes, type, words));
  } catch (error) {
    button.title = wordsOf(error).message;
  }
}

function ownImage(path: string, words: string, name: string, signal: AbortSignal): Node {
  const text = document.createElement("span");
  text.className = "readme-image";
  text.textContent = words || path;
  const source = sourceOf(name);
  const type = imageType(path);
  if (source && type)
    fetchSourceFile(source, path, sourceSettings(), signal).then(
      (bytes) => bytes.length <= largestImage && text.replaceWith(imageElement(bytes, type, words)),
      () => {}, // its words stay
    );
  return text;
}

function sourceOf(name: string) {
  const text = textOfName(name, sourceSettings().forges);
  return text === undefined ? undefined : parseSource(text, sourceSettings().forges);
}

/** The policy of the page allows images of its own and `data:` only: scripts in a drawing do not run in either. */
function imageElement(bytes: Uint8Array, type: string, words: string): HTMLImageElement {
  const image = new Image();
  image.alt = words;
  image.src = `data:${type};base64,${base64(bytes)}`;
  return image;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
