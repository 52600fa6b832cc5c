/** Entry of a parsing worker in browsers. */

import { serveParse } from "../workers/parse-worker.js";
import { FetchedAssets } from "./assets.js";
import { startedBy } from "./ports.js";

startedBy((port, places) => serveParse(port, new FetchedAssets(places)));
