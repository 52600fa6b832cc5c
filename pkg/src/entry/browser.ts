/** Browsers, on the page: everything happens in workers, this thread only passes messages. */

import { spawnEmbed, spawnIndex } from "../browser/spawn-index.js";
import { createPortolan } from "../client.js";
import { IndexedDbStore } from "../storage.js";

export * from "../index.js";

const store = /* @__PURE__ */ new IndexedDbStore();

export const Portolan = /* @__PURE__ */ createPortolan({ spawnIndex, spawnEmbed, store: () => store });
