/**
 * A text that depends on nothing but the index, kept in the user's folder from the first time that it was said: to read the graph of an index
 * takes most of the time of a hook. It is bound to the index file by its number, size and times.
 */

import { join } from "node:path";

import { placeOf } from "../node/own-index.js";
import {
  identityOf,
  listPrivate,
  nameFor,
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from "../node/user-folder.js";

const FOLDER = "orientations";
/** Another number makes all texts anew: their words have changed. */
const VERSION = 1;
/** Number of texts from which all are removed: most are of indexes that are gone. */
const MANY = 200;

/** The text as it was kept, else as it is made now. */
export async function keptText(index: string, make: () => Promise<string>): Promise<string> {
  const place = placeOf(index);
  const folder = place && userFolder(place.root);
  const identity = place && identityOf(place.file);
  if (place === undefined || folder === undefined || identity === undefined) return make();
  const name = join(FOLDER, nameFor(place.file));
  const head = `${VERSION}\n${place.file}\n${identity}\n`;
  const kept = readPrivate(folder, name);
  if (kept?.startsWith(head) === true) return kept.slice(head.length);
  const text = await make();
  try {
    const others = listPrivate(folder, FOLDER);
    if (others.length >= MANY) for (const other of others) removePrivate(folder, join(FOLDER, other));
    // An index that was replaced meanwhile has another identity than the text.
    if (identityOf(place.file) === identity) writePrivate(folder, name, head + text);
  } catch {
    // full disk, read-only home
  }
  return text;
}
