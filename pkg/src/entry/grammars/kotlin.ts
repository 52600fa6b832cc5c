/** `portolan/grammars/kotlin`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const kotlin: Asset = {
  "grammar kotlin": () => new URL("../../../grammars/tree-sitter-kotlin.wasm", import.meta.url),
};
export default kotlin;
