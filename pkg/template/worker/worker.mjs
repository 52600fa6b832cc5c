// Answers questions about code over HTTP and MCP, from the indexes in the bucket. Put checks of your own before the call.
import portolan from "portolan/edge";

export { ShardObject } from "portolan/edge";

export default {
  fetch: (request, env, context) => portolan.fetch(request, env, context),
};
