/** `portolan/grammars/toml`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const toml: Asset = {
  "grammar toml": () => new URL("../../../grammars/tree-sitter-toml.wasm", import.meta.url),
};
export default toml;
