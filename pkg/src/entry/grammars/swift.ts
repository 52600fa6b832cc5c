/** `portolan/grammars/swift`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const swift: Asset = {
  "grammar swift": () => new URL("../../../grammars/tree-sitter-swift.wasm", import.meta.url),
};
export default swift;
