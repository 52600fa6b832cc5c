/** Sizes of files that settings and options name: larger ones are refused before they are read. */
export const MAX_BYTES_OF = {
  /** `portolan.toml`. */
  settings: 64 * 1024,
  /** A `.wasm` of a grammar. */
  grammar: 64 * 1024 * 1024,
  /** A `.scm` file of queries. */
  queries: 4 * 1024 * 1024,
  /** An ONNX file: what 32-bit WebAssembly can hold beside what it computes. */
  model: 1024 * 1024 * 1024,
  /** `tokenizer.json`. */
  tokenizer: 256 * 1024 * 1024,
  /** The small files beside a model. */
  modelConfig: 1024 * 1024,
  /** A SCIP index, unpacked. */
  scip: 512 * 1024 * 1024,
} as const;
