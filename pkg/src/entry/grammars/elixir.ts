/** `portolan/grammars/elixir`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const elixir: Asset = {
  "grammar elixir": () => new URL("../../../grammars/tree-sitter-elixir.wasm", import.meta.url),
};
export default elixir;
