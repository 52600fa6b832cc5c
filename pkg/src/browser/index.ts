/** Entry of the index worker in browsers. */

import { serveIndex } from "../workers/index-worker.js";
import { portOfWorker, type DedicatedWorkerGlobalScope } from "./ports.js";
import { browserSessionHost } from "./session-host.js";

serveIndex(portOfWorker(self as unknown as DedicatedWorkerGlobalScope), browserSessionHost());
