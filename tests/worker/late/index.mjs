// As deployed, but the parameter `late` of a request names a shard whose object answers only after four seconds, and `lost` one whose
// object throws.

import worker, { ShardObject as Deployed } from "../../../crates/edge/worker/index.mjs";

let late = "";
let lost = "";

export class ShardObject extends Deployed {
  async fetch(request) {
    const key = new URL(request.url).searchParams.get("key") ?? "";
    if (lost !== "" && key.endsWith(lost)) throw new Error("the object was reset");
    if (late !== "" && key.endsWith(late)) await new Promise((resolve) => setTimeout(resolve, 4_000));
    return super.fetch(request);
  }
}

export default {
  fetch(request, env, context) {
    const url = new URL(request.url);
    late = url.searchParams.get("late") ?? "";
    lost = url.searchParams.get("lost") ?? "";
    url.searchParams.delete("late");
    url.searchParams.delete("lost");
    return worker.fetch(new Request(url, request), env, context);
  },
};
