/** Entry of a parsing worker thread. */

import { serveParse } from "../workers/parse-worker.js";
import { FileAssets } from "./assets.js";
import { portOfThread } from "./ports.js";

serveParse(portOfThread(), new FileAssets());
