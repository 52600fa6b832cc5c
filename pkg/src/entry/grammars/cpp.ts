/** `portolan/grammars/cpp`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const cpp: Asset = {
  "grammar cpp": () => new URL("../../../grammars/tree-sitter-cpp.wasm", import.meta.url),
};
export default cpp;
