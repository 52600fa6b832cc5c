/** `portolan/grammars/markdown`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const markdown: Asset = {
  "grammar markdown": () => new URL("../../../grammars/tree-sitter-markdown.wasm", import.meta.url),
};
export default markdown;
