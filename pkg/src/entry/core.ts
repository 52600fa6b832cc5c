/** `portolan/core`, in browsers: Portolan with the files that you name, so that a build takes along no others. */

import type { CoreOptions } from "../asset.js";
import { portolanWith } from "../browser/portolan.js";
import type { Portolan } from "../client.js";

export * from "../names.js";

/** Portolan with these files. In Node, where files are read from the package when they are wanted, all of them are there. */
export function createPortolan({ assets }: CoreOptions): Portolan {
  return portolanWith(assets);
}
