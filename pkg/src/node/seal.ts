/** Entry of the sealing worker thread. */

import { serveSeal } from "../workers/seal-worker.js";
import { FileAssets } from "./assets.js";
import { portOfThread } from "./ports.js";

serveSeal(portOfThread(), new FileAssets());
