/** Entry of the history worker in browsers. */

import { serveHistory } from "../workers/history-worker.js";
import { FetchedAssets } from "./assets.js";
import { openGitFiles } from "./git-files.js";
import { startedBy } from "./ports.js";

startedBy((port, places) => serveHistory(port, new FetchedAssets(places), openGitFiles));
