/** Public names that every entry has. */

export type { Asset, CoreOptions } from "./asset.js";
export type { OpenOptions, Portolan as PortolanFace } from "./client.js";
export { CodeIndex } from "./code-index.js";
export { PortolanError } from "./errors.js";
export { HIGHLIGHT_CLASSES } from "./reading/highlight-classes.js";
export { newPathKey } from "./storage/path-key.js";
export type { CrossEncoder } from "./reading/rerank.js";
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
  OpenLimits,
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
export { visible } from "./visible.js";
