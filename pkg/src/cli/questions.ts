/** Exports of the file of questions for the launcher: see `bin/portolan.js`. */

export { Elsewhere } from "./elsewhere.js";
export { main } from "./main.js";
