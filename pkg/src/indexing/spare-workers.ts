/** Parsing workers that start before there is anything to parse: a thread takes as long to come up as the files to be listed. */

import type { Port, SessionHost } from "../host.js";

/** More than these start when it is known how much there is to parse. */
const MAX_SPARE = 2;

export class SpareWorkers {
  private readonly ports: Port[] = [];

  constructor(private readonly host: SessionHost) {}

  /** Starts workers up to this number. */
  start(n_workers: number): void {
    while (this.ports.length < Math.min(n_workers, MAX_SPARE)) {
      const port = this.host.spawn("parse");
      this.ports.push(port);
      port.onFailure(() => this.take(port)); // its taker starts another one, and gets the error if that fails
    }
  }

  /** A host whose first parsing workers are these. */
  in(host: SessionHost): SessionHost {
    return { ...host, spawn: (role) => (role === "parse" && this.take(this.ports[0])) || host.spawn(role) };
  }

  /** Ends those that were not taken. */
  close(): void {
    for (const port of this.ports.splice(0)) port.close();
  }

  private take(port: Port | undefined): Port | undefined {
    const place = port === undefined ? -1 : this.ports.indexOf(port);
    return place < 0 ? undefined : this.ports.splice(place, 1)[0];
  }
}
