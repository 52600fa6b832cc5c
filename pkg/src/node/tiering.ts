/**
 * How far V8 optimises WebAssembly in a command that ends. Its defaults are made for pages that stay: a third of the processor time of
 * an index made in a second went into code that was then hardly run.
 */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { SessionHost } from "../host.js";
import { FileAssets } from "./assets.js";
import { nodeSessionHost } from "./session-host.js";

/** V8 optimises a function after this many "bytes executed"; its default is 1.8 million. */
const TIERING_BUDGET = 2_000_000_000;
/** Below this many bytes of files, optimising the parser (a tenth of a second) and the lexers takes longer than they then run. */
const MIN_BYTES_TO_OPTIMISE = 12_000_000;
/** Larger files are left out of an index where nothing is said. */
const MAX_FILE_BYTES = 1_000_000;

const ONCE = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
/**
 * Grammars whose lexer is one function of hundreds of kilobytes: V8 optimises it for seconds and with hundreds of megabytes, and a process does
 * not end before. No budget keeps it from that, since each jump back counts as all the bytes between.
 */
const HUGE_LEXERS = new Set(["swift"]);

/**
 * Before the engine is compiled, for the input at `path`. A function is validated when it is called: most of them are not.
 * @returns about how many bytes are there, as far as that counts here.
 */
export function chooseTiering(path: string): number {
  validateLazily();
  const n_bytes = bytesAt(path);
  if (n_bytes >= MIN_BYTES_TO_OPTIMISE) setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  else compileOnce();
  return n_bytes;
}

/** Functions are validated when they are called. Otherwise V8's defaults hold: a comparison of files is a few loops, which they suit. */
export function validateLazily(): void {
  setFlagsFromString("--wasm-lazy-validation");
}

/**
 * The host of a command that ends. From the first grammar with a huge lexer on, nothing that is compiled for the first time is optimised later.
 * Grammars are there at once: nothing else would come in while files are listed.
 */
export function hostOfCommand(): SessionHost {
  const assets = new FileAssets();
  const grammar = async (name: string) => {
    if (HUGE_LEXERS.has(name)) compileOnce();
    return assets.grammarAtOnce(name);
  };
  return { ...nodeSessionHost(), assets: Object.assign(assets, { grammar }), collect: collectGarbage };
}

/** V8 does not know how much memory a closed engine holds, and would not collect it before the process ends. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as (() => void) | undefined;
  collect?.();
}

function compileOnce(): void {
  for (const flag of ONCE) setFlagsFromString(flag);
}

/** Lists files until it is clear that there are many: some milliseconds. Ignored files count, so it errs towards many. */
function bytesAt(path: string): number {
  let n_bytes = 0;
  const folders: string[] = [];
  const add = (place: string, isRoot = false) => {
    const stats = statSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) folders.push(place);
    else if (stats && (isRoot || stats.size <= MAX_FILE_BYTES)) n_bytes += stats.size;
  };
  try {
    add(path, true);
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.name === ".git" || entry.name === "node_modules") continue;
        if (entry.isDirectory() || entry.isFile()) add(join(folder, entry.name));
        if (n_bytes >= MIN_BYTES_TO_OPTIMISE) return n_bytes;
      }
    }
  } catch {
    return Infinity; // the walk reports the fault
  }
  return n_bytes;
}
