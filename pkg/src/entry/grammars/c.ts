/** `portolan/grammars/c`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const c: Asset = {
  "grammar c": () => new URL("../../../grammars/tree-sitter-c.wasm", import.meta.url),
};
export default c;
