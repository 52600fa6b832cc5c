// As deployed; the header `x-read` says which ranges of snapshots the answer read: first byte and end of each.

import worker from "../../../crates/edge/worker/index.mjs";

export default {
  async fetch(request, env, context) {
    const read = [];
    const get = async (key, options) => {
      const object = await env.SNAPSHOTS.get(key, options);
      const { offset = 0, length = object?.size } = options?.range ?? {};
      if (key.endsWith(".portolan") && object?.body) read.push([offset, Math.min(offset + length, object.size)]);
      return object;
    };
    const response = await worker.fetch(request, { ...env, SNAPSHOTS: { get } }, context);
    const headers = new Headers(response.headers);
    headers.set("x-read", JSON.stringify(read));
    return new Response(response.body, { status: response.status, headers });
  },
};
