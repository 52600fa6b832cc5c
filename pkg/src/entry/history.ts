/**
 * `portolan/history`, in a page: the history of a folder's git repository, read from the files of its `.git` in a worker. Git is not run,
 * and nothing leaves the page. Answers hold names of people: keep them only on purpose.
 */

import { spawnHistory } from "../browser/spawn-history.js";
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

/** Commits of a file that are listed where nothing is said. */
const LIMIT = 50;

/** An open history. */
export class History {
  readonly #worker: Caller<HistoryProtocol>;
  #summary: HistorySummary;

  private constructor(worker: Caller<HistoryProtocol>, summary: HistorySummary) {
    this.#worker = worker;
    this.#summary = summary;
  }

  /**
   * Reads the newest 20,000 commits of a folder's `.git`: two seconds or less for most repositories.
   *
   * @throws `history.no-repository`, `history.outside` for worktrees, `history.no-commit`, `history.object-format`, `history.ref-storage`
   */
  static async read(source: GitSource): Promise<History> {
    const worker = new Caller<HistoryProtocol>(spawnHistory());
    try {
      return new History(worker, await worker.call("read", source));
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
    this.#summary = await this.#worker.call("read", source);
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

  /** Ends the worker. */
  close(): void {
    this.#worker.close();
  }
}
