/** `portolan/core`, in Node: all files are in the package, and read when they are wanted. */

import type { CoreOptions } from "../asset.js";
import type { Portolan as PortolanFace } from "../client.js";
import { Portolan } from "./node.js";

export * from "../names.js";

export function createPortolan(_options: CoreOptions): PortolanFace {
  return Portolan;
}
