/** `portolan/grammars/dart`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const dart: Asset = {
  "grammar dart": () => new URL("../../../grammars/tree-sitter-dart.wasm", import.meta.url),
};
export default dart;
