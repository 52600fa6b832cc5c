/** Entry of the sealing worker in browsers. */

import { serveSeal } from "../workers/seal-worker.js";
import { FetchedAssets } from "./assets.js";
import { startedBy } from "./ports.js";

startedBy((port, places) => serveSeal(port, new FetchedAssets(places)));
