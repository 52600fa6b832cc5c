/** `portolan/grammars/ruby`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const ruby: Asset = {
  "grammar ruby": () => new URL("../../../grammars/tree-sitter-ruby.wasm", import.meta.url),
};
export default ruby;
