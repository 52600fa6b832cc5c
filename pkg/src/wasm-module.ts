/** The type of `portolan/engine.wasm` and its like, where a bundler or workerd makes a compiled module of the import. */

import type { WebAssembly } from "./platform.js";

declare const module: WebAssembly.Module;
export default module;
