/** `portolan/grammars/php`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const php: Asset = {
  "grammar php": () => new URL("../../../grammars/tree-sitter-php.wasm", import.meta.url),
};
export default php;
