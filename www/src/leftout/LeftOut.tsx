//! A file that the index left out, read from the folder or archive that was opened: an image, a notebook, a text, or its first bytes.

import { useEffect, useState } from "preact/hooks";
import type { Head } from "../archive/find.ts";
import { Icon } from "../controls/Icon.tsx";
import { imageType } from "../readme/links.ts";
import { give } from "../state/download.ts";
import { showLeftOut } from "../state/file.ts";
import { bytes as sizeOf, splitPath } from "../state/format.ts";
import { wordsOf } from "../state/notices.ts";
import { contentOf, decoded, hexRows } from "./content.ts";
import { NotebookView } from "./NotebookView.tsx";
import { notebookOf } from "./notebook.ts";
import { type At, sourceOf } from "./source.ts";
import "./leftout.css";

/** Bytes of an image and of a notebook that are read: larger ones are shown as bytes. */
const mostWhole = 16_000_000;
const mostNotebook = 8_000_000;
/** Bytes of a text that are shown. */
const mostText = 4_000_000;
const mostListed = 4096;
const mostDownloaded = 512_000_000;

type Shown =
  | { state: "looking" }
  | { state: "there"; head: Head; from: string }
  | { state: "step"; at: Extract<At, { state: "ask" | "away" }> }
  | { state: "nowhere" }
  | { state: "failed"; message: string };

interface Props {
  /** Name of the repository. */
  name: string;
  path: string;
  /** Why the index has no such file. */
  reason: string;
}

export function LeftOut({ name, path, reason }: Props) {
  const [shown, setShown] = useState<Shown>({ state: "looking" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setShown({ state: "looking" });
    look(name, path, reason).then(
      (next) => !stop.signal.aborted && next && setShown(next),
      (error: unknown) => !stop.signal.aborted && setShown({ state: "failed", message: wordsOf(error).message }),
    );
    return () => stop.abort();
  }, [name, path, reason, turn]);

  const step = async (at: Extract<At, { state: "ask" | "away" }>) => {
    if (at.state === "ask") {
      if (await at.allow()) setTurn((before) => before + 1);
      return;
    }
    setShown({ state: "looking" });
    try {
      const next = shownOf(path, reason, await at.read(new AbortController().signal), at.host);
      if (next) setShown(next);
    } catch (error) {
      setShown({ state: "failed", message: wordsOf(error).message });
    }
  };

  const [folder, file] = splitPath(path);
  return (
    <article class="leftout" aria-label={path}>
      <header class="leftout-head">
        <strong>
          <span class="leftout-folder">{folder}</span>
          {file}
        </strong>
        {shown.state === "there" && (
          <>
            <span class="leftout-size">{sizeOf(shown.head.size)}</span>
            <button
              type="button"
              class="icon-button"
              title="Download this file"
              aria-label="Download this file"
              onClick={() => void download(name, path, shown.head)}
            >
              <Icon name="download" size={14} />
            </button>
          </>
        )}
      </header>
      <p class="leftout-why">
        <Icon name="info" size={13} /> Not in the index: {reason}.
        {shown.state === "there" && ` Shown from the ${shown.from} that you opened.`}
      </p>
      <Body shown={shown} path={path} name={name} onStep={(at) => void step(at)} />
    </article>
  );
}

/** Finds and reads a file. Nothing where it is a text, which the code view shows from now on. */
async function look(name: string, path: string, reason: string): Promise<Shown | undefined> {
  const at = await sourceOf(name, path);
  if (at.state === "none") return { state: "nowhere" };
  if (at.state !== "here") return { state: "step", at };
  const head = await at.read(mostWhole);
  if (!head) return { state: "failed", message: `the ${at.from} has no such file any more` };
  return shownOf(path, reason, head, at.from);
}

function shownOf(path: string, reason: string, head: Head, from: string): Shown | undefined {
  if (contentOf(path, head.bytes) !== "text") return { state: "there", head, from };
  const text = decoded(head.bytes.subarray(0, mostText));
  const part = head.size > mostText ? ` The first ${sizeOf(mostText)} of ${sizeOf(head.size)} are shown.` : "";
  showLeftOut({
    path,
    language: "text",
    text,
    outline: [],
    highlights: new Uint32Array(),
    leftOut: `Not in the index: ${reason}. Shown from the ${from} that you opened.${part}`,
  });
  return undefined;
}

async function download(name: string, path: string, head: Head): Promise<void> {
  const at = head.bytes.length < head.size ? await sourceOf(name, path) : undefined;
  const whole = at?.state === "here" ? ((await at.read(mostDownloaded)) ?? head) : head;
  give(new Blob([whole.bytes], { type: "application/octet-stream" }), splitPath(path)[1]);
}

function Body({ shown, path, name, onStep }: { shown: Shown; path: string; name: string } & Steps) {
  if (shown.state === "looking")
    return (
      <p class="empty" role="status">
        Reading {path}…
      </p>
    );
  if (shown.state === "there") return <Content path={path} name={name} head={shown.head} />;
  if (shown.state === "failed")
    return (
      <div class="empty" role="alert">
        <strong>It cannot be read</strong>
        <p>{shown.message}</p>
        <p>The folder or archive may have been moved or changed. Open it again to see this file.</p>
      </div>
    );
  if (shown.state === "step") return <Step at={shown.at} onStep={onStep} />;
  return (
    <div class="empty">
      <strong>Its source is not at hand</strong>
      <p>
        The saved index holds the text of the files that it indexed, and no others. Open the folder or the archive of{" "}
        {name} again, and this file can be seen.
      </p>
      <p class="empty-actions">
        <a class="button" href="#/">
          Open it again
        </a>
      </p>
    </div>
  );
}

interface Steps {
  onStep(at: Extract<At, { state: "ask" | "away" }>): void;
}

function Step({ at, onStep }: { at: Extract<At, { state: "ask" | "away" }> } & Steps) {
  return (
    <div class="empty">
      <strong>
        {at.state === "ask"
          ? `The browser asks before ${at.folder} is read again`
          : `It can be fetched from ${at.host}`}
      </strong>
      <p>
        {at.state === "ask"
          ? "The file is read from your folder. Nothing is sent."
          : "The host is one that you allowed. It learns the name of this file."}
      </p>
      <p class="empty-actions">
        <button type="button" class="button button-main" onClick={() => onStep(at)}>
          {at.state === "ask" ? "Read the folder" : "Fetch it"}
        </button>
      </p>
    </div>
  );
}

function Content({ path, name, head }: { path: string; name: string; head: Head }) {
  const content = contentOf(path, head.bytes);
  const isWhole = head.bytes.length === head.size;
  if (content === "image" && isWhole) return <Picture key={path} path={path} head={head} />;
  const notebook =
    content === "notebook" && isWhole && head.size <= mostNotebook ? notebookOf(decoded(head.bytes)) : undefined;
  if (notebook) return <NotebookView notebook={notebook} path={path} name={name} />;
  return <Bytes head={head} />;
}

function Picture({ path, head }: { path: string; head: Head }) {
  const [address, setAddress] = useState("");
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [isWide, setWide] = useState(false);
  const [fails, setFails] = useState(false);
  useEffect(() => {
    // The page's policy admits `data:` images only; a script in a drawing does not run in one.
    const reader = new FileReader();
    reader.onload = () => setAddress(String(reader.result));
    reader.onerror = () => setFails(true);
    reader.readAsDataURL(new Blob([head.bytes], { type: imageType(path) ?? "" }));
    return () => {
      reader.onload = null;
      reader.onerror = null;
    };
  }, [path, head]);
  if (fails)
    return (
      <>
        <p class="empty" role="alert">
          This browser cannot show the image. Its first bytes:
        </p>
        <Bytes head={head} />
      </>
    );
  return (
    <div class="leftout-body">
      <p class="leftout-facts">
        <span>{size ? `${size.width} × ${size.height} pixels` : "Reading the image…"}</span>
        <button type="button" class="text-button" aria-pressed={isWide} onClick={() => setWide(!isWide)}>
          Actual size
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is wider than its frame is scrolled by keys */}
      <section class={`leftout-frame${isWide ? " leftout-wide" : ""}`} tabIndex={0} aria-label="Image">
        {address !== "" && (
          <img
            src={address}
            alt={splitPath(path)[1]}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
            onError={() => setFails(true)}
          />
        )}
      </section>
    </div>
  );
}

function Bytes({ head }: { head: Head }) {
  const rows = hexRows(head.bytes.subarray(0, mostListed));
  return (
    <div class="leftout-body">
      <p class="leftout-facts">
        {head.size > mostListed ? `The first ${sizeOf(mostListed)} of ${sizeOf(head.size)}` : "All of its bytes"}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys */}
      <section class="leftout-bytes" tabIndex={0} aria-label="Bytes: offset, hexadecimal, letters">
        <pre>
          {rows.map(({ at, hex, letters }) => (
            <span key={at}>
              <span class="leftout-at">{at}</span>
              {`  ${hex}  `}
              <span class="leftout-letters">{letters}</span>
              {"\n"}
            </span>
          ))}
        </pre>
      </section>
    </div>
  );
}

export { NotebookView, notebookOf };
