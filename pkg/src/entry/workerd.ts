/** Cloudflare Workers: opens snapshots and answers, by words and names. `portolan/core` takes the model along, too. */

import { readingPortolan } from "../workerd/portolan.js";

export * from "../index.js";

export const Portolan = /* @__PURE__ */ readingPortolan([]);
