/** Editors of configuration files that leave everything else as it is. The build puts them into this one file. */

export { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree, type ParseError } from "jsonc-parser";
export { parse as parseToml, patch as patchToml } from "@decimalturn/toml-patch";
