//! Conversations of this browser, in a database of their own. Without storage they last as long as the tab.

import { type Conversation, conversationOf } from "portolan/chat";
import { type Place, within } from "../state/database.ts";

const place: Place = { database: "portolan chat", store: "conversations", keyPath: "id" };
const most = 100;

/** Keeps a conversation; the oldest go when there are many. */
export async function keepConversation(conversation: Conversation): Promise<void> {
  await within(place, "readwrite", (kept) => kept.put(conversation)).catch(() => {});
  const all = await conversations().catch(() => []);
  for (const { id } of all.slice(most)) await forgetConversation(id);
}

/** Those about a repository, or all; the newest first. */
export async function conversations(repository?: string): Promise<Conversation[]> {
  const values = await within(place, "readonly", (kept) => kept.getAll() as IDBRequest<unknown[]>).catch(() => []);
  return values
    .flatMap((value) => conversationOf(value) ?? [])
    .filter((one) => repository === undefined || one.repository === repository)
    .sort((a, b) => b.at - a.at);
}

export async function forgetConversation(id: string): Promise<void> {
  await within(place, "readwrite", (kept) => kept.delete(id)).catch(() => {});
}
