/** Entry of the index worker thread. */

import { serveIndex } from "../workers/index-worker.js";
import { portOfThread } from "./ports.js";
import { nodeSessionHost } from "./session-host.js";

serveIndex(portOfThread(), nodeSessionHost());
