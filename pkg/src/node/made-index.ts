/** The whole index of an overlay, once it was made, and the base of one. A module of its own: a hook needs no engine. */

import { gitIdentity } from "./git-identity.js";
import { cacheFolder, keptIndex, keptPath, noteOf, type KeptIndex } from "./index-cache.js";
import { placeOf } from "./own-index.js";
import { rootOfIndex } from "./root.js";
import { identityOf, nameFor } from "./user-folder.js";

/** The whole index that was made of an overlay, if it is in the cache; without making it. */
export function madeIndex(path: string): string | undefined {
  const place = placeOf(path);
  const folder = cacheFolder(place?.root);
  if (!place || folder === undefined) return undefined;
  const name = nameOfMade(place.file);
  const note = noteOf(folder, name) as { overlay?: unknown } | undefined;
  return note !== undefined && note.overlay === identityOf(place.file) ? keptPath(folder, name) : undefined;
}

/** The base of an overlay, if it is still there. */
export function baseOf(path: string, digest: string): KeptIndex | undefined {
  const root = rootOfIndex(path);
  const folder = cacheFolder(root);
  const clone = gitIdentity(root)?.clone;
  const base = folder === undefined ? undefined : keptIndex(folder, digest);
  return base !== undefined && clone !== undefined && base.names[0] === clone ? base : undefined;
}

/** The name in the cache of the whole index of an overlay. */
export function nameOfMade(file: string): string {
  return `made-${nameFor(file)}`;
}
