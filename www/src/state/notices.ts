//! Messages of the page: errors and warnings that stay until read, and short texts for screen readers.

import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  tone: "error" | "warning" | "info";
  title: string;
  /** Advice for the user; may be empty. */
  help: string;
  /** Stable code of the error, shown small; may be empty. */
  code: string;
}

export const notices = signal<readonly Notice[]>([]);
/** Text of the polite live region. */
export const spoken = signal("");

const mostNotices = 4;
let nextId = 1;

const infoMillis = 5000;

/** Shows a notice. The same title is shown once. One that only confirms disappears after a while. */
export function notify(tone: Notice["tone"], title: string, help = "", code = ""): void {
  const others = notices.peek().filter((notice) => notice.title !== title);
  const id = nextId++;
  notices.value = [...others, { id, tone, title, help, code }].slice(-mostNotices);
  if (tone === "info" && help === "") setTimeout(() => dismiss(id), infoMillis);
}

/** Shows an error in words. `doing` names the attempt ("index the folder"). Aborts are no errors. */
export function report(doing: string, error: unknown, tone: Notice["tone"] = "error"): void {
  const said = wordsOf(error);
  if (said.code === "aborted") return;
  notify(tone, `Could not ${doing}: ${said.message}`, said.help, said.code);
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
}

/** Shows errors that nothing caught: nothing fails silently. */
export function keepTelling(): void {
  addEventListener("unhandledrejection", ({ reason }) => report("do that", reason));
  addEventListener("error", (event) => event.error && report("do that", event.error));
}

// In the words of Chromium, Firefox and Safari.
const unloaded = /dynamically imported module|Importing a module script failed/;

/** Message, help and code of anything thrown. */
export function wordsOf(error: unknown): { message: string; help: string; code: string } {
  if (!(error instanceof Error)) return { message: String(error), help: "", code: "" };
  const { code, help } = error as { code?: unknown; help?: unknown };
  if (error.name === "AbortError") return { message: error.message, help: "", code: "aborted" };
  if (unloaded.test(error.message))
    return {
      message: "a part of the page could not be loaded",
      help: "The page may have been replaced by a newer version since it was opened: reload it.",
      code: "asset.unavailable",
    };
  return {
    message: error.message,
    help: typeof help === "string" ? help : "",
    code: typeof code === "string" ? code : "",
  };
}

let lastSpoken = 0;
const quietMillis = 4000;
/** A screen reader misses texts that are replaced sooner. */
const readMillis = 1000;
const toSpeak: string[] = [];
let speaking: ReturnType<typeof setTimeout> | undefined;

/** Says something to a screen reader, after earlier texts. `often` marks texts of a stream: most of them are left out. */
export function speak(text: string, often = false): void {
  if (often && (toSpeak.length > 0 || Date.now() - lastSpoken < quietMillis)) return;
  toSpeak.push(text);
  if (speaking === undefined) speakNext();
}

function speakNext(): void {
  const text = toSpeak.shift();
  speaking = text === undefined ? undefined : setTimeout(speakNext, readMillis);
  if (text === undefined) return;
  lastSpoken = Date.now();
  spoken.value = text;
}

/** A short remark in the status line, gone after a few seconds. */
export const remark = signal("");
const remarkMillis = 5000;
let remarkTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a remark and says it. */
export function hint(text: string): void {
  remark.value = text;
  speak(text);
  clearTimeout(remarkTimer);
  remarkTimer = setTimeout(() => (remark.value = ""), remarkMillis);
}
