/** `portolan/grammars/tsx`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const tsx: Asset = {
  "grammar tsx": () => new URL("../../../grammars/tree-sitter-tsx.wasm", import.meta.url),
};
export default tsx;
