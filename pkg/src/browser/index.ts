/** Entry of the index worker in browsers. */

import { serveIndex } from "../workers/index-worker.js";
import { startedBy } from "./ports.js";
import { browserSessionHost } from "./session-host.js";

startedBy((port, places) => serveIndex(port, browserSessionHost(places)));
