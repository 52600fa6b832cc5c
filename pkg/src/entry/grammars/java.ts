/** `portolan/grammars/java`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const java: Asset = {
  "grammar java": () => new URL("../../../grammars/tree-sitter-java.wasm", import.meta.url),
};
export default java;
