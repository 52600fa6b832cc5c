/** Inside a Web Worker of your own: the index lives in this very thread, which must not be a page's. */

import { ALL_ASSETS } from "./all-assets.js";
import { placesOf } from "../browser/assets.js";
import { browserSessionHost } from "../browser/session-host.js";
import { createPortolan } from "../client.js";
import { channel } from "../rpc/channel.js";
import { serveIndex } from "../workers/index-worker.js";
import { IndexedDbStore } from "../storage/indexed-db.js";

export * from "../index.js";

const store = /* @__PURE__ */ new IndexedDbStore();

function serveHere() {
  const [near, far] = channel();
  serveIndex(far, browserSessionHost(placesOf(ALL_ASSETS)));
  return near;
}

export const Portolan = /* @__PURE__ */ createPortolan({ spawnIndex: serveHere, store: () => store });
