/** `portolan/grammars/python`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const python: Asset = {
  "grammar python": () => new URL("../../../grammars/tree-sitter-python.wasm", import.meta.url),
};
export default python;
