/** `portolan/grammars/scala`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const scala: Asset = {
  "grammar scala": () => new URL("../../../grammars/tree-sitter-scala.wasm", import.meta.url),
};
export default scala;
