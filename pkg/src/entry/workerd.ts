/**
 * Cloudflare Workers: opens snapshots and answers. Nothing can be indexed here: there are no threads, and wasm may not be
 * compiled at run time, so the reading artifact is imported as the module that the bundler made of it.
 */

import reader from "../../wasm/reader_bg.wasm";
import { createPortolan, type OpenOptions } from "../client.js";
import { PortolanError } from "../errors.js";
import type { Assets, Store } from "../host.js";
import { openLocal, openRemoteLocal } from "../local.js";
import { isSealed } from "../sealed.js";

export * from "../index.js";

const assets: Assets = {
  async module(artifact) {
    if (artifact !== "reader") throw unsupported("only saved indexes can be read here");
    return reader;
  },
  grammar: () => Promise.reject(unsupported("there is no parser here")),
  model: () => Promise.reject(unsupported("no model ships with this entry")),
};

const noStore: Store = {
  put: () => Promise.reject(unsupported(NO_STORE)),
  get: () => Promise.reject(unsupported(NO_STORE)),
  list: () => Promise.reject(unsupported(NO_STORE)),
  delete: () => Promise.reject(unsupported(NO_STORE)),
};
const NO_STORE = "there is no store here; pass the bytes of a snapshot, from R2 for example";

function unsupported(message: string): PortolanError {
  return new PortolanError(message === NO_STORE ? "storage.unavailable" : "host.unsupported", message);
}

async function openHere(snapshot: Uint8Array | string, { pathKey }: OpenOptions) {
  if (typeof snapshot === "string") throw unsupported(NO_STORE);
  if (isSealed(snapshot))
    throw unsupported(
      "an encrypted snapshot cannot be opened here: its key takes more memory and time than a Worker has",
    );
  if (pathKey !== undefined) throw unsupported("paths cannot be made readable here: that takes what writes snapshots");
  return openLocal(assets, snapshot);
}

export const Portolan = /* @__PURE__ */ createPortolan({
  openHere,
  openRemoteHere: (url) => openRemoteLocal(assets, url),
  store: () => noStore,
});
