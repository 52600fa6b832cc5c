/** Entry of the embedding worker in browsers. */

import { serveEmbed } from "../workers/embed-worker.js";
import { FetchedAssets } from "./assets.js";
import { startedBy } from "./ports.js";

startedBy((port, places) => serveEmbed(port, new FetchedAssets(places)));
