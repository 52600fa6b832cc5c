// @ts-check
// Starts the wasm in a Worker, where a module is imported as what it compiles to. Before answers.mjs, which calls it.

import sealModule from "../../../pkg/wasm/seal_bg.wasm";
import { useModule } from "./sealed.mjs";
import module from "./wasm/edge_bg.wasm";
import { initSync } from "./wasm/edge.js";

initSync({ module });
useModule(sealModule);
