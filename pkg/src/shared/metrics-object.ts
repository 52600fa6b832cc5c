/** The Durable Object that keeps the sums of all isolates of a Worker, and what asks it. */

import type { ObjectNamespace } from "./limiter.js";
import { addCounts, noCounts, type Counts, type CountsKeeper } from "./metrics.js";

/** The part of a Durable Object's state that is used. */
interface ObjectState {
  readonly storage: { get(key: string): Promise<unknown>; put(key: string, value: unknown): Promise<void> };
}

const KEY = "counts";

export class MetricsObject {
  private counts: Promise<Counts> | undefined;

  constructor(private readonly state: ObjectState) {}

  async fetch(request: { json(): Promise<unknown> }): Promise<unknown> {
    const more = (await request.json()) as Counts;
    this.counts ??= this.state.storage.get(KEY).then((stored) => (stored as Counts | undefined) ?? noCounts());
    const sums = await this.counts;
    addCounts(sums, more);
    await this.state.storage.put(KEY, sums);
    return Response.json(sums);
  }
}

/** Hands counts to the one object of a namespace. */
export class ObjectKeeper implements CountsKeeper {
  constructor(private readonly namespace: ObjectNamespace) {}

  async add(counts: Counts): Promise<Counts> {
    const object = this.namespace.get(this.namespace.idFromName("all"));
    const answer = await object.fetch("https://metrics/", { method: "POST", body: JSON.stringify(counts) });
    return JSON.parse(await answer.text()) as Counts;
  }
}
