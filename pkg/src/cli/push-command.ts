/** `portolan push`: the index of this repository as a version on a server of shared indexes. */

import { statSync } from "node:fs";
import { resolve } from "node:path";

import { noOperands, type Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { openGit } from "../node/git.js";
import { changedSince, lookOf } from "../node/look.js";
import { isRootAt } from "../node/index-file.js";
import { wholeIndex } from "../node/overlay.js";
import { findRoot, requireIndex } from "../node/root.js";
import { SharedClient } from "../shared/client.js";
import { cutFile } from "../shared/index-file.js";
import { AT_ONCE, inParallel } from "../shared/store.js";
import type { VersionOffer, VersionSource } from "../shared/types.js";
import { nameOf, refOf, serverOf } from "../shared/user-server.js";
import { tooLargeForWorker } from "../shared/worker-limit.js";
import { ProgressLine } from "./progress-line.js";

/** A pruning may delete a piece between two requests; then it is asked again what is missing. */
const MAX_ROUNDS = 5;

export async function push(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  const root = findRoot();
  const index = options.index === undefined ? requireIndex() : resolve(options.index);
  const started = performance.now();
  const name = nameOf(options, root, process.env);
  const source = await sourceOf(command, root);
  if (options.index === undefined) refuseStale(index);
  const client = new SharedClient(await serverOf(options, root, process.env), name);
  const isSharded = isRootAt(index);
  const file = await cutFile(isSharded ? index : await wholeIndex(index));
  const line = new ProgressLine(process.stderr, options.quiet === true);
  try {
    const warning = isSharded ? tooLargeForWorker(statSync(index).size) : undefined;
    if (warning !== undefined) line.note(`portolan: ${warning}`);
    const { n_bytes, sections, pieces } = file;
    const request = { source, switch: options["no-switch"] !== true, n_bytes, sections };
    const sent = { n_pieces: 0, n_bytes: 0 };
    let offer = await client.offer(request);
    for (let round = 0; offer.missing.length > 0 && round < MAX_ROUNDS; round++) {
      const total = offer.missing.length;
      await inParallel(offer.missing, AT_ONCE, async (digest) => {
        const bytes = file.read(digest);
        await client.putPiece(digest, bytes);
        sent.n_pieces++;
        sent.n_bytes += bytes.length;
        line.show({ phase: "saving", done: sent.n_pieces, total });
      });
      offer = await client.offer(request);
    }
    line.end();
    if (!offer.version)
      throw new PortolanError("version.busy", "the server deletes pieces while they are sent", "try again later");
    return told(command, {
      repository: name,
      offer,
      n_pieces: pieces.size,
      n_bytes,
      sent,
      seconds: Number(((performance.now() - started) / 1000).toFixed(3)),
    });
  } finally {
    line.end();
    file.close();
  }
}

/** The commit that the index is of. Rejects with `push.changed` where files differ from it. */
async function sourceOf({ options }: Command, root: string): Promise<VersionSource> {
  const ref = refOf(options, process.env);
  const about = { ...(ref !== undefined && { ref }), ...(options.tag && { tags: options.tag }) };
  const git = await openGit(root).catch((error: PortolanError) => {
    // Files in no repository have no commit.
    if (error.code === "git.failed") return undefined;
    throw error;
  });
  if (!git) return about;
  try {
    const [head] = await git.commits(1);
    if (!head) return about;
    const paths = await git.changed(head.tree);
    if (paths.length === 0) return { ...head, parents: [...head.parents], ...about };
    if (options.force === true) return { parents: [head.commit], ...about };
    const shown = paths.slice(0, 3).join(", ");
    throw new PortolanError(
      "push.changed",
      `the files are not those of the commit: ${shown}${paths.length > 3 ? ", …" : ""}`,
      "commit or stash the changes and run `portolan index`; --force sends the index without the commit",
    );
  } finally {
    git.close();
  }
}

/** The index must be of the files as they are. Where it was made elsewhere nobody can tell, and its maker is trusted. */
function refuseStale(index: string): void {
  const look = lookOf(index);
  if (!look || changedSince(look, 10_000, true).paths.length === 0) return;
  throw new PortolanError("push.stale", "files have changed since they were indexed", "run `portolan index`");
}

interface Pushed {
  readonly repository: string;
  readonly offer: VersionOffer;
  readonly n_pieces: number;
  readonly n_bytes: number;
  readonly sent: { readonly n_pieces: number; readonly n_bytes: number };
  readonly seconds: number;
}

function told({ options }: Command, { repository, offer, n_pieces, n_bytes, sent, seconds }: Pushed): string {
  const { version, is_current, is_new } = offer;
  if (options.json === true)
    return `${JSON.stringify({ repository, version, is_current, is_new, n_pieces, n_bytes, sent, seconds })}\n`;
  const megabytes = (n: number) => (n / 1e6).toFixed(1);
  const commit = version?.source.commit ? `, commit ${version.source.commit.slice(0, 10)}` : "";
  return (
    `${repository} ${version?.id.slice(0, 12)}${commit}${is_current ? ", current" : ""}${is_new ? "" : ", was there"}\n` +
    `${sent.n_pieces} of ${n_pieces} pieces sent, ${megabytes(sent.n_bytes)} of ${megabytes(n_bytes)} MB, ${seconds.toFixed(1)} s\n`
  );
}
