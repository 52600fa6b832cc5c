/** Entry of the embedding worker in browsers. */

import { serveEmbed } from "../workers/embed-worker.js";
import { FetchedAssets } from "./assets.js";
import { portOfWorker, type DedicatedWorkerGlobalScope } from "./ports.js";

serveEmbed(portOfWorker(self as unknown as DedicatedWorkerGlobalScope), new FetchedAssets());
