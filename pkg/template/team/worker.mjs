// A server of shared indexes: versions in the bucket, rights by token, queries over HTTP and MCP. Put checks of your own before the call.
import portolan from "portolan/edge";

export { MetricsObject, RateLimitObject, ShardObject } from "portolan/edge";

export default {
  fetch: (request, env, context) => portolan.fetch(request, env, context),
};
