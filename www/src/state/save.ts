//! Saving the open index to a file: as it is, under a passphrase, without its paths.

import { type CodeIndex, newPathKey, type SealPhase } from "portolan";
import { signal } from "@preact/signals";
import { report, speak, wordsOf } from "./notices.ts";
import { blobOf, give, stemOf } from "./download.ts";

/** The reader's choices for the file. */
export interface Wish {
  /** Empty: it is not encrypted. */
  readonly passphrase: string;
  readonly hidesPaths: boolean;
  /** Text of a key file; a new key is made where it is empty. */
  readonly pathKey: string;
  readonly keepsTexts: boolean;
}

/** A file that waits to be taken. */
export interface Made {
  readonly name: string;
  readonly file: Blob;
  readonly what: "index" | "key";
}

/** The parts of the open repository that saving needs. */
export interface Open {
  readonly name: string;
  readonly index: CodeIndex;
}

export type Saving =
  | { readonly state: "asking"; readonly open: Open; readonly problem: string }
  | { readonly state: "working"; readonly open: Open; readonly phase: SealPhase | ""; cancel(): void }
  | { readonly state: "done"; readonly open: Open; readonly made: readonly Made[] };

/** The dialog that saves an encrypted copy; null while it is closed. */
export const saving = signal<Saving | null>(null);

/** Saves the index as it is, to the browser's downloads. */
export async function saveAsItIs({ name, index }: Open): Promise<void> {
  try {
    give(await blobOf(await index.save()), `${stemOf(name)}.index`);
  } catch (error) {
    report("save the index to a file", error);
  }
}

/** Asks how to encrypt the index. */
export function askToSave(open: Open): void {
  saving.value = { state: "asking", open, problem: "" };
}

/** Closes the dialog; work under way ends at once. */
export function leave(): void {
  const now = saving.peek();
  if (now?.state === "working") now.cancel();
  saving.value = null;
}

/** Makes the files that were asked for. They are offered, and given at once where there is only one. */
export async function saveProtected(open: Open, wish: Wish): Promise<void> {
  const { name, index } = open;
  const controller = new AbortController();
  const { signal: stop } = controller;
  const show = (phase: SealPhase | "") =>
    (saving.value = { state: "working", open, phase, cancel: () => controller.abort() });
  show("");
  speak(`Saving ${name}`);
  const pathKey = wish.hidesPaths ? wish.pathKey || newPathKey() : undefined;
  const passphrase = wish.passphrase === "" ? undefined : wish.passphrase;
  try {
    const bytes = await index.save({
      passphrase,
      pathKey,
      keepTexts: wish.keepsTexts,
      signal: stop,
      onPhase: (phase) => stop.aborted || show(phase),
    });
    const made: Made[] = [
      {
        name: `${stemOf(name)}.${passphrase === undefined ? "hidden.index" : "sealed"}`,
        file: await blobOf(bytes),
        what: "index",
      },
    ];
    if (stop.aborted) return;
    if (pathKey !== undefined && wish.pathKey === "")
      made.push({ name: `${stemOf(name)}.key`, file: new Blob([pathKey]), what: "key" });
    if (made.length === 1) for (const { file, name: fileName } of made) give(file, fileName);
    saving.value = { state: "done", open, made };
    speak(`${name} is ready to be saved`);
  } catch (error) {
    if (stop.aborted) return;
    const { message, help } = wordsOf(error);
    saving.value = { state: "asking", open, problem: help === "" ? message : `${message}; ${help}` };
  }
}
