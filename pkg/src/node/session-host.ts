/** Node as a session sees it. */

import { availableParallelism, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";

import type { SessionHost } from "../host.js";
import { FileAssets } from "./assets.js";
import { FileStore } from "./file-store.js";
import { folderOf, isPath, openPath } from "./files.js";
import { memoryOf } from "./memory.js";
import { parserHere } from "./parser-here.js";
import { besideThis } from "./place.js";
import { portToThread, TO_PARSE } from "./ports.js";
import { INDEX_FILE, INDEX_FOLDER } from "./root.js";
import { staleInput } from "./stale-files.js";
import { watchInput } from "./watch.js";

export function nodeSessionHost(): SessionHost {
  return {
    assets: new FileAssets(),
    parallelism: availableParallelism(),
    memory: memoryOf(process.constrainedMemory?.(), totalmem()),
    spawn: (role) => {
      const file = role === "parse" ? "./parse.cjs" : `./${role}.js`;
      return portToThread(
        new Worker(besideThis(file), {
          name: `portolan ${role}`,
          workerData: role === "parse" ? TO_PARSE : undefined,
        }),
      );
    },
    parserHere: () => parserHere(),
    store: (input) =>
      typeof input === "string"
        ? new FileStore(join(folderOf(input), INDEX_FOLDER), INDEX_FILE)
        : new FileStore(resolve(INDEX_FOLDER)),
    isPath,
    openPath: async (path) => openPath(path),
    watch: watchInput,
    stale: staleInput,
  };
}
