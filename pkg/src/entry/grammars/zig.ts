/** `portolan/grammars/zig`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const zig: Asset = {
  "grammar zig": () => new URL("../../../grammars/tree-sitter-zig.wasm", import.meta.url),
};
export default zig;
