/** `portolan/grammars/rust`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const rust: Asset = {
  "grammar rust": () => new URL("../../../grammars/tree-sitter-rust.wasm", import.meta.url),
};
export default rust;
