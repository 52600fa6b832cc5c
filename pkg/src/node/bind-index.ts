/** Binds a written index to the user who made it; `own-index.ts` checks that. A module of its own, since questions only ask. */

import { statSync } from "node:fs";
import { dirname, join } from "node:path";

import { attempt, codeFile, codeOf, keyFor, placeOf, record, recordOf, RECORDS } from "./own-index.js";
import { replaceFile } from "./safe-files.js";
import { placeIn } from "./safe-folder.js";
import { identityOf, listPrivate, readPrivate, removePrivate, userFolder, writePrivate } from "./user-folder.js";

/** Number of records from which those of deleted indexes are looked for. */
const MANY_RECORDS = 500;

/**
 * Notes that this index was made here, by this user, of the folder `root`. Whether there was a place to note it: without a home and without PORTOLAN_INDEX_KEY
 * there is none, and questions have to name the file.
 */
export function bindIndex(path: string, root?: string): boolean {
  const place = placeOf(path);
  const identity = place && identityOf(place.file);
  if (!place || identity === undefined) return false;
  const folder = userFolder(place.root);
  const key = place.isInFolder ? attempt(() => keyFor(folder, true)) : undefined;
  const isSigned = key !== undefined && attempt(() => writeCode(place.file, key)) === true;
  const isNoted =
    folder !== undefined &&
    attempt(() => {
      writePrivate(
        folder,
        recordOf(place.file),
        record(place.file, identity, place.root === undefined ? root : undefined),
      );
      forgetOld(folder);
      return true;
    }) === true;
  return isSigned || isNoted;
}

function writeCode(file: string, key: string): true {
  const place = placeIn(dirname(dirname(file)), codeFile(file));
  // Its folder is ours: whatever has its name is replaced, and no link is followed.
  replaceFile(place, `${codeOf(file, key)}\n`, { isOurs: () => true, mode: 0o600, isDurable: false });
  return true;
}

/** Now and then: records of files that are gone. */
function forgetOld(folder: string): void {
  const names = listPrivate(folder, RECORDS);
  if (names.length < MANY_RECORDS) return;
  for (const name of names) {
    const file = readPrivate(folder, join(RECORDS, name))?.split("\n")[1];
    if (file === undefined || statSync(file, { throwIfNoEntry: false }) === undefined)
      removePrivate(folder, join(RECORDS, name));
  }
}
