/** `portolan/grammars/csharp`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const csharp: Asset = {
  "grammar csharp": () => new URL("../../../grammars/tree-sitter-csharp.wasm", import.meta.url),
};
export default csharp;
