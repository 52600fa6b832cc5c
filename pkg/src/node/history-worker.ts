/** Entry of the worker thread that reads the history of git. */

import type { GitFiles } from "../workers/history-worker.js";
import { serveHistory } from "../workers/history-worker.js";
import { FileAssets } from "./assets.js";
import { openGitFiles } from "./git-files.js";
import { portOfThread } from "./ports.js";

let last: { close(): void } | undefined;

serveHistory<string>(portOfThread(), new FileAssets(), async (root): Promise<GitFiles> => {
  const files = openGitFiles(root);
  // Those of the reading before are not asked again.
  last?.close();
  last = files;
  return files;
});
