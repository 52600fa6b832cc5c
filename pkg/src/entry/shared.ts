/** `portolan/shared`: the server of shared indexes as a function from request to response, for a Worker or any other host. */

export { Access, type AccessOptions, type Principal } from "../shared/access.js";
export { bucketOf, type ToolBucket, type ToolObject } from "../shared/bucket.js";
export {
  ratesOf,
  sharedServer,
  type AnyAuditLine,
  type AuditLine,
  type Caller,
  type SharedOptions,
  type Tools,
} from "../shared/handler.js";
export {
  MemoryLimiter,
  ObjectLimiter,
  RateLimitObject,
  type Limiter,
  type ObjectNamespace,
  type Rate,
} from "../shared/limiter.js";
export { JoinedWork, type Joined } from "../shared/joined-work.js";
export { Metrics, routeOf, type Counts, type CountsKeeper, type Observed } from "../shared/metrics.js";
export { MetricsObject, ObjectKeeper } from "../shared/metrics-object.js";
export { R2Store, type R2Bucket } from "../shared/r2-store.js";
export type { ObjectStore } from "../shared/store.js";
export {
  createToken,
  listTokens,
  revokeToken,
  TokenList,
  type NewToken,
  type TokenEntry,
  type TokenEvent,
} from "../shared/tokens.js";
export { Versions } from "../shared/versions.js";
export { PortolanError } from "../errors.js";
