/** `portolan/grammars/css`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const css: Asset = {
  "grammar css": () => new URL("../../../grammars/tree-sitter-css.wasm", import.meta.url),
};
export default css;
