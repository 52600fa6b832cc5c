/** Node as a session sees it. */

import { availableParallelism, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";

import type { SessionHost } from "../host.js";
import { FileAssets } from "./assets.js";
import { FileStore, INDEX_FILE, INDEX_FOLDER } from "./file-store.js";
import { folderOf, openPath } from "./files.js";
import { memoryOf } from "./memory.js";
import { portToThread } from "./ports.js";
import { watchFolder } from "./watch.js";

export function nodeSessionHost(): SessionHost {
  return {
    assets: new FileAssets(),
    parallelism: availableParallelism(),
    memory: memoryOf(process.constrainedMemory?.(), totalmem()),
    spawn: (role) => portToThread(new Worker(new URL(role === "parse" ? "./parse.cjs" : `./${role}.js`, import.meta.url), { name: `portolan ${role}` })),
    store: (input) => (typeof input === "string" ? new FileStore(join(folderOf(input), INDEX_FOLDER), INDEX_FILE) : new FileStore(resolve(INDEX_FOLDER))),
    openPath: async (path) => openPath(path),
    watch: (input, onChange, onError) => (typeof input === "string" ? watchFolder(input, onChange, onError) : undefined),
  };
}
