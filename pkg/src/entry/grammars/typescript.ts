/** `portolan/grammars/typescript`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const typescript: Asset = {
  "grammar typescript": () => new URL("../../../grammars/tree-sitter-typescript.wasm", import.meta.url),
};
export default typescript;
