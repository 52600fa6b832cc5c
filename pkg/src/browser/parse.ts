/** Entry of a parsing worker in browsers. */

import { serveParse } from "../workers/parse-worker.js";
import { FetchedAssets } from "./assets.js";
import { portOfWorker, type DedicatedWorkerGlobalScope } from "./ports.js";

serveParse(portOfWorker(self as unknown as DedicatedWorkerGlobalScope), new FetchedAssets());
