/**
 * Files that usually change together, from the history of a folder's git repository. It is read in a worker thread when somebody asks first, and
 * again when another commit is checked out. Only paths and counts leave the worker: no names of people.
 */

import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import type { CoChanged } from "../answers.js";
import { byHabit, type ChangesOfFiles, type HistoryState } from "../reading/locate-history.js";
import type { HistoryProtocol } from "../rpc/history-protocol.js";
import { Caller } from "../rpc/rpc.js";
import { headOf } from "./head.js";
import { besideThis } from "./place.js";
import { portToThread } from "./ports.js";

/** An answer waits so long for the history; then it goes without. */
const WAIT_MS = 500;
/** A history that nobody asked for so long is not kept in memory. */
const IDLE_MS = 10 * 60_000;
/** Files of one answer. */
const MOST = 5;

export class CoChanges implements ChangesOfFiles {
  private worker: Caller<HistoryProtocol<string>> | undefined;
  /** The history of a commit, read or being read. */
  private reading: { readonly head: string; readonly done: Promise<HistoryState> } | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly root: string,
    private readonly idleMs = IDLE_MS,
  ) {}

  /** The files that change with one, those of the most commits first; nothing without a history, or while it is still being read. */
  async with(path: string): Promise<CoChanged[] | undefined> {
    const others = await this.partners(path);
    return others
      ?.slice(0, MOST)
      .map(({ path, support, confidence }) => ({ path, support, confidence: Math.round(confidence * 100) / 100 }));
  }

  /** The same, with the part of the others' own commits: as many as the history lists. */
  async partners(path: string): Promise<CoChanged[] | undefined> {
    const isRead = (await this.state()) === "read";
    const file = isRead ? await this.worker?.call("file", { path, limit: 0 }).catch(() => undefined) : undefined;
    return file && byHabit(file.together);
  }

  /** Whether the history is read; waits for it as long as an answer does. */
  async state(): Promise<HistoryState> {
    const head = headOf(this.root);
    if (head === undefined) return "none";
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.close(), this.idleMs).unref();
    const late = pause(WAIT_MS, "late" as const, { ref: false });
    return Promise.race([this.read(head), late]);
  }

  close(): void {
    clearTimeout(this.idle);
    this.worker?.close();
    this.worker = undefined;
    this.reading = undefined;
  }

  private read(head: string): Promise<HistoryState> {
    if (this.reading?.head === head) return this.reading.done;
    this.worker ??= new Caller(
      portToThread(new Worker(besideThis("./history-worker.js"), { name: "portolan history" })),
    );
    const done = this.worker.call("read", this.root).then(
      () => "read" as const,
      () => "none" as const,
    );
    this.reading = { head, done };
    return done;
  }
}
