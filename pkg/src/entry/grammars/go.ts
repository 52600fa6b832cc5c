/** `portolan/grammars/go`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const go: Asset = {
  "grammar go": () => new URL("../../../grammars/tree-sitter-go.wasm", import.meta.url),
};
export default go;
