/** `portolan/grammars/json`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const json: Asset = {
  "grammar json": () => new URL("../../../grammars/tree-sitter-json.wasm", import.meta.url),
};
export default json;
