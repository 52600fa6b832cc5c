//! The conversation of the open repository. It outlives the view: a reader who follows a citation into the code comes back to it.

import { batch, effect, signal } from "@preact/signals";
import { visible } from "portolan";
import {
  addressOf,
  Chat,
  type Conversation,
  newConversation,
  type Outgoing,
  openModel,
  type PlaceCheck,
  Places,
  someModels,
  withTurn,
} from "portolan/chat";
import { notify, speak, wordsOf } from "../state/notices.ts";
import { repository, type Repository } from "../state/repository.ts";
import { explain } from "../state/watch.ts";
import { conversations, forgetConversation, keepConversation } from "./kept.ts";
import { after, begun, type Live } from "./live.ts";
import { chatSettings, keys, type ChosenModel } from "./settings.ts";

/** A request that waits for the person. */
export interface Waiting {
  readonly outgoing: Outgoing;
  decide(leaveOut: readonly string[] | null): void;
}

export const conversation = signal<Conversation | null>(null);
export const live = signal<Live | null>(null);
export const waiting = signal<Waiting | null>(null);
/** Those about this repository, the newest first. */
export const earlier = signal<readonly Conversation[]>([]);
/** Why the last question has no whole answer. */
export const failure = signal<{ message: string; help: string; code: string } | null>(null);

let chat: { readonly chat: Chat; readonly of: unknown } | null = null;
let stopping: AbortController | null = null;

// A question about one repository must not go on about another.
effect(() => {
  const name = repository.value?.name;
  if (conversation.peek() && conversation.peek()?.repository !== name) {
    stop();
    open(null);
  }
});

/** Reads the conversations about a repository. */
export async function look({ name }: Repository): Promise<void> {
  earlier.value = await conversations(name);
}

/** Shows a conversation; null begins a new one. */
export function open(next: Conversation | null): void {
  stop();
  conversation.value = next;
  failure.value = null;
  chat = null;
}

export async function forget({ id, repository: name }: Conversation): Promise<void> {
  await forgetConversation(id);
  if (conversation.peek()?.id === id) open(null);
  earlier.value = await conversations(name);
}

export function stop(): void {
  waiting.peek()?.decide(null);
  stopping?.abort();
}

/** Asks a question about the open repository. Does nothing while another is under way. */
export async function ask(of: Repository, question: string): Promise<void> {
  if (live.peek() !== null || question.trim() === "") return;
  const signalOfStop = new AbortController();
  stopping = signalOfStop;
  failure.value = null;
  live.value = begun(question);
  const started = conversation.peek() ?? newConversation(of.name, Date.now());
  conversation.value = started;
  let isOver = false;
  try {
    const { chat } = await chatFor(of, started);
    for await (const event of chat.ask(question, signalOfStop.signal)) {
      if (event.type === "end") {
        isOver = true;
        await ended(started, event.turn, event.error);
      } else if (live.peek()) live.value = after(live.peek() as Live, event);
    }
  } catch (error) {
    failure.value = wordsOf(error);
  } finally {
    // While the answer was saved, another question may have begun.
    if (!isOver) {
      live.value = null;
      waiting.value = null;
    }
  }
}

async function ended(started: Conversation, turn: Parameters<typeof withTurn>[1], error: unknown): Promise<void> {
  // Nothing was sent and nothing came: there is nothing to keep.
  const isKept = turn.answer !== "" || turn.usage.input > 0;
  const next = isKept ? withTurn(started, turn) : started;
  // At once: an answer under way and the same one in the conversation would show it twice while it is saved.
  batch(() => {
    if (error) failure.value = wordsOf(error);
    if (conversation.peek()?.id === started.id) conversation.value = next;
    live.value = null;
    waiting.value = null;
  });
  if (!isKept) return;
  speak(turn.stopped === "" ? "The answer is complete" : "The answer is not whole");
  await keepConversation(next);
  earlier.value = await conversations(next.repository);
}

/** The chat of a conversation: a new one where models, settings or the index are others. */
async function chatFor(of: Repository, started: Conversation): Promise<{ chat: Chat }> {
  const settings = chatSettings.peek();
  const made = JSON.stringify([started.id, settings, keys.peek(), of.name, of.revision]);
  if (chat?.of === made) return chat;
  const models = await openModels("your questions to a language model, and the code that it read for them");
  const next = new Chat({
    index: of.index,
    repository: of.name,
    models,
    mode: settings.mode,
    review,
    reviewAll: settings.reviewAll,
    limits: { requests: settings.perMinute ?? undefined },
    price: settings.price ?? undefined,
    structural: true,
    turns: started.turns,
  });
  chat = { chat: next, of: made };
  return chat;
}

/** Opens the chosen models; `why` is what the shield says of requests to their hosts. */
export async function openModels(why: string): Promise<ReturnType<typeof someModels>> {
  const { models } = chatSettings.peek();
  for (const one of models) {
    const origin = originOf(one);
    if (origin !== undefined) explain(origin, why);
  }
  return someModels(await Promise.all(models.map((one) => openModel({ ...one, key: keyOf(one) }))));
}

function review(outgoing: Outgoing): Promise<{ leaveOut: readonly string[] } | null> {
  speak(`Check what is sent to ${outgoing.host || "the model of this browser"}`);
  return new Promise((resolve) => {
    waiting.value = {
      outgoing,
      decide(leaveOut) {
        waiting.value = null;
        resolve(leaveOut === null ? null : { leaveOut });
      },
    };
  });
}

/** Compares places of the answer under way with the index. */
export function placesNow(): PlaceCheck {
  return chat?.chat.places ?? noPlaces;
}

const noPlaces = new Places([]);

/** The origin of a model's requests; nothing for one of this browser. */
export function originOf(model: ChosenModel): string | undefined {
  try {
    return addressOf(model)?.origin;
  } catch {
    return undefined;
  }
}

export function keyOf(model: ChosenModel): string | undefined {
  const origin = originOf(model);
  return origin === undefined ? undefined : keys.peek()[origin];
}

/** Copies an answer as Markdown. */
export async function copyAnswer(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(visible(text));
    notify("info", "Answer copied");
  } catch {
    notify("warning", "The browser did not allow copying", "Mark the text and copy it.");
  }
}
