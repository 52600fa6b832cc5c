/** The public names. Which host they run on is decided by the entry (`entry/`), not here. */

import type { Portolan as PortolanFace } from "./client.js";

export * from "./names.js";

/** Indexes, opens, lists and deletes. */
export declare const Portolan: PortolanFace;
