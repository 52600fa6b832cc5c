/** What the file of questions gives to the launcher: see `bin/portolan.js`. */

export { Elsewhere } from "./elsewhere.js";
export { main } from "./main.js";
