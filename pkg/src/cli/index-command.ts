/** `portolan index`. */

import { join, resolve } from "node:path";

import { Portolan } from "../entry/node.js";
import type { PortolanError } from "../errors.js";
import { INDEX_FILE, INDEX_FOLDER, writeSnapshot } from "../node/file-store.js";
import { folderOf } from "../node/files.js";
import { operand, wholeNumber, type Command } from "./options.js";
import { ProgressLine } from "./progress-line.js";

export async function index(command: Command): Promise<void> {
  const path = operand(command, "PATH");
  const { options } = command;
  const workers = wholeNumber(options.workers, "workers", 1);
  const chunks = {
    target: wholeNumber(options["chunk-target"], "chunk-target", 20),
    max: wholeNumber(options["chunk-max"], "chunk-max", 20),
    min: wholeNumber(options["chunk-min"], "chunk-min", 0),
  };
  const line = new ProgressLine(process.stderr, options.quiet === true);
  const warnings: PortolanError[] = [];
  const started = performance.now();
  const made = await Portolan.index(path, {
    onProgress: (progress) => line.show(progress),
    onWarning: (warning) => void warnings.push(warning),
    embeddings: options["no-embeddings"] !== true,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(workers === undefined ? {} : { workers }),
    chunks: Object.fromEntries(Object.entries(chunks).filter(([, size]) => size !== undefined)),
  });
  await made.complete;
  const target = options.output === undefined ? join(folderOf(path), INDEX_FOLDER, INDEX_FILE) : resolve(options.output);
  const bytes = await made.save();
  writeSnapshot(target, bytes);
  line.end();
  const status = await made.status();
  made.close();
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
  process.stdout.write(options.json === true ? `${JSON.stringify(summary)}\n` : text(summary));
}

function text(summary: { index: string; n_bytes: number; n_files: number; n_skipped: number; n_symbols: number; seconds: number }): string {
  const { n_files, n_skipped, n_symbols, seconds, n_bytes } = summary;
  return `${n_files} files (${n_skipped} left out), ${n_symbols} symbols, ${seconds.toFixed(1)} s\n${summary.index} (${(n_bytes / 1e6).toFixed(1)} MB)\n`;
}
