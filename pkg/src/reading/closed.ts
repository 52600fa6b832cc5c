//! The backend of a closed index, and the failure of an index that cannot be updated.

import { closed, PortolanError } from "../errors.js";
import type { Backend } from "./backend.js";

const refused = () => Promise.reject(closed());

/** Takes the place of a backend that was closed: its memory belongs to something else by now. */
export const CLOSED: Backend = {
  ask: refused,
  highlights: refused,
  locals: refused,
  structural: refused,
  stale: refused,
  save: refused,
  keep: refused,
  update: refused,
  watch: refused,
  close() {},
};

/** The failure of an update of an index that has nothing to update it from. */
export function readOnly(): PortolanError {
  return new PortolanError(
    "index.read-only",
    "this index was opened to be asked",
    "bring it up to date with Portolan.index(input, { previous: bytes })",
  );
}
