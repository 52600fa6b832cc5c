/**
 * Deletes versions that no rule keeps, and the pieces that no version has.
 *
 * A pruning first takes the versions out of the catalogue and notes there which pieces it deletes; then it deletes them; then it takes the
 * note away. Whoever adds a version compares its pieces with the note, and replaces the catalogue only if it is the one that was read: so
 * a piece is never deleted under a version that was just added.
 */

import { PortolanError } from "../errors.js";
import { changeCatalogue, manifestKey, pieceKey } from "./catalogue.js";
import { versionNamed } from "./manifest.js";
import { inParallel, type ObjectHead } from "./store.js";
import type { PruneAnswer, PruneRequest, VersionSummary } from "./types.js";
import { DELETING_MS, type Versions } from "./versions.js";

const DAY_MS = 86_400_000;
/** Pieces without a version may be those of an upload under way. */
const UPLOAD_MS = DAY_MS;
/** Pieces that one pruning deletes; the next one goes on. */
const MAX_DELETED = 5000;
const BATCH = 200;

/** Which versions go: those that fit no rule. */
export function pruned(
  versions: readonly VersionSummary[],
  current: string | undefined,
  { keep = 20, days = 30, tagged = true }: PruneRequest,
  now: number,
): VersionSummary[] {
  const newest = [...versions].sort((a, b) => b.made_at - a.made_at);
  return newest.filter(
    ({ id, made_at, source }, place) =>
      id !== current &&
      place >= keep &&
      now - made_at > days * DAY_MS &&
      !(tagged && source.tags !== undefined && source.tags.length > 0),
  );
}

/** Prunes a repository by rule. Rejects with `version.busy` where another pruning is under way. */
export function prune(versions: Versions, repository: string, rules: PruneRequest, now: number): Promise<PruneAnswer> {
  return deleteVersions(versions, repository, now, rules.dry_run === true, (known, current) =>
    pruned(known, current, rules, now),
  );
}

/** Deletes one version. Rejects with `version.current` for the one that answers queries. */
export function deleteVersion(versions: Versions, repository: string, name: string, now: number): Promise<PruneAnswer> {
  return deleteVersions(versions, repository, now, false, (known, current) => {
    const version = versionNamed(known, current, name);
    if (version.id !== current) return [version];
    throw new PortolanError("version.current", "this version answers queries", "switch to another one before");
  });
}

async function deleteVersions(
  versions: Versions,
  repository: string,
  now: number,
  isDryRun: boolean,
  choose: (known: readonly VersionSummary[], current: string | undefined) => VersionSummary[],
): Promise<PruneAnswer> {
  const { store } = versions;
  let gone: VersionSummary[] = [];
  let garbage: ObjectHead[] = [];
  const { versions: kept } = await changeCatalogue(store, repository, async (before) => {
    if (before.deleting.length > 0 && now - (before.deleting_since ?? 0) < DELETING_MS)
      throw new PortolanError("version.busy", "another pruning is under way", "try again later");
    gone = choose(before.versions, before.current);
    const ids = new Set(gone.map(({ id }) => id));
    const left = before.versions.filter(({ id }) => !ids.has(id));
    garbage = await garbageOf(versions, repository, left, gone, now);
    if (isDryRun || (gone.length === 0 && garbage.length === 0 && before.deleting.length === 0)) return undefined;
    return { ...before, versions: left, deleting: garbage.map(digestOf), deleting_since: now };
  });
  const answer = {
    versions: gone.map(({ id }) => id),
    n_pieces: garbage.length,
    n_bytes: garbage.reduce((sum, { n_bytes }) => sum + n_bytes, 0),
    n_kept: isDryRun ? kept.length - gone.length : kept.length,
  };
  if (isDryRun) return answer;
  const deadline = Date.now() + DELETING_MS / 3;
  const keys = [
    ...gone.map(({ id }) => manifestKey(repository, id)),
    ...garbage.map((head) => pieceKey(repository, digestOf(head))),
  ];
  for (let at = 0; at < keys.length && Date.now() < deadline; at += BATCH)
    await store.delete(keys.slice(at, at + BATCH));
  await changeCatalogue(store, repository, async (before) =>
    before.deleting_since === now ? { ...before, deleting: [], deleting_since: undefined } : undefined,
  );
  return answer;
}

/** Pieces that no kept version has: those of versions that go, and old ones that never got a version. */
async function garbageOf(
  versions: Versions,
  repository: string,
  left: readonly VersionSummary[],
  gone: readonly VersionSummary[],
  now: number,
): Promise<ObjectHead[]> {
  const digestsOf = async (these: readonly VersionSummary[]) => {
    const manifests = await inParallel(these, 4, ({ id }) => versions.manifest(repository, id));
    return new Set(manifests.flatMap(({ sections }) => sections.flatMap(({ pieces }) => pieces.map((p) => p.digest))));
  };
  const [used, released] = [await digestsOf(left), await digestsOf(gone)];
  const stored = [...(await versions.storedPieces(repository)).values()];
  const isGarbage = (head: ObjectHead) =>
    !used.has(digestOf(head)) && (released.has(digestOf(head)) || now - head.written_at > UPLOAD_MS);
  return stored.filter(isGarbage).slice(0, MAX_DELETED);
}

function digestOf({ key }: ObjectHead): string {
  return key.slice(key.lastIndexOf("/") + 1);
}
