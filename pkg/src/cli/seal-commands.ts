/** Snapshots to share: closed with a passphrase, or with paths that only a key makes readable. */

import { PortolanError } from "../errors.js";
import type { Command } from "./options.js";

export async function importSnapshot(_command: Command): Promise<string> {
  throw new PortolanError("internal", "not yet");
}
export async function reveal(_command: Command): Promise<string> {
  throw new PortolanError("internal", "not yet");
}
export async function unsealed(_bytes: Uint8Array, _command: Command, _path: string): Promise<Uint8Array> {
  throw new PortolanError("internal", "not yet");
}
