/** `portolan/grammars/haskell`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const haskell: Asset = {
  "grammar haskell": () => new URL("../../../grammars/tree-sitter-haskell.wasm", import.meta.url),
};
export default haskell;
