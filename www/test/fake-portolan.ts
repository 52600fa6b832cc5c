//! A fake of the package `portolan` for the unit tests of the page's parts: the same names over a handful of texts, with
//! substring search and no graph to speak of. The journeys in tests/browser use the real package.

import type {
  CallsRequest,
  CodeIndex,
  DefinitionRequest,
  FindRequest,
  IndexOptions,
  Input,
  ReferencesRequest,
  SearchRequest,
  Symbol as Definition,
} from "portolan";

export { fileOfSource, nameOfSource, parseSource, textOfName } from "../../pkg/src/sources/parse.ts";
export { visible } from "../../pkg/src/visible.ts";
export const HIGHLIGHT_CLASSES = ["keyword", "function", "type", "string", "comment", "number"];

export class PortolanError extends Error {
  code: string;
  help: string;
  constructor(code: string, message: string, help = "") {
    super(message);
    this.code = code;
    this.help = help;
  }
}

/** The hosts of GitHub, whatever the source is. */
export const hostsOfSource = () => ["https://api.github.com", "https://raw.githubusercontent.com"];
export const fetchSourceFile = async () => new Uint8Array(0);

const origin = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function definitions(path: string, text: string): Definition[] {
  return text.split("\n").flatMap((line, at) => {
    const found = /^\s*(?:export )?(function|class) (\w+)/.exec(line);
    if (!found) return [];
    const name_range = {
      start: { line: at, character: line.indexOf(found[2]!) },
      end: { line: at, character: line.indexOf(found[2]!) + found[2]!.length },
    };
    return [
      {
        id: at,
        name: found[2]!,
        qualified_name: found[2]!,
        kind: found[1]!,
        language: "typescript",
        path,
        line: at + 1,
        start_line: at + 1,
        end_line: at + 3,
        name_range,
        signature: line.trim().replace(/\s*\{$/, ""),
        doc: "",
        exported: true,
      },
    ];
  });
}

/** An index over the texts. */
export function fakeIndex(name: string, texts: Record<string, string>): CodeIndex {
  const files = Object.entries(texts);
  const all = files.flatMap(([path, text]) => definitions(path, text));
  const named = (selector: string) =>
    all.filter((one) => one.name === selector || `${one.path}#${one.qualified_name}` === selector);
  const text = async (path: string) => {
    if (!(path in texts)) throw new PortolanError("file.not-found", `${path} is not in the index`);
    return { path, language: "typescript", text: texts[path]! };
  };
  const search = async ({ query, limit = 10 }: SearchRequest) => {
    const hits = files.flatMap(([path, body]) => {
      const at = body.toLowerCase().indexOf(query.toLowerCase());
      if (at < 0) return [];
      const line = body.slice(0, at).split("\n").length;
      return [
        {
          path,
          language: "typescript",
          start_line: line,
          end_line: line + 1,
          score: 1,
          symbol: undefined,
          kind: undefined,
          snippet: { start_line: 1, text: body, marks: [[at, at + query.length] as [number, number]] },
          why: ["words"],
          more: [],
        },
      ];
    });
    const plan = { mode: "lexical" as const, why: "there are no vectors to compare" };
    return { query, mode: plan.mode, plan, intent: "symbol", total: hits.length, hits: hits.slice(0, limit) };
  };
  const uses = (selector: string) =>
    named(selector).flatMap((symbol) =>
      files.flatMap(([path, body]) =>
        body.split("\n").flatMap((line, at) =>
          line.includes(`${symbol.name}(`) && !line.includes(`function ${symbol.name}`)
            ? [
                {
                  path,
                  line: at + 1,
                  range: origin,
                  text: line.trim(),
                  form: "call",
                  confidence: 0.9,
                  reason: "unique-name",
                  target: symbol.id,
                  enclosing: undefined,
                },
              ]
            : [],
        ),
      ),
    );
  const index = {
    name,
    stored: { state: "off" },
    complete: Promise.resolve(),
    search,
    text,
    find: async ({ symbol, limit = 20 }: FindRequest) => ({
      symbols: (named(symbol).length > 0 ? named(symbol) : all.filter((one) => one.name.includes(symbol))).slice(
        0,
        limit,
      ),
      total: all.length,
    }),
    references: async ({ symbol }: ReferencesRequest) => ({
      symbols: named(symbol),
      references: uses(symbol),
      total: uses(symbol).length,
    }),
    callers: async ({ symbol }: CallsRequest) => ({
      symbols: named(symbol),
      total: 1,
      calls: uses(symbol).map(({ path, line }) => ({
        symbol: undefined,
        path,
        line,
        depth: 1,
        via: 0,
        confidence: 0.9,
        reason: "unique-name",
      })),
    }),
    callees: async ({ symbol }: CallsRequest) => ({ symbols: named(symbol), total: 0, calls: [] }),
    definition: async ({ path, line, character }: DefinitionRequest) => {
      const row = (texts[path] ?? "").split("\n")[line] ?? "";
      const word = /\w*$/.exec(row.slice(0, character))![0] + /^\w*/.exec(row.slice(character))![0];
      return {
        origin: undefined,
        targets: named(word).map((symbol) => ({ symbol, confidence: 0.9, reason: "unique-name" })),
      };
    },
    regex: async () => ({ matches: [], truncated: false, n_files: files.length }),
    outline: async (path: string) => ({
      path,
      symbols: definitions(path, texts[path] ?? "").map((symbol) => ({ symbol, parent: undefined })),
    }),
    files: async () => ({
      files: files.map(([path, body]) => ({
        path,
        language: "typescript",
        n_bytes: body.length,
        n_lines: body.split("\n").length,
        n_symbols: definitions(path, body).length,
      })),
    }),
    status: async () => ({
      name,
      built_by: "0.1.0",
      built_at: 1,
      format_version: 1,
      n_files: files.length,
      n_bytes: 1000,
      n_lines: 10,
      n_symbols: all.length,
      n_chunks: 3,
      n_vectors: 0,
      n_edges: 2,
      embedder: "",
      dimensions: 0,
      languages: [{ name: "typescript", count: files.length }],
      kinds: [],
      edges: [],
      sections: [],
      skipped: [{ path: "a.png", code: "binary", message: "not text" }],
      problems: [],
    }),
    highlights: async (path: string) => {
      const found: number[] = [];
      for (const match of (texts[path] ?? "").matchAll(/\b(function|class|export|return|const)\b/g))
        found.push(match.index, match.index + match[0].length, 0);
      return Uint32Array.from(found);
    },
    locals: async () => new Uint32Array(),
    save: async () => new Uint8Array(8),
    close: () => {},
  };
  return index as unknown as CodeIndex;
}

export const Portolan = {
  async index(_input: Input, options: IndexOptions = {}): Promise<CodeIndex> {
    options.onProgress?.({ phase: "parsing", done: 1, total: 2 });
    return fakeIndex(options.name ?? "fake", {
      "src/a.ts": "export function add() {\n  return 1;\n}\n",
      "src/b.ts": "function twice() {\n  return add() + add();\n}\n",
    });
  },
  async open(): Promise<CodeIndex> {
    throw new PortolanError("storage.not-found", "nothing is saved under this name");
  },
  async list() {
    return [];
  },
  async delete() {},
  async persist() {
    return false;
  },
  async storage() {
    return { persisted: false, used: 5_000_000, quota: 1_000_000_000 };
  },
};

export const newPathKey = () => "a key";
