/** The parts of a built page, as the first line of its service worker names them: fetched ahead, or kept when they are used. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Written by www/build/offline.ts. Paths below the page, sizes in bytes. */
interface Parts {
  version: string;
  shell: string[];
  own: string[];
  rest: [path: string, bytes: number][];
}

const FIRST_LINE = /^self\.PORTOLAN_PARTS=(.*);$/m;

/** Reading a site takes its index, the page's scripts, the engine with the site's grammars for colours, and the reader. */
const OF_READING = /\.(js|css|index)$|(engine|reader)_bg[^/]*\.wasm$|tree-sitter-[^/]*\.wasm$/;

/**
 * Takes files that are not there out of the list, and names as the site's own what reading it takes: that is fetched ahead, so that the
 * site is read without a network after the first visit. An index that is fetched in parts is not among them: it is kept
 * when the reader keeps everything. The digest of the index makes browsers take a new one.
 */
export function nameParts(folder: string, digest: string, inParts: boolean): void {
  const path = join(folder, "service-worker.js");
  const worker = readFileSync(path, "utf8");
  const found = FIRST_LINE.exec(worker)?.[1];
  if (found === undefined) throw new Error(`${path} names no parts`);
  const parts = JSON.parse(found) as Parts;
  const isThere = (file: string) => existsSync(join(folder, file));
  const rest = parts.rest
    .filter(([file]) => isThere(file))
    .map(([file]): [string, number] => [file, statSync(join(folder, file)).size]);
  const changed: Parts = {
    version: `${parts.version} ${digest}`,
    shell: parts.shell.filter(isThere),
    own: rest.map(([file]) => file).filter((file) => OF_READING.test(file) && !(inParts && file.endsWith(".index"))),
    rest,
  };
  writeFileSync(
    path,
    worker.replace(FIRST_LINE, () => `self.PORTOLAN_PARTS=${JSON.stringify(changed)};`),
  );
}
