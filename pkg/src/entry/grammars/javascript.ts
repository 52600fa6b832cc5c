/** `portolan/grammars/javascript`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const javascript: Asset = {
  "grammar javascript": () => new URL("../../../grammars/tree-sitter-javascript.wasm", import.meta.url),
};
export default javascript;
