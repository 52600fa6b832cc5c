/** Public names that every entry has. */

export type { Asset, CoreOptions } from "./asset.js";
export type { OpenOptions, Portolan as PortolanFace } from "./client.js";
export { CodeIndex } from "./code-index.js";
export { PortolanError } from "./errors.js";
export { HIGHLIGHT_CLASSES } from "./reading/highlight-classes.js";
export { newPathKey } from "./storage/path-key.js";
export type { CrossEncoder } from "./reading/rerank.js";
export { searchSeveral, type HitIn, type Searchable, type SearchOfSeveral } from "./reading/several.js";
export type {
  CacheLimits,
  ChunkOptions,
  EmbeddingModel,
  Forge,
  ForgeHost,
  FileChanges,
  FileEdits,
  FileInput,
  FileSelection,
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
  SearchOptions,
  SourceOptions,
  SourceSettings,
  SourceWait,
  Staleness,
  StorageState,
  Stored,
  UpdateOptions,
  UserGrammar,
  UserQueries,
  WatchOptions,
} from "./types.js";
export type * from "./answers.js";
export { fetchSourceFile, hostsOfSource } from "./sources/open.js";
export {
  fileOfSource,
  knownForges,
  nameOfSource,
  parseSource,
  type Source,
  textOfName,
} from "./sources/parse.js";
export { visible } from "./visible.js";
