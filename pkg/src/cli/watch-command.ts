/** `portolan watch`: brings the index up to date whenever a file changes, until it is stopped. */

import { resolve } from "node:path";

import { fromThrown, PortolanError } from "../errors.js";
import { writeSnapshot } from "../node/file-store.js";
import { folderOf } from "../node/files.js";
import { bindIndex } from "../node/bind-index.js";
import { findRoot, indexPathOf } from "../node/root.js";
import { nodeSessionHost } from "../node/session-host.js";
import type { IndexEvent } from "../rpc/protocol.js";
import { Session } from "../indexing/session.js";
import type { FileChanges } from "../types.js";
import { onOneLine, visible } from "../visible.js";
import { counted, inWords, repositoriesOf, workOptions } from "./index-command.js";
import { operand, wholeNumber, type Command } from "../commands/options.js";
import { ProgressLine } from "./progress-line.js";
import { sizeAt } from "./sharded-index.js";

/** Saving costs more than an update: it waits for a pause. */
const SAVE_AFTER_MS = 3_000;
const DEBOUNCE_MS = 1_000;
/** Paths named of one round. */
const SHOWN_PATHS = 5;

export async function watch(command: Command): Promise<void> {
  const path = command.operands.length === 0 ? findRoot() : operand(command, "PATH");
  const { options } = command;
  const target = options.output === undefined ? indexPathOf(folderOf(path)) : resolve(options.output);
  if (sizeAt(target))
    throw new PortolanError(
      "index.shards",
      `${target} is an index in shards, which is not updated file by file`,
      "run `portolan index` after changes, or make it one file with `portolan index --full`",
    );
  const debounce = wholeNumber(options.debounce, "debounce", 0) ?? DEBOUNCE_MS;
  const line = new ProgressLine(process.stderr, options.quiet === true);
  const session = new Session(nodeSessionHost());
  const saver = new Saver(() => {
    writeSnapshot(target, (give) => session.saveTo(give), repositoriesOf(command, path));
    bindIndex(target, folderOf(path));
  }, complain);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);

  const started = performance.now();
  let watching = false;
  const onEvent = (event: IndexEvent) => {
    if (event.type === "progress" && !watching) line.show(event.progress);
    else if (event.type === "warning") complain(event.warning);
    else if (event.type === "changes" && isChanged(event.changes)) {
      line.end();
      tell(command, event.changes, event.milliseconds);
      saver.later();
    } else if (event.type === "vectors") saver.later();
  };
  try {
    await session.make(path, await workOptions(command, target, path), stop.signal, onEvent);
    line.end();
    watching = true;
    saver.now();
    write(
      command,
      { watching: resolve(path), seconds: seconds(performance.now() - started) },
      `watching ${resolve(path)}: ready after ${seconds(performance.now() - started)} s; Ctrl-C ends`,
    );
    await session.watch(debounce, stop.signal, onEvent);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    saver.finish();
    session.close();
  }
}

/** Saves once after many changes; what cannot be saved is tried again with the next change. */
class Saver {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly save: () => void,
    private readonly onError: (error: { message: string; code: string }) => void,
  ) {}

  later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), SAVE_AFTER_MS);
  }

  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      this.save();
    } catch (error) {
      this.onError(fromThrown(error));
    }
  }

  finish(): void {
    if (this.timer) this.now();
  }
}

function isChanged({ added, modified, deleted, renamed }: FileChanges): boolean {
  return added.length + modified.length + deleted.length + renamed.length > 0;
}

function tell(command: Command, changes: FileChanges, milliseconds: number): void {
  const { added, modified, deleted, renamed } = changes;
  const paths = onOneLine([
    ...added.map((path) => `+ ${path}`),
    ...modified.map((path) => `~ ${path}`),
    ...deleted.map((path) => `- ${path}`),
    ...renamed.map(({ from, to }) => `${from} → ${to}`),
  ]);
  const more = paths.length > SHOWN_PATHS ? `\n  … ${paths.length - SHOWN_PATHS} more` : "";
  const time = new Date().toTimeString().slice(0, 8);
  write(
    command,
    { changes, milliseconds: Math.round(milliseconds) },
    `${time} ${inWords(counted(changes))}, ${Math.round(milliseconds)} ms\n  ${paths.slice(0, SHOWN_PATHS).join("\n  ")}${more}`,
  );
}

function write({ options }: Command, value: unknown, text: string): void {
  if (options.json === true) process.stdout.write(`${visible(JSON.stringify(value))}\n`);
  else if (options.quiet !== true) process.stdout.write(`${visible(text)}\n`);
}

function complain({ message, code }: { message: string; code: string }): void {
  process.stderr.write(`portolan: ${visible(message)} [${code}]\n`);
}

function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(1));
}
