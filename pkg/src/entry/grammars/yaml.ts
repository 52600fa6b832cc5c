/** `portolan/grammars/yaml`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const yaml: Asset = {
  "grammar yaml": () => new URL("../../../grammars/tree-sitter-yaml.wasm", import.meta.url),
};
export default yaml;
