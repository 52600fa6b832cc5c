/**
 * Keeps an index up to date with the builder that made it, and with workers that stay ready, so that one edited file costs a
 * fraction of a second.
 *
 * Every round ends with an index that equals one made from scratch. Words, names and the graph are right first; vectors of new
 * chunks follow.
 */

import type { CodeIndex } from "../../wasm/engine.js";
import { EmbedWorker, sharedThread } from "./embedding.js";
import { engineInstance } from "../engine/engine-instance.js";
import { PortolanError } from "../errors.js";
import type { OpenedInput, SessionHost } from "../host.js";
import { build, embedRest, refresh, replayed, type IndexingContext } from "./pipeline.js";
import { PackingAhead } from "./packing.js";
import { LazyParsing, type ChangedFile } from "./parsing.js";
import type { ParseProtocol, Replay } from "../rpc/protocol.js";
import type { Caller } from "../rpc/rpc.js";
import { listSources, type Sources } from "./sources.js";
import type { FileChanges, FileEdits, FileInput } from "../types.js";
import { bytesOf } from "./walk.js";

/** Number of texts that are embedded in some milliseconds. */
const FEW_TEXTS = 256;

export class Updater {
  private readonly parsing: LazyParsing;
  private embedder: EmbedWorker | undefined;
  private embedsHere: { readonly caller: Caller<ParseProtocol>; readonly worker: EmbedWorker } | undefined;
  private walked = false;
  /** The folders that the last walk went into. */
  folders: string[] = [];

  /**
   * @param opened the indexed input, if it can be read again.
   * @param embeds whether the index has vectors.
   */
  constructor(
    private readonly host: SessionHost,
    readonly context: IndexingContext,
    readonly opened: OpenedInput | undefined,
    private readonly embeds: boolean,
  ) {
    this.parsing = new LazyParsing(context);
  }

  /** Brings what the builder holds up to date with these files. */
  refresh(list: () => Promise<Sources>): Promise<FileChanges> {
    this.walked = true;
    return refresh(this.context, list, this.parsing);
  }

  /** Brings what the builder holds to a state that is told by its difference from it. */
  replay(files: readonly FileInput[], replay: Replay): Promise<FileChanges> {
    return replayed(this.context, files, replay, this.parsing);
  }

  /** Looks at all files again, or takes in edits by hand. The builder holds the result; `build` comes next. */
  async round(edits: FileEdits | undefined): Promise<FileChanges> {
    if (edits) return this.edit(edits);
    const { opened, context } = this;
    if (!opened || "archive" in opened)
      throw new PortolanError(
        "input.unknown",
        "what was indexed cannot be looked at again",
        "say what has changed: update({ files, deleted })",
      );
    const { builder, meter } = context;
    this.folders = [];
    const onFolder = (path: string) => void this.folders.push(path);
    return this.refresh(() =>
      listSources(opened, builder, context.signal, ({ length }) => meter.report("reading", 0, length + 1), onFolder),
    );
  }

  /** A worker that packs sections to save. */
  packing(): PackingAhead {
    return new PackingAhead(this.parsing.worker());
  }

  build(packing?: PackingAhead): CodeIndex {
    return build(this.context, packing);
  }

  /** The index with vectors of new texts; nothing if there are none. */
  async vectors(): Promise<CodeIndex | undefined> {
    if (!this.embeds || this.context.builder.pendingCount() === 0) return undefined;
    return embedRest(this.context, this.chooseEmbedder(), 0);
  }

  /** A few texts are embedded by the parser in this thread, where there is one: to start a worker would take longer. */
  private chooseEmbedder(): EmbedWorker {
    const { host, context } = this;
    const isFew = context.builder.pendingCount() <= FEW_TEXTS && host.assets.own === undefined;
    const caller = isFew ? this.parsing.here() : undefined;
    if (!caller) {
      this.embedder ??= new EmbedWorker(host, context.engine);
      return this.embedder;
    }
    if (this.embedsHere?.caller !== caller)
      this.embedsHere = { caller, worker: new EmbedWorker(host, context.engine, sharedThread(caller)) };
    return this.embedsHere.worker;
  }

  close(): void {
    this.parsing.close();
    this.embedder?.close();
    engineInstance.free(this.context.builder);
  }

  /** Reads the ignore files of the folder, where no walk has read them yet. */
  private async readRules(): Promise<void> {
    const { opened, context } = this;
    if (this.walked || !opened || "archive" in opened) return;
    context.builder.beginWalk();
    await listSources(opened, context.builder, context.signal, () => {});
    this.walked = true;
  }

  private async edit({ files = [], deleted = [] }: FileEdits): Promise<FileChanges> {
    const { builder } = this.context;
    await this.readRules();
    builder.beginChanges();
    for (const path of deleted) builder.removeFile(path);
    const changed: ChangedFile[] = [];
    for (const input of files) {
      const bytes = "bytes" in input ? input.bytes : await bytesOf(input.file);
      if (!builder.wantsChanged(input.path, bytes.length)) continue;
      const admitted = builder.add(input.path, bytes);
      if (admitted) changed.push({ admitted, bytes });
    }
    const changes = builder.endRound(false);
    await this.parsing.parse(changed, changes);
    return changes;
  }
}
