/** Entry of the sealing worker in browsers. */

import { serveSeal } from "../workers/seal-worker.js";
import { FetchedAssets } from "./assets.js";
import { portOfWorker, type DedicatedWorkerGlobalScope } from "./ports.js";

serveSeal(portOfWorker(self as unknown as DedicatedWorkerGlobalScope), new FetchedAssets());
