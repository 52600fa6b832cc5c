// How long a search over an index in 32 shards takes in local workerd, each shard in a Durable Object, beside the same index in one piece.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { openJoined } from "../../pkg/dist/shared/joined-files.js";

const N_SHARDS = 32;
/** The goal of a search over that many shards. */
export const GOAL_MS = 60;

/** Queries by words, by meaning too, by name, and for uses. */
const QUERIES = [
  "q=read+a+section+of+the+snapshot",
  "q=snapshot+section&mode=lexical",
  "q=Snapshot",
  "q=who+calls+parse",
  "q=where+are+ignore+rules+applied&limit=50",
];

/**
 * Milliseconds of each search, by the index that was asked: `one` piece, or `shards`.
 * @param {(path: string, init?: object) => Promise<{ ms: number, status: number, bytes: ArrayBuffer }>} ask
 * @param {{ native: string, sources: string, world: string, whole: string }} places  the native program, a folder of sources, a folder to
 *   write in, the name of the same index in one piece
 */
export async function measureShards(ask, { native, sources, world, whole }) {
  const root = join(world, "sharded.portolan");
  execFileSync(native, ["index", sources, "-o", root, "--shards", String(N_SHARDS), "--json"], { cwd: world });
  const file = openJoined(root);
  const put = await ask("/v1/repos/sharded", { method: "PUT", body: file.read(0, file.n_bytes) });
  file.close();
  if (put.status !== 201) throw new Error(`the index in shards was not taken: ${put.status}`);
  const measured = {};
  for (const [name, repo] of [
    ["one", whole],
    ["shards", "sharded"],
  ]) {
    const times = [];
    const first = await ask(`/v1/search?repo=${encodeURIComponent(repo)}&${QUERIES[0]}`);
    for (let n = 0; n < 250; n++) {
      const { ms, status, bytes } = await ask(
        `/v1/search?repo=${encodeURIComponent(repo)}&${QUERIES[n % QUERIES.length]}`,
      );
      const { missing_shards } = JSON.parse(new TextDecoder().decode(bytes));
      if (status !== 200 || missing_shards !== undefined) throw new Error(`${repo}: ${status}, or shards are missing`);
      // The first of each query opens what it reads.
      if (n >= 2 * QUERIES.length) times.push(ms);
    }
    measured[name] = { first: first.ms, times };
  }
  return measured;
}
