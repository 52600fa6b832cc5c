/** `portolan/grammars/sql`: for `createPortolan` of `portolan/core`. */

import type { Asset } from "../../asset.js";

const sql: Asset = {
  "grammar sql": () => new URL("../../../grammars/tree-sitter-sql.wasm", import.meta.url),
};
export default sql;
