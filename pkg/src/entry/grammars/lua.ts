/** `portolan/grammars/lua`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const lua: Asset = {
  "grammar lua": () => new URL("../../../grammars/tree-sitter-lua.wasm", import.meta.url),
};
export default lua;
