//! Saved repositories: brought up to date, and given another name.

import { Portolan, type SavedIndex } from "portolan";
import { inWords } from "../state/changes.ts";
import { askToRead, forgetHandle, keepHandle, keptHandle } from "../state/folder-handles.ts";
import { link, navigate } from "../state/navigation.ts";
import { hint, report } from "../state/notices.ts";
import { pickFolder } from "../state/pick.ts";
import { progressWords } from "../state/progress-words.ts";
import { refreshSaved, repository } from "../state/repository.ts";
import { renameInput } from "../state/inputs.ts";
import { renameSource } from "../state/same-name.ts";
import { tellTabs } from "../state/tabs.ts";
import { userLanguages } from "../state/user-languages.ts";

/** Why a name cannot be given; empty if it can. */
export function nameProblem(name: string, old: string, entries: readonly Pick<SavedIndex, "name">[]): string {
  if (name.trim() === "") return "A repository needs a name.";
  if (name !== old && entries.some((entry) => entry.name === name))
    return `There is a repository called ${name} already.`;
  return "";
}

/** Saves a repository under another name and deletes the old one. */
export async function renameSaved(old: string, name: string): Promise<boolean> {
  const own = repository.peek();
  const isOpen = own?.name === old;
  try {
    const index = isOpen && own ? own.index : await Portolan.open(old, { grammars: userLanguages.peek() });
    try {
      const { state, error } = await index.keep(name);
      if (error) throw error;
      if (state !== "saved") throw new Error("the browser did not store it");
    } finally {
      if (!isOpen) index.close();
    }
    const handle = await keptHandle(old);
    if (handle) await keepHandle(name, handle);
    await Portolan.delete(old);
    await forgetHandle(old);
    renameSource(old, name);
    renameInput(old, name);
    if (isOpen && own) {
      repository.value = { ...own, name };
      if (link.peek().repository === old) navigate({ repository: name }, "replace");
    }
    tellTabs({ deleted: old });
    tellTabs({ saved: name });
    hint(`${old} is called ${name} now`);
    return true;
  } catch (error) {
    report(`rename ${old}`, error);
    return false;
  } finally {
    await refreshSaved();
  }
}

/**
 * Looks at the folder of a repository again and saves what has changed. Asks for the folder where this browser has no handle of it. Only
 * while a click is handled.
 */
export async function updateSaved(
  name: string,
  signal: AbortSignal,
  onProgress: (words: string) => void,
): Promise<void> {
  try {
    const handle = await keptHandle(name);
    const source = handle && (await askToRead(handle)) ? { name: handle.name, input: handle } : await pickFolder();
    if (!("input" in source)) return;
    let words = "Nothing has changed";
    const index = await Portolan.index(source.input, {
      name,
      store: true,
      previous: "stored",
      signal,
      grammars: userLanguages.peek(),
      onChanges: (changes) => {
        words = inWords(changes);
      },
      onProgress: (progress) => onProgress(progressWords(progress)),
    });
    try {
      await index.complete;
    } finally {
      index.close();
    }
    tellTabs({ saved: name });
    hint(`${name}: ${words}`);
  } catch (error) {
    report(`update ${name}`, error);
  } finally {
    await refreshSaved();
  }
}
