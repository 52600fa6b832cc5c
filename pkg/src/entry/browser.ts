/** Browsers, on the page, with every file of the package. */

import { ALL_ASSETS } from "./all-assets.js";
import { portolanWith } from "../browser/portolan.js";

export * from "../index.js";

export const Portolan = /* @__PURE__ */ portolanWith(ALL_ASSETS);
