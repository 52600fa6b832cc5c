/** Entry of a parsing worker thread. */

import { serveParse } from "../workers/parse-worker.js";
import { portOfThread } from "./ports.js";

serveParse(portOfThread());
