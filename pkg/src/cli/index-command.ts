/** `portolan index`: in this thread, which has nothing else to do; only parsing and embedding have threads of their own. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { gunzipSync } from "node:zlib";

import { PortolanError } from "../errors.js";
import { writeSnapshot } from "../node/file-store.js";
import { folderOf } from "../node/files.js";
import { findRoot, indexPathOf } from "../node/root.js";
import { nodeSessionHost } from "../node/session-host.js";
import type { IndexEvent, Questions } from "../protocol.js";
import { Session } from "../session.js";
import { operand, wholeNumber, type Command } from "./options.js";
import { ProgressLine } from "./progress-line.js";
import { sourceOptions } from "./source-options.js";
import { userGrammars } from "./user-grammars.js";

/**
 * V8 optimises a function of WebAssembly after some "bytes executed". Its default is made for pages that stay: in a
 * command of a second a third of the processor time went into code that was then hardly run.
 */
const TIERING_BUDGET = 1_000_000_000;

export async function index(command: Command): Promise<string> {
  const path = command.operands.length === 0 ? findRoot() : operand(command, "PATH");
  const { options } = command;
  const workers = wholeNumber(options.workers, "workers", 1);
  const chunks = {
    target: wholeNumber(options["chunk-target"], "chunk-target", 20),
    max: wholeNumber(options["chunk-max"], "chunk-max", 20),
    min: wholeNumber(options["chunk-min"], "chunk-min", 0),
  };
  const line = new ProgressLine(process.stderr, options.quiet === true);
  const warnings: { message: string; code: string }[] = [];
  const started = performance.now();
  const onEvent = (event: IndexEvent) => {
    if (event.type === "progress") line.show(event.progress);
    else if (event.type === "warning") warnings.push(event.warning);
  };
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  const session = new Session(nodeSessionHost());
  const work = {
    embeddings: options["no-embeddings"] !== true,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(workers === undefined ? {} : { workers }),
    source: sourceOptions(command),
    scip: (options.scip ?? []).map(readBytes),
    grammars: userGrammars(command),
    chunks: Object.fromEntries(Object.entries(chunks).filter(([, size]) => size !== undefined)),
  };
  await session.make(path, work, new AbortController().signal, onEvent);
  const target = options.output === undefined ? indexPathOf(folderOf(path)) : resolve(options.output);
  const bytes = session.save();
  writeSnapshot(target, bytes);
  line.end();
  const status = (await session.ask("status", {})) as Questions["status"][1];
  session.close();
  for (const warning of warnings) process.stderr.write(`portolan: ${warning.message} [${warning.code}]\n`);
  const seconds = (performance.now() - started) / 1000;
  const summary = {
    index: target,
    n_bytes: bytes.length,
    n_files: status.n_files,
    n_skipped: status.skipped.length,
    n_symbols: status.n_symbols,
    n_chunks: status.n_chunks,
    n_vectors: status.n_vectors,
    n_edges: status.n_edges,
    seconds: Number(seconds.toFixed(3)),
  };
  return options.json === true ? `${JSON.stringify(summary)}\n` : text(summary);
}

function readBytes(file: string): Uint8Array {
  try {
    const bytes = readFileSync(file);
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  } catch (error) {
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}

function text(summary: { index: string; n_bytes: number; n_files: number; n_skipped: number; n_symbols: number; seconds: number }): string {
  const { n_files, n_skipped, n_symbols, seconds, n_bytes } = summary;
  return `${n_files} files (${n_skipped} left out), ${n_symbols} symbols, ${seconds.toFixed(1)} s\n${summary.index} (${(n_bytes / 1e6).toFixed(1)} MB)\n`;
}
