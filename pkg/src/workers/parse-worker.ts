/**
 * A parsing worker: texts in, file units out. After a trap it says at which file, and is then replaced. When everything is parsed one
 * of them embeds, since a thread of its own for that would cost a small repository more than its vectors, and packs what is saved.
 */

import {
  functionTable,
  initSync,
  packSection,
  packTexts,
  ParseWorker,
  StaticModel,
  type InitOutput,
} from "../../wasm/engine.js";
import type { ErrorBody } from "../../wasm/reader.js";
import { isTrap, PortolanError, toBody } from "../errors.js";
import { loadGrammar, type GrammarHost } from "../grammars/loader.js";
import { forbidCodeFromText } from "../grammars/guests.js";
import type { Assets, Port } from "../host.js";
import { sectionsOf } from "../indexing/packing.js";
import type { PatternBatch, PatternResult, ParseFile, ParseProtocol, ParseResult } from "../rpc/protocol.js";
import { MemoryBudget } from "../engine/memory-budget.js";
import { serve } from "../rpc/rpc.js";
import type { ChunkOptions } from "../types.js";

interface Engine {
  readonly parser: ParseWorker;
  /** Names of the grammars that were added. */
  readonly added: Set<string>;
  readonly host: GrammarHost;
  readonly budget: MemoryBudget;
}

export function serveParse(port: Port, assets: Assets): void {
  let engine: Engine | undefined;
  /** Texts may come before the model is there. */
  let model: Promise<StaticModel | undefined> | undefined;
  const started = (): Engine => {
    if (!engine) throw new PortolanError("internal", "parsing worker used before it was started");
    return engine;
  };
  serve<ParseProtocol>(port, {
    start({ engine: module, chunks, languages, guests }) {
      if (guests === true) forbidCodeFromText();
      engine = start(initSync({ module }), chunks);
      for (const { name, extensions, symbols, references, highlights } of languages ?? []) {
        engine.parser.addLanguage(name, extensions, symbols, references, highlights);
      }
      return null;
    },
    parse({ files, grammars }, { transfer, done }) {
      const result = parse(started(), files, grammars);
      done(...files.map(({ bytes }) => bytes));
      transfer(...result.units.map(({ unit }) => unit.buffer));
      return result;
    },
    grammarOf: ({ path, text }) => started().parser.grammarOf(path, text) ?? null,
    highlights({ path, text, grammars }, { transfer }) {
      addGrammars(started(), grammars);
      const triples = started().parser.highlights(path, text) as Uint32Array<ArrayBuffer>;
      transfer(triples.buffer);
      return triples;
    },
    locals({ path, text, grammars }, { transfer }) {
      addGrammars(started(), grammars);
      const rows = started().parser.locals(path, text) as Uint32Array<ArrayBuffer>;
      transfer(rows.buffer);
      return rows;
    },
    readPattern({ request, languages, grammars }) {
      const { parser, added } = started();
      addGrammars(started(), without(grammars, added));
      return parser.readForm(request, languages);
    },
    async startModel() {
      model = loadModel(assets);
      const loaded = await model;
      return loaded ? { name: loaded.name, dimensions: loaded.dimensions } : null;
    },
    async embed({ texts, ends }, { transfer, done }) {
      const loaded = await model;
      if (!loaded) throw new PortolanError("internal", "a parsing worker was asked for vectors and has no model");
      const rows = loaded.embedRows(texts, ends) as Int8Array<ArrayBuffer>;
      done(texts, ends);
      transfer(rows.buffer);
      return rows;
    },
    packSection({ name, archive }, { transfer, done }) {
      const pairs = sectionsOf(packSection(name, archive));
      done(archive);
      transfer(...pairs.map(([, bytes]) => bytes.buffer));
      return pairs;
    },
    packTexts({ blocks, ends }, { transfer, done }) {
      const packed = packTexts(blocks, ends) as Uint8Array<ArrayBuffer>[];
      done(blocks, ends);
      transfer(...packed.map(({ buffer }) => buffer));
      return packed;
    },
    findPattern: (batch) => findPattern(started(), batch),
  });
}

/** The bundled model: laid out when the package was made, if that file exists. */
async function loadModel(assets: Assets): Promise<StaticModel | undefined> {
  const rows = assets.modelRows?.();
  const laidOut = rows && StaticModel.fromLookup(rows.model.read(0, rows.model.n_bytes), rows.lookup);
  if (laidOut) return laidOut;
  const { model, tokenizer } = await assets.model();
  return StaticModel.fits(model) ? new StaticModel(model, tokenizer) : undefined;
}

function start(exports: InitOutput, chunks: ChunkOptions = {}): Engine {
  const table = functionTable() as WebAssembly.Table;
  const host = { memory: exports.memory, table, exports: exports as unknown as WebAssembly.Exports };
  return {
    parser: new ParseWorker(chunks.target, chunks.max, chunks.min),
    added: new Set(),
    host,
    budget: new MemoryBudget(exports),
  };
}

function parse(engine: Engine, files: ParseFile[], grammars: Record<string, WebAssembly.Module>): ParseResult {
  const result: ParseResult = { units: [], memory: 0, warnings: addGrammars(engine, grammars) };
  for (const { path, bytes, crash } of files) {
    try {
      const unit =
        crash === undefined ? engine.parser.read(path, bytes) : engine.parser.readAfterCrash(path, bytes, crash);
      result.units.push({ path, unit: unit as Uint8Array<ArrayBuffer> });
    } catch (error) {
      if (!isTrap(error)) throw error;
      result.crashed = { path, message: (error as Error).message };
      return result;
    }
  }
  engine.budget.keep();
  result.memory = engine.host.memory.buffer.byteLength;
  return result;
}

/** A grammar that does not load costs its language, nothing else. */
function addGrammars({ parser, added, host }: Engine, grammars: Record<string, WebAssembly.Module>): ErrorBody[] {
  const warnings: ErrorBody[] = [];
  for (const [name, module] of Object.entries(grammars)) {
    try {
      added.add(name); // also where it fails: it would fail again
      parser.addGrammar(name, loadGrammar(host, module, name));
    } catch (error) {
      warnings.push(toBody(error));
    }
  }
  return warnings;
}

function without(
  grammars: Record<string, WebAssembly.Module>,
  added: ReadonlySet<string>,
): Record<string, WebAssembly.Module> {
  return Object.fromEntries(Object.entries(grammars).filter(([name]) => !added.has(name)));
}

/** Text after text, until there is enough or the steps or the time are up. A text that breaks the parser ends the worker. */
function findPattern({ parser }: Engine, { files, limit, max_millis, max_steps }: PatternBatch): PatternResult {
  const result: PatternResult = { matches: [], truncated: false, timed_out: false, n_files: 0, n_steps: [] };
  const end = Date.now() + max_millis;
  let steps = 0;
  for (const { path, language, text } of files) {
    const left = end - Date.now();
    if (left <= 0) return { ...result, timed_out: true };
    try {
      const found = parser.findForm(path, language, text, limit, left);
      result.matches.push(...found.matches);
      result.truncated ||= found.truncated;
      result.timed_out ||= found.timed_out;
      result.n_files++;
      result.n_steps.push(found.n_steps);
      steps += found.n_steps;
    } catch (error) {
      if (!isTrap(error)) throw error;
      return { ...result, timed_out: true, is_lost: true };
    }
    if (result.matches.length > limit) return { ...result, truncated: true };
    if (steps > max_steps) return result;
  }
  return result;
}
