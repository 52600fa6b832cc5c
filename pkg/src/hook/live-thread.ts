/** Entry of the thread of a server that answers hooks. */

import { isMainThread, parentPort, workerData } from "node:worker_threads";

import { serveHooks } from "./live-server.js";

if (!isMainThread && parentPort) {
  const { index, root } = workerData as { readonly index: string; readonly root: string };
  const served = serveHooks(index, root, () => process.exit());
  parentPort.once("message", async () => {
    (await served).close();
    process.exit();
  });
}
