//! Chapters of a document written by the models of the chat. Nothing is sent before the person has seen it; the text outlives the view.

import { signal } from "@preact/signals";
import { Portolan } from "portolan";
import { type ChainEvent, documentWriter, type Outgoing } from "portolan/chat";
import { type DocumentKind, generate, type GeneratedDocument, reparseWith } from "portolan/generate";
import { openModels, type Waiting } from "../chat/session.ts";
import { chatSettings } from "../chat/settings.ts";
import { speak, wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";

export interface Prose {
  readonly repository: string;
  /** State of the index that it was written from. */
  readonly revision: number;
  readonly kind: DocumentKind;
  /** The request that waits for the person. */
  readonly waiting: Waiting | null;
  /** Current activity, in words; empty when it has ended. */
  readonly note: string;
  readonly document: GeneratedDocument | null;
  readonly failure: { readonly message: string; readonly help: string; readonly code: string } | null;
}

/** The document that a model writes or has written; one at a time. */
export const prose = signal<Prose | null>(null);

let stopping: AbortController | null = null;

/** The document for this place; null for another one. */
export function proseOf({ name, revision }: Repository, kind: DocumentKind): Prose | null {
  const { value } = prose;
  return value?.repository === name && value.revision === revision && value.kind === kind ? value : null;
}

/** Ends the run and drops its text. */
export function drop(): void {
  prose.peek()?.waiting?.decide(null);
  stopping?.abort();
  stopping = null;
  prose.value = null;
}

/** Lets the models write the chapters of a document. */
export async function write({ index, name, revision }: Repository, kind: DocumentKind): Promise<void> {
  drop();
  const mine = new AbortController();
  stopping = mine;
  const change = (part: Partial<Prose>) => {
    if (stopping === mine && prose.peek()) prose.value = { ...(prose.peek() as Prose), ...part };
  };
  const none = { waiting: null, document: null, failure: null };
  prose.value = { repository: name, revision, kind, note: "Preparing…", ...none };
  let isRefused = false;
  const review = async (outgoing: Outgoing) => {
    const leaveOut = await new Promise<readonly string[] | null>((decide) => {
      speak(`Check what is sent to ${outgoing.host || "the model of this browser"}`);
      change({ waiting: { outgoing, decide } });
    });
    isRefused = leaveOut === null;
    change({ waiting: null, note: "Waiting for the first chapter…" });
    return leaveOut === null ? null : { leaveOut };
  };
  try {
    const limits = { requests: chatSettings.peek().perMinute ?? undefined };
    const models = await openModels("chapters of a document, for a language model to write");
    const document = await generate(index, kind, {
      signal: mine.signal,
      writer: documentWriter({ models, review, limits, onEvent: (event) => change({ note: noteOf(event) }) }),
      ...(kind === "refactor" ? { reparse: reparseWith(Portolan) } : {}),
      onProgress: (done, total) => change({ note: `${done} of ${total} chapters are written…` }),
    });
    if (isRefused) return drop();
    change({ document, note: "" });
    if (stopping === mine) speak("The document is written");
  } catch (error) {
    if (mine.signal.aborted) return;
    change({ failure: wordsOf(error), note: "", waiting: null });
  }
}

function noteOf(event: ChainEvent): string {
  if (event.type === "wait")
    return `Waiting ${Math.max(1, Math.ceil(event.millis / 1000))} s for ${event.model}: ${event.why}`;
  if (event.type === "fallback") return `${event.from} failed: ${event.why}. Asking ${event.to}…`;
  return event.type === "restart" ? `${event.why}. Asking again…` : "Waiting for the model…";
}
