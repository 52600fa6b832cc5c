/** Node as a session sees it. */

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";

import type { SessionHost } from "../host.js";
import { FileAssets } from "./assets.js";
import { FileStore, INDEX_FOLDER } from "./file-store.js";
import { openPath } from "./files.js";
import { portToThread } from "./ports.js";

export function nodeSessionHost(): SessionHost {
  return {
    assets: new FileAssets(),
    parallelism: availableParallelism(),
    spawn: (role) => portToThread(new Worker(new URL(`./${role}.js`, import.meta.url), { name: `portolan ${role}` })),
    store: (input) => new FileStore(resolve(typeof input === "string" ? input : ".", INDEX_FOLDER)),
    openPath: async (path) => openPath(path),
  };
}
