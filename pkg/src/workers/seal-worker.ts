/**
 * The encryption worker: takes a snapshot and returns the encrypted one. Ending it cancels: deriving the key of a
 * passphrase is one long step.
 */

import type { Assets, Port } from "../host.js";
import type { SealProtocol } from "../rpc/protocol.js";
import { serve } from "../rpc/rpc.js";
import { protect } from "../storage/encryption.js";

export function serveSeal(port: Port, assets: Assets): void {
  serve<SealProtocol>(port, {
    async protect({ bytes, ...how }, { emit, transfer }) {
      const made = await protect(assets, bytes, how, (phase) => emit({ phase }));
      transfer(made.buffer);
      return made;
    },
  });
}
