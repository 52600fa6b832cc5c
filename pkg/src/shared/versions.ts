/** Adds, reads and switches versions of shared indexes in a store. */

import { PortolanError } from "../errors.js";
import {
  changeCatalogue,
  deleteCatalogue,
  folderOf,
  manifestKey,
  pieceKey,
  readCatalogue,
  repositoryNames,
  switched,
  withVersion,
  type Catalogue,
} from "./catalogue.js";
import { Cutter, PIECE } from "./cutter.js";
import { sha256 } from "./digest.js";
import { invalid, layoutOf, N_START } from "./layout.js";
import { checkLayout, manifestOf, summaryOf, VERSION_LIMITS, versionNamed } from "./manifest.js";
import { AT_ONCE, collected, inParallel, type ObjectHead, type ObjectStore } from "./store.js";
import type {
  NearestCommit,
  Piece,
  VersionManifest,
  VersionOffer,
  VersionRequest,
  VersionSection,
  VersionSource,
  VersionSummary,
} from "./types.js";
import { VirtualFile } from "./virtual-file.js";

const MAX_MANIFEST = 16 * 1024 * 1024;
/** Manifests that are kept in memory; they never change. */
const MAX_KEPT = 32;
/** Pieces that are looked up one by one; more of them are listed. */
const MANY = 24;
/** The time in which a pruning deletes; afterwards the process that did it is gone. */
export const DELETING_MS = 15 * 60_000;

/** Facts of a version besides its content. */
export interface Addition {
  readonly source: VersionSource;
  readonly isSwitched: boolean;
  /** Id of who adds it. */
  readonly by: string;
}

/** Adds, lists, switches, reads and deletes versions of repositories in a store. */
export class Versions {
  private readonly kept = new Map<string, VersionManifest>();

  constructor(
    readonly store: ObjectStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** Names of all repositories, sorted. */
  repositories(): Promise<string[]> {
    return repositoryNames(this.store);
  }

  /** The catalogue of a repository. Rejects with `repository.unknown`. */
  async catalogue(repository: string): Promise<Catalogue> {
    const { catalogue, etag } = await readCatalogue(this.store, repository);
    if (etag === undefined) throw unknown(repository);
    return catalogue;
  }

  /** The version of this name: `current`, an id or a commit (or their first digits), a tag. Rejects with `version.unknown`. */
  async version(repository: string, name = "current"): Promise<VersionSummary> {
    const { versions, current } = await this.catalogue(repository);
    return versionNamed(versions, current, name);
  }

  /** A version with its pieces. */
  async manifest(repository: string, id: string): Promise<VersionManifest> {
    const key = manifestKey(repository, id);
    const known = this.kept.get(key);
    if (known) return known;
    const stored = await this.store.get(key);
    if (!stored) throw new PortolanError("version.unknown", "this version was deleted", "ask for the current one");
    const manifest = JSON.parse(
      new TextDecoder().decode(await collected(stored.body, MAX_MANIFEST)),
    ) as VersionManifest;
    this.kept.set(key, manifest);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return manifest;
  }

  /** The file of a version, to be read by ranges. */
  async file(repository: string, id: string): Promise<VirtualFile> {
    return new VirtualFile(this.store, await this.manifest(repository, id), (digest) => pieceKey(repository, digest));
  }

  /** The version of the first of these commits that has one: by commit or by tree. */
  async nearest(repository: string, commits: readonly NearestCommit[]) {
    const { versions, current } = await this.catalogue(repository);
    // The current one goes before others of the same tree.
    const ordered = [...versions].sort((a, b) => Number(b.id === current) - Number(a.id === current));
    const byHash = new Map<string, VersionSummary>();
    for (const version of ordered)
      for (const hash of [version.source.tree, version.source.commit])
        if (hash !== undefined && !byHash.has(hash)) byHash.set(hash, version);
    for (const [n_commits, { commit, tree }] of commits.entries()) {
      const version = byHash.get(tree) ?? byHash.get(commit);
      if (version) return { version, n_commits };
    }
    return {};
  }

  /**
   * Adds a version whose pieces are there; otherwise says which are missing, and adds nothing. Rejects with `version.invalid`, where the
   * sections are not those of the file's header, and `version.busy`, where pieces of it are being deleted.
   */
  async offer(repository: string, request: VersionRequest, by: string): Promise<VersionOffer> {
    const pieces = uniquePieces(request.sections);
    let missing: string[] = [];
    let manifest: VersionManifest | undefined;
    let isNew = false;
    const isSwitched = request.switch !== false;
    const catalogue = await changeCatalogue(this.store, repository, async (before) => {
      missing = await this.missing(repository, before, pieces);
      if (missing.length > 0) return undefined;
      manifest ??= await this.checked(repository, request);
      const { id } = manifest;
      isNew = !before.versions.some((version) => version.id === id);
      // First what the catalogue names, then the catalogue.
      if (isNew) await this.store.put(manifestKey(repository, id), encoded(manifest));
      return withVersion(before, summaryOf(manifest), isSwitched, by, this.now());
    });
    if (manifest === undefined || missing.length > 0) return { missing, is_current: false, is_new: false };
    const version = versionNamed(catalogue.versions, catalogue.current, manifest.id);
    return { missing: [], version, is_current: catalogue.current === version.id, is_new: isNew };
  }

  /** Stores a piece after comparing it with its digest. Rejects with `version.digest`. */
  async putPiece(repository: string, digest: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0 || bytes.length > PIECE.most) throw invalid(`a piece has 1 to ${PIECE.most} bytes`);
    if ((await sha256(bytes)) !== digest)
      throw new PortolanError("version.digest", "the bytes do not have this digest", "send the piece again");
    await this.store.put(pieceKey(repository, digest), bytes);
  }

  /** Adds the version in a file that arrives in chunks. Holds some pieces in memory. */
  async addFile(
    repository: string,
    n_bytes: number,
    chunks: AsyncIterable<Uint8Array>,
    { source, isSwitched, by }: Addition,
  ): Promise<VersionOffer> {
    if (n_bytes > VERSION_LIMITS.n_bytes || n_bytes < 1)
      throw invalid(`an index has 1 to ${VERSION_LIMITS.n_bytes} bytes`);
    const { sections, n_arrived } = await this.storePieces(repository, n_bytes, chunks);
    if (n_arrived !== n_bytes)
      throw new PortolanError(
        "request.length",
        `${n_arrived} bytes of ${n_bytes} arrived`,
        "send the file again: pieces that arrived are not stored twice",
      );
    const offer = await this.offer(repository, { source, switch: isSwitched, n_bytes, sections }, by);
    if (offer.missing.length > 0) throw busy();
    return offer;
  }

  private async storePieces(repository: string, n_bytes: number, chunks: AsyncIterable<Uint8Array>) {
    const cutter = new Cutter(n_bytes);
    const pieces: Piece[][] = [];
    let n_arrived = 0;
    let waiting: Promise<void>[] = [];
    for await (const chunk of chunks) {
      n_arrived += chunk.length;
      if (n_arrived > n_bytes) break;
      for (const { part, bytes } of cutter.push(chunk)) {
        const digest = await sha256(bytes);
        const own = pieces[part] ?? [];
        own.push({ digest, n_bytes: bytes.length });
        pieces[part] = own;
        waiting.push(this.storeNew(repository, digest, bytes));
        if (waiting.length < AT_ONCE) continue;
        await Promise.all(waiting);
        waiting = [];
      }
    }
    await Promise.all(waiting);
    const parts = cutter.layout?.parts ?? [];
    const sections: VersionSection[] = parts.map((part, at) => ({ ...part, pieces: pieces[at] ?? [] }));
    return { sections, n_arrived };
  }

  private async storeNew(repository: string, digest: string, bytes: Uint8Array): Promise<void> {
    const key = pieceKey(repository, digest);
    if ((await this.store.head(key))?.n_bytes !== bytes.length) await this.store.put(key, bytes);
  }

  /** Switches the current version to another one that is there; `previous` is the one before it. */
  async switchTo(repository: string, name: string, by: string): Promise<VersionSummary> {
    const catalogue = await changeCatalogue(this.store, repository, async (before) => {
      if (before.versions.length === 0) throw unknown(repository);
      const meant = name === "previous" ? (before.switches[0]?.from ?? name) : name;
      return switched(before, versionNamed(before.versions, before.current, meant).id, by, this.now());
    });
    return versionNamed(catalogue.versions, catalogue.current, "current");
  }

  /** Deletes a repository: first its catalogue, so that nobody finds it, then its objects. */
  async remove(repository: string): Promise<void> {
    await this.catalogue(repository);
    await deleteCatalogue(this.store, repository);
    this.kept.clear();
    for (;;) {
      const { objects, cursor } = await this.store.list(`${folderOf(repository)}/`);
      await this.store.delete(objects.map(({ key }) => key));
      if (cursor === undefined) return;
    }
  }

  /** All pieces that are stored, by digest. */
  async storedPieces(repository: string): Promise<Map<string, ObjectHead>> {
    const found = new Map<string, ObjectHead>();
    let cursor: string | undefined;
    do {
      const page = await this.store.list(`${folderOf(repository)}/pieces/`, cursor);
      for (const head of page.objects) found.set(head.key.slice(head.key.lastIndexOf("/") + 1), head);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return found;
  }

  /**
   * Digests of pieces that are not stored. Those of the current version are there as long as the catalogue is the one that was read, since
   * a pruning changes it before it deletes anything.
   */
  private async missing(repository: string, catalogue: Catalogue, pieces: readonly Piece[]): Promise<string[]> {
    const { current, deleting, deleting_since = 0 } = catalogue;
    const doomed = new Set(deleting);
    const isOld = this.now() - deleting_since > DELETING_MS;
    if (!isOld && pieces.some(({ digest }) => doomed.has(digest))) throw busy();
    const known = current === undefined ? [] : uniquePieces((await this.manifest(repository, current)).sections);
    const sizes = new Map(known.map(({ digest, n_bytes }) => [digest, n_bytes]));
    const unknown = pieces.filter(({ digest, n_bytes }) => sizes.get(digest) !== n_bytes);
    const stored = unknown.length > MANY ? await this.storedPieces(repository) : undefined;
    const isStored = await inParallel(unknown, AT_ONCE, async ({ digest, n_bytes }) => {
      const head = stored ? stored.get(digest) : await this.store.head(pieceKey(repository, digest));
      return head?.n_bytes === n_bytes;
    });
    return unknown.filter((_, at) => isStored[at] !== true).map(({ digest }) => digest);
  }

  /** The manifest, after a look into the header of the file. */
  private async checked(repository: string, request: VersionRequest): Promise<VersionManifest> {
    const start = new Uint8Array(Math.min(N_START, request.n_bytes));
    const { source = {}, n_bytes, sections } = request;
    const describes = { id: "", repository, source, made_at: 0, is_sealed: false, n_bytes, n_pieces: 0, sections };
    const file = new VirtualFile(this.store, describes, (digest) => pieceKey(repository, digest));
    let at = 0;
    for await (const piece of file.read({ offset: 0, length: start.length })) {
      start.set(piece.subarray(0, start.length - at), at);
      at += piece.length;
    }
    const layout = layoutOf(start, request.n_bytes);
    checkLayout(request, layout);
    return manifestOf(repository, request, layout, this.now());
  }
}

function uniquePieces(sections: readonly VersionSection[]): Piece[] {
  return [...new Map(sections.flatMap(({ pieces }) => pieces).map((piece) => [piece.digest, piece])).values()];
}

function encoded(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function unknown(repository: string): PortolanError {
  return new PortolanError("repository.unknown", `there is no index of ${repository}`, "add one with `portolan push`");
}

function busy(): PortolanError {
  return new PortolanError("version.busy", "pieces of this version are being deleted", "try again in a second");
}
