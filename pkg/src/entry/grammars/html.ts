/** `portolan/grammars/html`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const html: Asset = {
  "grammar html": () => new URL("../../../grammars/tree-sitter-html.wasm", import.meta.url),
};
export default html;
