/**
 * `portolan/history`, in a page: the history of a folder's git repository, read from the files of its `.git` in a worker. Git is not run,
 * and nothing leaves the page. Answers hold names of people: keep them only on purpose.
 */

import type { LocateRequest, LocateResponse } from "../answers.js";
import { treeOf } from "../browser/git-files.js";
import { gitFolderAbove } from "../browser/git-place.js";
import { spawnHistory } from "../browser/spawn-history.js";
import type { CodeIndex } from "../code-index.js";
import { byHabit, locateWithHistory } from "../reading/locate-history.js";
import type {
  BlamedFile,
  ComparedCommits,
  CompareRequest,
  FileChurn,
  FileHistory,
  GitSource,
  HistoryProtocol,
  HistorySummary,
} from "../rpc/history-protocol.js";
import { Caller } from "../rpc/rpc.js";

export type * from "../rpc/history-protocol.js";

/** Which history is read, and by whom. */
export interface HistoryOptions {
  /** The folder in the source whose history it is; the source itself where nothing is said. Paths of files are from there. */
  readonly within?: string | undefined;
  /** Address of the folder that `portolan assets` wrote, for pages whose bundler follows no addresses of workers. */
  readonly assets?: string | undefined;
}

/** The nearest folder at or above a path that has a `.git`, for `within`; nothing if none has. */
export function folderWithGit(source: GitSource, path: string): Promise<string | undefined> {
  return gitFolderAbove(treeOf(source), path);
}

/** Commits of a file that are listed where nothing is said. */
const LIMIT = 50;

/** An open history. */
export class History {
  readonly #worker: Caller<HistoryProtocol>;
  readonly #within: string;
  #summary: HistorySummary;

  private constructor(worker: Caller<HistoryProtocol>, within: string, summary: HistorySummary) {
    this.#worker = worker;
    this.#within = within;
    this.#summary = summary;
  }

  /**
   * Reads the newest 20,000 commits of a folder's `.git`: two seconds or less for most repositories.
   *
   * @throws `history.no-repository`, `history.outside` for a worktree whose repository is not in the source, `history.no-commit`,
   * `history.object-format`, `history.ref-storage`
   */
  static async read(source: GitSource, { assets, within = "" }: HistoryOptions = {}): Promise<History> {
    const worker = new Caller<HistoryProtocol>(spawnHistory(assets));
    try {
      return new History(worker, within, await worker.call("read", { source, within }));
    } catch (error) {
      worker.close();
      throw error;
    }
  }

  /** Commits, files and names of commits, as of the last reading. */
  get summary(): HistorySummary {
    return this.#summary;
  }

  /** Looks at the folder again; commits that are known are not read again. */
  async update(source: GitSource): Promise<HistorySummary> {
    this.#summary = await this.#worker.call("read", { source, within: this.#within });
    return this.#summary;
  }

  /** How often each file of the newest commit changes. */
  churn(): Promise<readonly FileChurn[]> {
    return this.#worker.call("churn", null);
  }

  /** Commits, authors and earlier names of a file, and files that change with it; nothing if the newest commit has no such file. */
  file(path: string, limit = LIMIT): Promise<FileHistory | undefined> {
    return this.#worker.call("file", { path, limit });
  }

  /** The commit of each line of a file, as of `at`: an id, a branch or a tag. */
  blame(path: string, at = "HEAD"): Promise<BlamedFile> {
    return this.#worker.call("blame", { path, at });
  }

  /** The files that differ between two commits, with their texts. */
  compare(request: CompareRequest): Promise<ComparedCommits> {
    return this.#worker.call("compare", request);
  }

  /**
   * `index.locate` with the history: files that usually change together with the likeliest ones count, too. The index is of the source; it is asked
   * twice. Rejects as `index.locate` does.
   */
  locate(index: Pick<CodeIndex, "locate">, request: LocateRequest): Promise<LocateResponse> {
    const root = this.#within === "" ? "" : `${this.#within}/`;
    const partners = async (path: string) => {
      if (!path.startsWith(root)) return undefined;
      const found = await this.file(path.slice(root.length), 0);
      return found && byHabit(found.together).map((one) => ({ ...one, path: root + one.path }));
    };
    const changes = { state: async () => "read" as const, partners };
    return locateWithHistory((one) => index.locate(one), changes, request);
  }

  /** Ends the worker. */
  close(): void {
    this.#worker.close();
  }
}
