/** Node: indexing in worker threads; a snapshot is opened in this thread, where an answer takes a millisecond or two. */

import { createPortolan } from "../client.js";
import { openHere, openRemoteHere, spawnEmbed, spawnIndex, storeHere } from "../node/client-host.js";

export * from "../index.js";

export const Portolan = /* @__PURE__ */ createPortolan({
  spawnIndex,
  spawnEmbed,
  openHere,
  openRemoteHere,
  store: storeHere,
});
