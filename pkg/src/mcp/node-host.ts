/** MCP where the files are: repositories of this machine, opened when first asked, and again when their index was replaced. */

import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { FileList, SearchRequest } from "../answers.js";
import { CodeIndex } from "../code-index.js";
import { fromThrown, PortolanError, RESTARTING } from "../errors.js";
import { applyRename } from "../node/apply-rename.js";
import { openHere } from "../node/client-host.js";
import { CoChanges } from "../node/co-change.js";
import { gitDiff } from "../node/git-diff.js";
import { noteSearch } from "../node/history.js";
import { registered, type Registered } from "../node/registry.js";
import { requireOwnIndex } from "../node/own-index.js";
import { AnswerCache, cached } from "../reading/answer-cache.js";
import { findIndex, findRoot, indexPathOf, rootOfIndex } from "../node/root.js";
import { headOf } from "../node/head.js";
import { StalenessCheck } from "../node/staleness.js";
import { textBelow } from "../node/text-below.js";
import type { EmbeddingModel } from "../types.js";
import { isInside } from "../node/user-folder.js";
import type { Abilities, CallContext, KnownRepositories, KnownRepository, McpHost, Repository } from "./host.js";
import { awaitIndex, type Current, type Keeper, type KeptIndex } from "./keeper.js";
import { settingsOf, settingsStamp, type RepositorySettings } from "./node-settings.js";

/** Kept open at the same time; each has its own copy of its index in memory. */
const MAX_OPEN = 4;

/** Larger files are shown as they were indexed. */
const MAX_TEXT = 16 * 1024 * 1024;
/** Times of files are coarser than a clock. */
const CLOCK_MS = 20;

/** A question waits so long for an index that is made again, and asks so often. */
const REMAKE_MS = 5_000;
const REMAKE_PAUSE_MS = 50;

/** Tools whose queries are kept in the history of searches. */
const SEARCHES = ["search", "query", "assemble"];

/** One of this machine; the default is asked where a call names none. */
type LocalRepository = Registered & Pick<KnownRepository, "is_default">;

interface Opened {
  readonly close: () => void;
  /** Of the files when it was opened. */
  readonly stamp: string;
  readonly repository: Repository;
}

export interface NodeHostOptions {
  readonly version: string;
  /** Where the client works: its index is the default. */
  readonly cwd: string;
  /** Indexes or folders, in place of those that were indexed on this machine. */
  readonly only?: readonly string[];
  /** A file of settings for all of them, in place of their own. */
  readonly config?: string | undefined;
  /** Builds indexes; without one those that are there answer. */
  readonly keeper?: Keeper | undefined;
}

export class NodeHost implements McpHost {
  readonly can: Abilities;
  readonly version: string;
  /** By the index's path, in the order last asked. */
  private readonly opened = new Map<string, Promise<Opened>>();

  constructor(private readonly options: NodeHostOptions) {
    this.version = options.version;
    this.can = { structural: true, files: true, index: options.keeper !== undefined };
  }

  /** Builds the index of a folder that has none; without a name, of the one the client works in. */
  async index(repo: string | undefined, context: CallContext): Promise<KeptIndex> {
    const { keeper, cwd, only } = this.options;
    if (!keeper) throw new PortolanError("host.unsupported", "index: nothing can be indexed here");
    const known = this.known().find(({ name, root }) => name === repo || root === repo);
    if (repo === undefined || known) return keeper.index(known?.root ?? this.rootHere(), context);
    const isFolder = isAbsolute(repo) && statSync(repo, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder || only?.length || !isInside(repo, findRoot(cwd)))
      throw new PortolanError(
        "repository.unknown",
        `index: ${JSON.stringify(repo)} is neither an indexed repository nor a folder in ${findRoot(cwd)}`,
        `a person indexes other folders: ${howTo(repo)}`,
      );
    return keeper.index(findRoot(repo), context);
  }

  private rootHere(): string {
    const [first] = this.known().filter(({ is_default }) => is_default === true);
    return first?.root ?? findRoot(this.options.cwd);
  }

  async repositories(): Promise<KnownRepositories> {
    return { repositories: this.known().map(({ index: _, ...entry }) => entry) };
  }

  async open(repo?: string): Promise<Repository> {
    await this.firstIndex(repo);
    const { index, root, name } = this.chosen(repo);
    const current = await this.options.keeper?.current(root);
    if (!current && !this.isNamed(index)) requireOwnIndex(index);
    const files = current ? "current" : stampOf(index);
    const stamp = `${files} ${settingsStamp(root, this.options.config)}`;
    const before = this.opened.get(index);
    const opened = await before?.catch(() => undefined);
    if (opened?.stamp === stamp) return atNow(opened.repository, root, current);
    const pending = this.openOne(index, root, name, stamp, current?.index);
    this.opened.set(index, pending);
    opened?.close();
    pending.catch(() => this.opened.get(index) === pending && this.opened.delete(index));
    await this.closeOldest();
    return atNow((await pending).repository, root, current);
  }

  /** Waits for the index that is built at the start. */
  private async firstIndex(repo: string | undefined): Promise<void> {
    const root = findRoot(this.options.cwd);
    if ((repo !== undefined && repo !== root) || existsSync(indexPathOf(root))) return;
    const pending = this.options.keeper?.pending(root);
    if (pending) await awaitIndex(pending, root);
  }

  close(): void {
    this.options.keeper?.close();
    for (const opened of this.opened.values()) opened.then(({ close }) => close()).catch(() => {});
    this.opened.clear();
  }

  /** @param current the index that is kept, in place of its file; it is not closed here. */
  private async openOne(
    index: string,
    root: string,
    name: string,
    stamp: string,
    current: CodeIndex | undefined,
  ): Promise<Opened> {
    const settings = await settingsOf(root, this.options.config);
    const model =
      settings.model === undefined ? undefined : (await import("../config/models.js")).embeddingModel(settings.model);
    const opened = current ?? (await openFile(index, name, settings.grammars, model));
    const check = current ? undefined : await stalenessOf(opened, root, index);
    const { search, close } = searcher(opened, settings.rerank);
    const ask = (tool: string, request: object): Promise<unknown> =>
      tool === "search"
        ? search(request as SearchRequest)
        : (opened.ask(tool as never, request as never) as Promise<unknown>);
    const changes = new CoChanges(root);
    const repository: Repository = {
      name,
      async ask(tool, request) {
        const started = performance.now();
        const answer = await (current ? untilMadeAgain(() => ask(tool, request)) : ask(tool, request));
        const { query } = request as { query?: unknown };
        if (SEARCHES.includes(tool) && typeof query === "string")
          noteSearch({ root, tool, query, milliseconds: performance.now() - started });
        return answer;
      },
      defaults: settings.defaults,
      ...(settings.leftOut !== undefined && { leftOut: settings.leftOut }),
      structural: (request, { signal, onProgress }: CallContext) => opened.structural(request, { signal, onProgress }),
      diff: (scope) => gitDiff(root, scope),
      changes,
      applyRename: (request, options) => applyRename(opened, request, root, options),
      ...(!current && { textNow: textSince(root, statSync(index).mtimeMs) }),
      ...(check && { staleness: () => check.now() }),
    };
    const closeAll = () => {
      close();
      changes.close();
      if (!current) opened.close();
    };
    return { stamp, repository, close: closeAll };
  }

  private async closeOldest(): Promise<void> {
    const [oldest] = this.opened.keys();
    if (this.opened.size <= MAX_OPEN || oldest === undefined) return;
    const opened = this.opened.get(oldest);
    this.opened.delete(oldest);
    (await opened?.catch(() => undefined))?.close();
  }

  /** Whether the user named this file, and so trusts its maker. */
  private isNamed(index: string): boolean {
    const { cwd, only = [] } = this.options;
    return only.some((place) => resolve(cwd, place) === index);
  }

  /** All that can be asked; the one the client works in first. */
  private known(): LocalRepository[] {
    const { cwd, only } = this.options;
    if (only && only.length > 0)
      return only.map((place, at) => ({ ...entryAt(resolve(cwd, place)), ...(at === 0 && { is_default: true }) }));
    const own = findIndex(cwd) ?? this.unwritten();
    const others = registered().filter(({ index }) => index !== own);
    const remembered = registered().find(({ index }) => index === own);
    return own === undefined ? others : [{ ...(remembered ?? entryOf(own)), is_default: true }, ...others];
  }

  /** The index of the work tree here that answers already and is not written yet. */
  private unwritten(): string | undefined {
    const root = findRoot(this.options.cwd);
    return this.options.keeper?.isKept(root) === true ? indexPathOf(root) : undefined;
  }

  private chosen(repo: string | undefined): LocalRepository {
    const known = this.known();
    if (repo === undefined) {
      const own = known.find(({ is_default }) => is_default === true) ?? (known.length === 1 ? known[0] : undefined);
      if (own) return own;
      throw none(this.options.cwd, known);
    }
    const named = known.filter(({ name, root }) => name === repo || root === repo || root === resolve(repo));
    if (named.length === 1) return named[0] as LocalRepository;
    if (named.length > 1)
      throw new PortolanError(
        "repository.ambiguous",
        `several repositories are named ${repo}`,
        `give the folder: ${named.map(({ root }) => root).join(", ")}`,
      );
    const place = isAbsolute(repo) && existsSync(repo) ? findIndex(repo) : undefined;
    if (place !== undefined && !this.options.only?.length) return entryOf(place);
    throw new PortolanError(
      "repository.unknown",
      `no repository ${JSON.stringify(repo)} is indexed`,
      known.length === 0
        ? howTo(repo)
        : `there are: ${known.map(({ name }) => name).join(", ")}; another one: ${howTo("FOLDER")}`,
    );
  }
}

async function openFile(
  index: string,
  name: string,
  grammars: RepositorySettings["grammars"],
  model: EmbeddingModel | undefined,
): Promise<CodeIndex> {
  const { backend } = await openHere(index, { grammars, ...(model && { model }) });
  const answers = cached(backend, new AnswerCache());
  return new CodeIndex(answers, { name, stored: { state: "off" }, complete: Promise.resolve() });
}

/** A kept index is made again after its engine stopped; a question that comes meanwhile waits for it, but not for ever. */
async function untilMadeAgain<T>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + REMAKE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isRestarting = error instanceof PortolanError && error.code === RESTARTING;
      if (!isRestarting || performance.now() > until) throw error;
      await pause(REMAKE_PAUSE_MS);
    }
  }
}

/** The repository at this moment: a kept index tells how far it has followed its files. */
function atNow(repository: Repository, root: string, current: Current | undefined): Repository {
  const revision = () => headOf(root);
  if (!current) return { ...repository, revision };
  const { looked_at, isExact, isBehind } = current;
  return {
    ...repository,
    revision,
    ...(!isExact && { textNow: textSince(root, looked_at) }),
    ...(isBehind && { isBehind }),
  };
}

/** Texts of files that may have changed since a time; of others nothing, which costs a look at their times only. */
function textSince(root: string, since: number): (path: string) => string | undefined {
  return (path) => {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!stats || Math.max(stats.mtimeMs, stats.ctimeMs) < since - CLOCK_MS) return undefined;
    return textBelow(root, path, MAX_TEXT);
  };
}

/** Searches, with a cross-encoder where the settings name one: it is loaded when the first search comes. */
function searcher(index: CodeIndex, rerank: RepositorySettings["rerank"]) {
  const load = async (options: NonNullable<RepositorySettings["rerank"]>) => {
    const { reranker } = await import("../config/models.js");
    return reranker({
      name: "mcp",
      operands: [],
      options: { rerank: options.folder, ...(options.top !== undefined && { "rerank-top": String(options.top) }) },
    });
  };
  let again: ReturnType<typeof load> | undefined;
  const close = () => void again?.then((encoder) => encoder?.close()).catch(() => {});
  const search = async (request: SearchRequest) => {
    if (rerank === undefined) return index.search(request);
    again ??= load(rerank);
    try {
      return await index.search(request, await again);
    } catch (error) {
      // The model's worker may have stopped in the middle of something: the next search loads it again.
      if (fromThrown(error).code.startsWith("internal")) {
        close();
        again = undefined;
      }
      throw error;
    }
  };
  return { search, close };
}

/** None where the folder of the index is not the one that was indexed: an index can be anywhere. */
async function stalenessOf(index: CodeIndex, root: string, file: string): Promise<StalenessCheck | undefined> {
  const { files } = (await index.files()) as FileList;
  const paths = files.map(({ path }) => path);
  if (!paths.slice(0, 100).some((path) => existsSync(resolve(root, path)))) return undefined;
  return new StalenessCheck({
    root,
    indexed_at: statSync(file).mtimeMs,
    paths,
    text: async (path) => (await index.text(path)).text,
  });
}

function entryAt(place: string): Registered {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats?.isFile()) return entryOf(place);
  const index = stats?.isDirectory() ? findIndex(place) : undefined;
  if (index === undefined) throw new PortolanError("storage.not-found", `there is no index at ${place}`, howTo(place));
  return entryOf(index);
}

function entryOf(index: string): Registered {
  const root = rootOfIndex(index);
  const stats = statSync(index, { throwIfNoEntry: false });
  return { name: basename(root) || "root", root, index, ...(stats && { indexed_at: Math.round(stats.mtimeMs) }) };
}

/** Another file has another stamp. */
function stampOf(index: string): string {
  const stats = statSync(index, { throwIfNoEntry: false });
  if (!stats) throw new PortolanError("storage.not-found", `the index at ${index} is gone`, howTo(rootOfIndex(index)));
  return `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

function none(cwd: string, known: readonly Registered[]): PortolanError {
  if (known.length === 0)
    return new PortolanError("storage.not-found", `neither ${cwd} nor any other repository is indexed`, howTo(cwd));
  return new PortolanError(
    "repository.unknown",
    `${cwd} is not indexed`,
    `${howTo(cwd)}; or choose with \`repo\`: ${known.map(({ name }) => name).join(", ")}`,
  );
}

function howTo(folder: string): string {
  return `build one with \`portolan index ${/\s/.test(folder) ? JSON.stringify(folder) : folder}\` and retry`;
}
