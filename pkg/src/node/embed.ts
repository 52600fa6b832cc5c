/** Entry of the embedding worker thread. */

import { serveEmbed } from "../workers/embed-worker.js";
import { FileAssets } from "./assets.js";
import { portOfThread } from "./ports.js";

serveEmbed(portOfThread(), new FileAssets());
