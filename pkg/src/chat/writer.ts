/** A chain of models as the writer of documents: chapters are shown before they are sent, and limits and failures are those of a conversation. */

import type { ChapterRequest, Message as Said, Writer } from "../generate/fill.js";
import { ModelChain, type ChainEvent } from "./chain.js";
import { type Clock, type Limits, realClock } from "./limiter.js";
import { tokensOfText } from "./tokens.js";
import type { Message, Model, Outgoing, Piece, Review } from "./types.js";

/** How documents are written by models. */
export interface WriterOptions {
  /** The first one writes; the others follow when it fails. */
  readonly models: readonly [Model, ...Model[]];
  /** Asked once, with every chapter: one that is left out keeps its outline. */
  readonly review: Review;
  readonly limits?: Limits | undefined;
  readonly clock?: Clock;
  /** Hears of pauses, and of models that fail. */
  readonly onEvent?: (event: ChainEvent) => void;
}

/** Makes a writer for `generate(index, kind, { writer })`. Nothing is sent before `review` agrees. */
export function documentWriter({ models, review, limits, clock = realClock, onEvent }: WriterOptions): Writer {
  const chain = new ModelChain(models, { clock, ...(limits && { limits }) });
  return {
    async admit(chapters) {
      if (chapters.length === 0) return [];
      const decision = await review(outgoingOf(chapters, chain));
      const left = new Set(decision?.leaveOut ?? chapters.map(({ id }) => id));
      return chapters.map(({ id }) => id).filter((id) => !left.has(id));
    },
    async *complete(messages, signal = new AbortController().signal) {
      const answer = chain.ask({ messages: messages.map(messageOf), tools: [], signal });
      for (;;) {
        const { done, value } = await answer.next();
        // Whole, since an attempt that broke off counts no more.
        if (done) return yield value.text;
        if (value.type !== "text") onEvent?.(value);
      }
    },
  };
}

function outgoingOf(chapters: readonly ChapterRequest[], { model, otherwise }: ModelChain): Outgoing {
  const instructions = contentOf(chapters[0] as ChapterRequest, "system");
  const pieces: Piece[] = [
    { id: "instructions", kind: "instructions", title: "Instructions", text: instructions, canLeave: false },
    ...chapters.map((chapter): Piece => {
      const { id, title } = chapter;
      return { id, kind: "excerpt", title: `Chapter: ${title}`, text: contentOf(chapter, "user"), canLeave: true };
    }),
  ];
  return {
    host: model.host,
    model: model.name,
    otherwise: otherwise.map(({ host, name }) => ({ host, model: name })),
    pieces,
    // The instructions go with every chapter.
    n_tokens: pieces.reduce(
      (sum, { text }) => sum + tokensOfText(text),
      tokensOfText(instructions) * (chapters.length - 1),
    ),
    isFirst: true,
  };
}

const contentOf = ({ messages }: ChapterRequest, role: Said["role"]) =>
  messages
    .filter((message) => message.role === role)
    .map(({ content }) => content)
    .join("\n");

const messageOf = ({ role, content }: Said): Message => ({ role, text: content });
