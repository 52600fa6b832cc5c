/** `portolan/grammars/bash`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const bash: Asset = {
  "grammar bash": () => new URL("../../../grammars/tree-sitter-bash.wasm", import.meta.url),
};
export default bash;
