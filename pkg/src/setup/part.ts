/** The smallest thing that set-up puts into place. */

import type { Format, Setting } from "./config-file.js";

/** A value in a file that belongs to the user, or a whole file that is ours. */
export type Part =
  | {
      readonly kind: "setting";
      readonly file: string;
      readonly format: Format;
      readonly setting: Setting;
      readonly about: string;
    }
  | { readonly kind: "file"; readonly file: string; readonly content: string | Uint8Array; readonly about: string };
