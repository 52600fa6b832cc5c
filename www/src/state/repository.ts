//! The open repository: indexing it, opening a saved one, and the list of those saved in this browser.
//!
//! One repository is open at a time. While a new one is being indexed the open one can still be asked; it is replaced as
//! soon as the new index answers, which is before its vectors are there.

import {
  type CodeIndex,
  type FileChanges,
  type FileEntry,
  type IndexOptions,
  type Input,
  Portolan,
  type Progress,
  type SavedIndex,
  type Status,
  type StorageState,
} from "portolan";
import { signal } from "@preact/signals";
import { folder, follow, leaveFolder, noteRound, offerLook, sayRound } from "./changes.ts";
import { askToRead, forgetHandle, keepHandle, keptHandle, mayRead } from "./folder-handles.ts";
import { plural, sentence } from "./format.ts";
import { progressWords, wholeMeter } from "./progress-words.ts";
import { keepInput } from "./inputs.ts";
import { forgetSource } from "./same-name.ts";
import { pickFolder } from "./pick.ts";
import { userLanguages } from "./user-languages.ts";
import { openBody } from "./passphrase.ts";
import { link, navigate } from "./navigation.ts";
import { hint, notify, report, speak, wordsOf } from "./notices.ts";
import { sampleName, sampleUrl, siteInParts } from "./sample.ts";
import { hasShared, isSharedName, openShared } from "./shared.ts";
import { hearTabs, tellTabs } from "./tabs.ts";

/** An index that answers. */
export interface Repository {
  readonly name: string;
  readonly index: CodeIndex;
  readonly files: readonly FileEntry[];
  readonly status: Status;
  /** Counts how often the files of this index have changed. */
  readonly revision: number;
}

/** Work under way: indexing or opening. */
export interface Job {
  readonly name: string;
  /** `open` reads a saved index; `index` makes one. */
  readonly what: "index" | "open";
  readonly progress: Progress | null;
  /** Share of the whole, 0 to 1; null where nothing can be counted. */
  readonly share: number | null;
  /** The index answers already; the remaining work (vectors, saving) makes it better. */
  readonly usable: boolean;
  cancel(): void;
}

/** Indexes saved in this browser. */
export type Saved =
  | { state: "loading" }
  | { state: "ready"; entries: readonly SavedIndex[] }
  | { state: "unavailable"; message: string };

export const repository = signal<Repository | null>(null);
export const job = signal<Job | null>(null);
export const saved = signal<Saved>({ state: "loading" });
/** Storage used and available to this site; null until it is known. */
export const storage = signal<StorageState | null>(null);
/** The repository that a link names and that is not here; empty if none. */
export const missing = signal("");
/** Indexes what the user gave and opens it under that name. Problems become notices. */
export async function ingest(
  input: Input,
  name: string,
  more: Pick<IndexOptions, "remote" | "onReadme"> = {},
): Promise<void> {
  const controller = begin(name, "index");
  let changes: FileChanges | undefined;
  let isWhole = false;
  try {
    const index = await Portolan.index(input, {
      ...more,
      name,
      store: true,
      // A folder that was indexed before costs what has changed since.
      previous: "stored",
      onChanges: (found) => (changes = found),
      signal: controller.signal,
      grammars: userLanguages.peek(),
      // Of many files the first can be asked about in seconds.
      early: true,
      onProgress: (progress) => {
        isWhole ||= progress.phase === "building";
        advance(controller, progress);
      },
      onWarning: (warning) => notify("warning", sentence(warning.message), warning.help, warning.code),
      onUpdate: (what) => void (what === "files" ? grown(controller, isWhole) : improved(name, what)),
    });
    if (controller.signal.aborted) return void index.close();
    keepInput(name, input);
    const before = news;
    await adopt(index, name);
    // News that came while the list of files was read was about an index that was not open yet.
    if (news !== before) await changed(index);
    if (changes) noteRound(changes);
    if (isWhole) answers(controller);
    await index.complete;
    finish(controller);
    await Promise.all([settled(index), refreshSaved()]);
    if (changes) sayRound(changes);
    await attend(index, input, name);
  } catch (error) {
    finish(controller);
    report(`index ${name}`, error);
    if (wordsOf(error).code !== "aborted") return;
    speak("Indexing cancelled");
    if (!isWhole && repository.peek()?.name === name)
      notify(
        "warning",
        `${name} is only partly indexed`,
        "Indexing was cancelled: answers cover only the files read so far.",
      );
    await refresh(name);
  }
}

/** From here on the index answers; vectors and saving only add to it. */
function answers(controller: AbortController): void {
  const running = job.peek();
  if (current === controller && running) job.value = { ...running, usable: true };
}

/** The index knows of more files, or of all. */
async function grown(controller: AbortController, isWhole: boolean): Promise<void> {
  news += 1;
  const open = repository.peek();
  if (open && current === controller) await changed(open.index);
  if (isWhole) answers(controller);
}

/** Follows the folder that was indexed, or offers to look at it. */
async function attend(index: CodeIndex, input: Input, name: string): Promise<void> {
  if (repository.peek()?.index !== index || typeof input !== "object") return;
  if ("entries" in input && !Array.isArray(input)) {
    await keepHandle(name, input as FileSystemDirectoryHandle);
    void follow(index, () => changed(index));
  } else if ("files" in input) {
    // A list of files is as old as its listing.
    offerLook(true, async () => {
      const source = await pickFolder();
      if ("input" in source) await ingest(source.input, name);
    });
  }
}

/** Counts how often an index reported more files. */
let news = 0;
/** Number of the last question for files, and of the last whose answer is shown: an older answer never replaces a newer one. */
let filesAsked = 0;
let filesShown = 0;

/** The index may answer for other files than before. */
async function changed(index: CodeIndex): Promise<void> {
  filesAsked += 1;
  const turn = filesAsked;
  const [{ files }, status] = await Promise.all([index.files(), index.status()]);
  const open = repository.peek();
  if (open?.index !== index || turn < filesShown) return;
  filesShown = turn;
  repository.value = { ...open, files, status, revision: open.revision + 1 };
}

/** All is done: the state is the last one, and the list of files is whole even if no word of the last files came. */
async function settled(index: CodeIndex): Promise<void> {
  const open = repository.peek();
  if (open?.index !== index) return;
  await refresh(open.name);
  if (repository.peek()?.status.n_files !== repository.peek()?.files.length) await changed(index);
}

/** Vectors are in, or it is saved. */
async function improved(name: string, what: "vectors" | "saved"): Promise<void> {
  if (what === "saved") tellTabs({ saved: name });
  await Promise.all([refresh(name), what === "saved" ? refreshSaved() : undefined]);
}

/** Opens a saved repository. */
export async function openSaved(name: string): Promise<void> {
  await openStored(name);
  const index = repository.peek()?.index;
  const handle = await keptHandle(name);
  if (!handle || !index || repository.peek()?.name !== name || job.peek()) return;
  // With permanent permission, check the folder without asking.
  if (await mayRead(handle)) return ingest(handle, name);
  offerLook(false, async () => {
    if (await askToRead(handle)) return ingest(handle, name);
    notify(
      "warning",
      `The browser does not allow reading ${handle.name}`,
      "Allow it when the browser asks, or open the folder again.",
    );
  });
}

function openStored(name: string): Promise<void> {
  return opening(name, async (signal) => Portolan.open(name, { signal, grammars: userLanguages.peek() }));
}

/** Hears which indexes other tabs save and delete: the one that is open here follows. */
export function keepTabs(): void {
  hearTabs(async ({ saved: name = "" }) => {
    await refreshSaved();
    const open = repository.peek();
    const follows =
      open?.name === name &&
      open.index.stored.state === "saved" &&
      job.peek() === null &&
      folder.peek()?.how !== "followed";
    if (!follows) return;
    await openStored(name);
    hint(`${name} was indexed again in another tab; this is the new index`);
  });
}

/** Opens the sample index that came with the page. */
export async function openSample(): Promise<void> {
  await opening(sampleName, async (signal) => {
    if (siteInParts)
      return Portolan.openRemote(new URL(sampleUrl, document.baseURI).href, { name: sampleName, signal });
    const answer = await fetch(sampleUrl, { signal });
    if (!answer.ok) throw new Error(`the sample is not there (${answer.status})`);
    return openBody(answer, sampleName, signal);
  });
}

/** Opens an index from a file. Foreign files are checked as a whole, not only where queries read them. */
export async function openFile(file: Blob, name: string): Promise<void> {
  await opening(name, async (signal) => {
    const index = await openBody(file, name, signal);
    try {
      await index.save();
    } catch (error) {
      index.close();
      throw error;
    }
    return index;
  });
}

/** Opens an index in shards: of each shard only what questions read, which is checked then. */
export async function openShards(files: readonly File[], name: string): Promise<void> {
  await opening(name, (signal) => Portolan.open(files, { name, signal, grammars: userLanguages.peek() }));
}

/** Saves the open index in this browser: one that was opened from a file is there on the next visit. */
export async function keepHere(): Promise<void> {
  const open = repository.peek();
  if (!open) return;
  try {
    const { state, error } = await open.index.keep(open.name);
    if (error) throw error;
    if (state === "saved") await improved(open.name, "saved");
    hint(`${open.name} is saved in this browser`);
  } catch (error) {
    report(`save ${open.name} in this browser`, error);
  }
}

/** Deletes a saved repository; an open one stays open until the tab closes. */
export async function deleteSaved(name: string): Promise<void> {
  try {
    await Portolan.delete(name);
    await forgetHandle(name);
    forgetSource(name);
    tellTabs({ deleted: name });
    speak(`Deleted ${name}`);
  } catch (error) {
    report(`delete ${name}`, error);
  }
  await refreshSaved();
}

/** Names of the indexes that are saved in this browser. */
export async function takenNames(): Promise<ReadonlySet<string>> {
  if (saved.peek().state === "loading") await refreshSaved();
  const known = saved.peek();
  return new Set(known.state === "ready" ? known.entries.map(({ name }) => name) : []);
}

/** Reads the list of saved repositories again. */
export async function refreshSaved(): Promise<void> {
  try {
    const entries = await Portolan.list();
    saved.value = { state: "ready", entries: [...entries].sort((a, b) => b.saved_at - a.saved_at) };
  } catch (error) {
    saved.value = { state: "unavailable", message: wordsOf(error).message };
  }
  storage.value = await Portolan.storage().catch(() => null);
}

/** Asks the browser to keep saved indexes when space gets short. */
export async function keepForGood(): Promise<void> {
  const kept = await Portolan.persist();
  await refreshSaved();
  if (!kept)
    notify(
      "info",
      "The browser refused",
      "Browsers agree for sites that you visit often, bookmark or install. To be safe, save the index to a file.",
    );
}

/** Opens what the link names, if it is not open; called whenever the link changes. */
export async function followLink(name: string): Promise<void> {
  missing.value = "";
  if (name === "" || name === repository.peek()?.name || name === job.peek()?.name) return;
  const from = link.peek().repository;
  if (saved.peek().state === "loading") await refreshSaved();
  if (link.peek().repository !== from) return; // the reader has gone on
  const known = saved.peek();
  if (known.state === "ready" && known.entries.some((entry) => entry.name === name)) return openSaved(name);
  if (name === sampleName) return openSample();
  if (hasShared && isSharedName(name)) return opening(name, (signal) => openShared(name, signal));
  missing.value = name;
}

/** Opens an index with encrypted paths again, with their key. */
export async function revealPaths(key: Blob): Promise<void> {
  const open = repository.peek();
  if (!open) return;
  await opening(open.name, async (signal) =>
    Portolan.open(await open.index.save(), {
      name: open.name,
      pathKey: await key.text(),
      signal,
      grammars: userLanguages.peek(),
    }),
  );
}

let current: AbortController | null = null;
let measure = wholeMeter();

function begin(name: string, what: Job["what"]): AbortController {
  // An index that answers already finishes in the background: its vectors and its save are still needed.
  if (!job.peek()?.usable) current?.abort();
  const controller = new AbortController();
  current = controller;
  const cancel = () => {
    controller.abort();
    finish(controller);
  };
  job.value = { name, what, progress: null, share: null, usable: false, cancel };
  measure = wholeMeter();
  speak(what === "index" ? `Indexing ${name}` : `Opening ${name}`);
  return controller;
}

function finish(controller: AbortController): void {
  if (current !== controller) return;
  current = null;
  job.value = null;
}

function advance(controller: AbortController, progress: Progress): void {
  const running = job.peek();
  if (current !== controller || !running) return;
  job.value = { ...running, progress, share: measure(progress) };
  speak(progressWords(progress), true);
}

async function opening(name: string, open: (signal: AbortSignal) => Promise<CodeIndex>): Promise<void> {
  const controller = begin(name, "open");
  const from = link.peek().repository;
  try {
    const index = await open(controller.signal);
    if (controller.signal.aborted) return void index.close();
    // If the user has navigated away meanwhile, stay there.
    await adopt(index, name, link.peek().repository === from);
  } catch (error) {
    report(`open ${name}`, error);
  } finally {
    finish(controller);
  }
}

async function adopt(index: CodeIndex, name: string, shows = true): Promise<void> {
  const [files, status] = await Promise.all([index.files(), index.status()]);
  const before = repository.peek();
  if (before?.index !== index) leaveFolder();
  repository.value = { name, index, files: files.files, status, revision: 0 };
  missing.value = "";
  if (before && before.index !== index) void closeWhenDone(before.index);
  // A link to this very repository keeps its file and query; any other is left behind.
  if (shows && link.peek().repository !== name)
    navigate({ repository: name, path: "", lines: null, symbol: "", query: "" });
  speak(`${name} is ready: ${plural(status.n_files, "file")}`);
  const unread = status.skipped.filter(({ code }) => code === "unreadable" || code === "archive-limit").length;
  if (unread > 0)
    notify(
      "warning",
      `${plural(unread, "file")} of ${name} could not be read`,
      "The shield in the footer lists them with reasons. The other files are indexed.",
    );
  if (status.n_files === 0)
    notify(
      "warning",
      `${name} has no file that can be indexed`,
      "The shield in the footer lists the files left out, with reasons.",
    );
}

async function closeWhenDone(index: CodeIndex): Promise<void> {
  await index.complete.catch(() => {});
  index.close();
}

// The index became better or was saved: read the shown figures again.
async function refresh(name: string): Promise<void> {
  const index = repository.peek()?.name === name ? repository.peek()?.index : undefined;
  if (!index) return;
  try {
    const status = await index.status();
    // Another index may have been opened meanwhile: the present one gets the state.
    const open = repository.peek();
    if (open?.index === index) repository.value = { ...open, status };
  } catch (error) {
    report(`read the state of ${name}`, error, "warning");
  }
}
