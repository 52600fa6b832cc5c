/** The public names. Which host they run on is decided by the entry (`entry/`), not here. */

import type { Portolan as PortolanFace } from "./client.js";

export type { OpenOptions } from "./client.js";
export { CodeIndex } from "./code-index.js";
export { PortolanError } from "./errors.js";
export { HIGHLIGHT_CLASSES } from "./highlight-classes.js";
export { newPathKey } from "./path-key.js";
export type { CrossEncoder } from "./rerank.js";
export type {
  ChunkOptions,
  EmbeddingModel,
  FileChanges,
  FileEdits,
  FileInput,
  IndexOptions,
  Input,
  Passage,
  Phase,
  Progress,
  Protection,
  RerankModel,
  RerankOptions,
  SavedIndex,
  SaveOptions,
  SealPhase,
  SourceOptions,
  StorageState,
  Stored,
  UpdateOptions,
  UserGrammar,
  UserQueries,
  WatchOptions,
} from "./types.js";
export type * from "./answers.js";

/** Indexes, opens, lists and deletes. */
export declare const Portolan: PortolanFace;
