// @ts-check
// The Worker: open to everybody who can reach it, or, with ACCESS = "tokens", the server of shared indexes with its own login.

import "./start.mjs";
import { open } from "./open.mjs";
import { ShardObject as Answering } from "./answers.mjs";
import { environmentOfObject, shared } from "./shared.mjs";

export { MetricsObject, RateLimitObject } from "portolan/shared";

export class ShardObject extends Answering {
  /**
   * @param {import("./answers.mjs").Context} state
   * @param {import("./shared.mjs").SharedEnv} env
   */
  constructor(state, env) {
    super(state, environmentOfObject(env));
  }
}

export default {
  /**
   * @param {Request} request
   * @param {import("./shared.mjs").SharedEnv} env
   * @param {import("./answers.mjs").Context} context
   * @returns {Promise<Response>}
   */
  fetch(request, env, context) {
    if (env.ACCESS === "tokens") return shared(request, env, context);
    return open(request, env, context);
  },
};
