//! The folders and archives that were opened in this tab, by the name of their repository: files that the index left out can be read from
//! them. Handles and names only; nothing of their content is kept.

import type { Input } from "portolan";

const given = new Map<string, Input>();

/** Remembers what the index of this name was made of. */
export function keepInput(name: string, input: Input): void {
  if (typeof input === "object") given.set(name, input);
}

/** The folder or archive of this name, where it was opened in this tab. */
export function inputOf(name: string): Input | undefined {
  return given.get(name);
}

/** The index of this name has another name from now on. */
export function renameInput(old: string, name: string): void {
  const input = given.get(old);
  given.delete(old);
  if (input !== undefined) given.set(name, input);
}
