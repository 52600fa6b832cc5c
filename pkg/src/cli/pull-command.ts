/** `portolan pull`: the nearest version of this repository becomes its index, and only files that differ are read. */

import { statSync } from "node:fs";
import { resolve } from "node:path";

import { noOperands, type Command } from "../commands/options.js";
import { withSettings } from "../config/settings-file.js";
import { PortolanError } from "../errors.js";
import { bindIndex } from "../node/bind-index.js";
import { writeSnapshot } from "../node/file-store.js";
import { openGit, type GitWorkTree } from "../node/git.js";
import { isOwnIndex } from "../node/own-index.js";
import { findRoot, indexPathOf } from "../node/root.js";
import { filesOf } from "../storage/bundle.js";
import { SharedClient, type PlacedPiece } from "../shared/client.js";
import { sha256 } from "../shared/digest.js";
import { cutFile, type CutFile } from "../shared/index-file.js";
import { shardPath } from "../node/index-file.js";
import { VERSION_LIMITS } from "../shared/manifest.js";
import type { VersionManifest } from "../shared/types.js";
import { nameOf, serverOf } from "../shared/user-server.js";
import { quantity } from "../quantity.js";
import { ProgressLine } from "./progress-line.js";

/** Commits that are looked at, the newest first. */
const MAX_COMMITS = 2000;

export async function pull(command: Command): Promise<string> {
  noOperands(command);
  const started = performance.now();
  const root = findRoot();
  const git = command.options.at === undefined ? await gitOf(root) : undefined;
  try {
    return await pulled(command, root, git, started);
  } finally {
    git?.close();
  }
}

async function pulled(command: Command, root: string, git: GitWorkTree | undefined, started: number): Promise<string> {
  const { options } = command;
  const name = nameOf(options, root, process.env);
  const client = new SharedClient(await serverOf(options, root, process.env), name);
  const { manifest, n_commits, isExact } = await chosen(command, client, git, name);
  const target = options.output === undefined ? indexPathOf(root) : resolve(options.output);
  const fetched = await fetchedFile(command, client, manifest, indexPathOf(root));
  const bytes = await opened(command, fetched.bytes, name);
  const repositories = options.output === undefined ? { repositories: [root] } : {};
  // Who names a server trusts what it gives, as with a file that is named. Shards first: a root always finds those it is of.
  const files = filesOf(bytes, bytes.length);
  for (const { name, offset, n_bytes } of [...(files ?? [{ name: "", offset: 0, n_bytes: bytes.length }])].reverse()) {
    const path = name === "" ? target : shardPath(target, name);
    writeSnapshot(path, bytes.subarray(offset, offset + n_bytes), repositories);
    if (options.output === undefined) bindIndex(path, root);
  }
  const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
  const { sections: _, ...version } = manifest;
  // The version of exactly these files needs no update; an index in shards has none.
  const isUpdated =
    options.output === undefined && options["no-update"] !== true && files === undefined && !(await isExact);
  const updated = isUpdated ? await update(command, root) : undefined;
  if (options.json === true)
    return `${JSON.stringify({
      repository: name,
      version,
      ...(n_commits !== undefined && { n_commits }),
      index: target,
      fetched: { n_pieces: fetched.n_pieces, n_bytes: fetched.n_bytes },
      seconds,
      ...(updated !== undefined && { update: JSON.parse(updated) }),
    })}\n`;
  const back = n_commits === undefined || n_commits === 0 ? "" : `, ${quantity(n_commits, "commit")} back`;
  const megabytes = (n: number) => (n / 1e6).toFixed(1);
  return `${name} ${manifest.id.slice(0, 12)}${back}: ${megabytes(fetched.n_bytes)} of ${megabytes(manifest.n_bytes)} MB fetched, ${seconds.toFixed(1)} s\n${updated ?? `${target}\n`}`;
}

/** A version, and whether the files are those that it is of; that is found out while pieces arrive. */
interface Chosen {
  readonly manifest: VersionManifest;
  readonly n_commits?: number | undefined;
  readonly isExact: Promise<boolean> | false;
}

/** The version that is named, or the nearest to the commit that is checked out, or the current one. */
async function chosen(
  { options }: Command,
  client: SharedClient,
  git: GitWorkTree | undefined,
  name: string,
): Promise<Chosen> {
  if (options.at !== undefined) return { manifest: checked(await client.manifest(options.at)), isExact: false };
  const commits = ((await git?.commits(MAX_COMMITS)) ?? []).map(({ commit, tree }) => ({ commit, tree }));
  const { version, n_commits } = commits.length > 0 ? await client.nearest(commits) : {};
  if (version) {
    const tree = commits[0]?.tree;
    const isExact = git !== undefined && tree !== undefined && version.source.tree === tree && isClean(git, tree);
    return { manifest: checked(await client.manifest(version.id)), n_commits, isExact };
  }
  if (options.quiet !== true && commits.length > 0)
    process.stderr.write(`portolan: the server has no version of this branch of ${name}: taking the current one\n`);
  return { manifest: checked(await client.manifest("current")), isExact: false };
}

/** The repository's git; none where the folder is in no repository. */
function gitOf(root: string): Promise<GitWorkTree | undefined> {
  return openGit(root).catch((error: PortolanError) => {
    if (error.code === "git.failed") return undefined;
    throw error;
  });
}

/** Whether no file differs from a tree. An update looks for itself, so a failure counts as a difference. */
function isClean(git: GitWorkTree, tree: string): Promise<boolean> {
  return git.changed(tree).then(
    (paths) => paths.length === 0,
    () => false,
  );
}

/** Checks what a server says before it is believed: sizes must add up. */
function checked(manifest: VersionManifest): VersionManifest {
  const pieces = manifest.sections?.flatMap((section) => section.pieces ?? []) ?? [];
  const isRight = pieces.every(
    ({ digest, n_bytes }) => /^[0-9a-f]{64}$/.test(digest) && Number.isSafeInteger(n_bytes) && n_bytes > 0,
  );
  const n_bytes = pieces.reduce((sum, piece) => sum + piece.n_bytes, 0);
  if (!isRight || !/^[0-9a-f]{64}$/.test(manifest.id) || n_bytes !== manifest.n_bytes)
    throw new PortolanError("remote.failed", "the server describes no version", "is it a server of shared indexes?");
  if (n_bytes > VERSION_LIMITS.memory)
    throw new PortolanError("remote.too-large", `the version has ${n_bytes} bytes`, "open it by its address instead");
  return manifest;
}

/** The file: pieces that the present index has are taken from there, the others fetched and compared with their digests. */
async function fetchedFile(command: Command, client: SharedClient, manifest: VersionManifest, present: string) {
  const wanted: PlacedPiece[] = [];
  let offset = 0;
  for (const piece of manifest.sections.flatMap(({ pieces }) => pieces)) {
    wanted.push({ ...piece, offset });
    offset += piece.n_bytes;
  }
  const bytes = new Uint8Array(manifest.n_bytes);
  const before = await presentFile(present);
  try {
    const missing: PlacedPiece[] = [];
    for (const piece of wanted) {
      const own = before?.pieces.get(piece.digest);
      if (own?.n_bytes === piece.n_bytes) bytes.set(before?.read(piece.digest) ?? [], piece.offset);
      else missing.push(piece);
    }
    const line = new ProgressLine(process.stderr, command.options.quiet === true);
    let done = 0;
    await client.pieces(manifest.id, missing, async (piece, piece_bytes) => {
      if ((await sha256(piece_bytes)) !== piece.digest)
        throw new PortolanError("version.digest", "what the server sent is not what it described", "try again");
      bytes.set(piece_bytes, piece.offset);
      line.show({ phase: "reading", done: ++done, total: missing.length });
    });
    line.end();
    return { bytes, n_pieces: missing.length, n_bytes: missing.reduce((sum, { n_bytes }) => sum + n_bytes, 0) };
  } finally {
    before?.close();
  }
}

/** The index that is there, if it was made here; a damaged one has no pieces. */
async function presentFile(path: string): Promise<CutFile | undefined> {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() && isOwnIndex(path) ? await cutFile(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Decrypts an encrypted version, which only a file can be written from as it is. */
async function opened(command: Command, bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const { options } = command;
  const hasPassphrase = options.passphrase === true || options["passphrase-file"] !== undefined;
  if (options.output !== undefined && !hasPassphrase) return bytes;
  const { isSealed } = await import("../storage/encrypted.js");
  return isSealed(bytes) ? (await import("./seal-commands.js")).opened(bytes, command, name) : bytes;
}

/** `portolan index` over the version that was written. */
async function update({ options }: Command, root: string): Promise<string> {
  const { json, quiet, color, config } = options;
  const given = {
    ...(json !== undefined && { json }),
    ...(quiet !== undefined && { quiet }),
    ...(color !== undefined && { color }),
    ...(config !== undefined && { config }),
  };
  const { index } = await import("./index-command.js");
  return index(await withSettings({ name: "index", operands: [root], options: given }));
}
