/** `portolan/core`, in Workers: opens snapshots and answers; with `portolan/model` by meaning, too. */

import type { CoreOptions } from "../asset.js";
import type { Portolan } from "../client.js";
import { readingPortolan } from "../workerd/portolan.js";

export * from "../names.js";

export function createPortolan({ assets }: CoreOptions): Portolan {
  return readingPortolan(assets);
}
