/** Entry of a parsing worker in browsers. */

import { serveParse } from "../workers/parse-worker.js";
import { portOfWorker, type DedicatedWorkerGlobalScope } from "./ports.js";

serveParse(portOfWorker(self as unknown as DedicatedWorkerGlobalScope));
