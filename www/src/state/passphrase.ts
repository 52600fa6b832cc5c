//! Encrypted indexes: what opens them is asked for, again where it was wrong.

import { type CodeIndex, type OpenOptions, Portolan } from "portolan";
import { signal } from "@preact/signals";
import { wordsOf } from "./notices.ts";
import { isInShards } from "./sources.ts";
import { userLanguages } from "./user-languages.ts";

/** A passphrase that is waited for. */
export interface Asked {
  readonly name: string;
  /** The one before did not open it. */
  readonly wrong: boolean;
  /** Without a passphrase it stays closed. */
  answer(passphrase?: string): void;
}

export const asked = signal<Asked | null>(null);

/** Opens the index in a file or an answer, with the languages of the user. Of one in shards only what questions need is read into memory. */
export async function openBody(body: Blob | Response, name: string, signal: AbortSignal): Promise<CodeIndex> {
  const file = body instanceof Blob ? body : await body.blob();
  const options = { name, signal, grammars: userLanguages.peek() };
  if (await isInShards(file)) return Portolan.open([new File([file], name)], options);
  return openBytes(new Uint8Array(await file.arrayBuffer()), options);
}

/** Opens an index; one that is encrypted once the reader has given its passphrase. */
export async function openBytes(
  bytes: Uint8Array,
  options: OpenOptions & { readonly name: string },
): Promise<CodeIndex> {
  for (let passphrase: string | undefined; ; ) {
    try {
      return await Portolan.open(bytes, passphrase === undefined ? options : { ...options, passphrase });
    } catch (error) {
      const { code } = wordsOf(error);
      if (code !== "seal.passphrase-missing" && code !== "seal.passphrase") throw error;
      passphrase = await ask(options.name, code === "seal.passphrase");
      if (passphrase === undefined) throw new DOMException("no passphrase was given", "AbortError");
    }
  }
}

async function ask(name: string, wrong: boolean): Promise<string | undefined> {
  const given = await new Promise<string | undefined>((resolve) => (asked.value = { name, wrong, answer: resolve }));
  asked.value = null;
  return given;
}
