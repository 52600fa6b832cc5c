/** The engine's instance in this thread: see `instance.ts`. */

import * as engine from "../../wasm/engine.js";
import { Instance, type Glue } from "./instance.js";

export const engineInstance = new Instance({
  initSync: (input) => engine.initSync(input),
  restart: (engine as Partial<Glue>).restart,
  restarted: (engine as Partial<Glue>).restarted,
});
