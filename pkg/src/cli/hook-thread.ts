/** Answers hooks beside the MCP server, in a thread with an index of its own, where hooks are used on this machine. */

import { realpathSync } from "node:fs";
import { Worker } from "node:worker_threads";

import { hasHooks } from "../hook/live.js";
import { besideThis } from "../node/place.js";
import { findRoot, indexPathOf } from "../node/root.js";

/** The server's own start comes first. */
const DELAY_MS = 500;

/** Begins to answer hooks of the repository of a folder; ends when the process ends, or with the function that it returns. */
export function answerHooks(cwd: string): () => Promise<void> {
  const root = realpathSync(findRoot(cwd));
  let worker: Worker | undefined;
  const timer = setTimeout(() => {
    if (!hasHooks(root)) return;
    worker = new Worker(besideThis("../hook/live-thread.js"), {
      name: "portolan hooks",
      workerData: { index: indexPathOf(root), root },
    });
    // Hooks then ask the index themselves.
    worker.on("error", () => {});
    worker.once("exit", () => (worker = undefined));
    worker.unref();
  }, DELAY_MS).unref();
  return async () => {
    clearTimeout(timer);
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker?.once("exit", resolve));
    worker.ref();
    worker.postMessage("end");
    await ended;
  };
}
