/**
 * Cloudflare Workers: opens snapshots and answers. Nothing can be indexed here: there are no threads, and wasm may not be
 * compiled at run time, so the reading artifact is imported as the module that the bundler made of it.
 */

import reader from "../../wasm/reader_bg.wasm";
import type { Asset, CoreOptions } from "../asset.js";
import { createPortolan, type OpenOptions, type Portolan } from "../client.js";
import { PortolanError } from "../errors.js";
import type { Assets, ModelFiles, Store } from "../host.js";
import { openLocal, openRemoteLocal } from "../reading/local.js";
import { isSealed } from "../storage/encrypted.js";

/** Portolan with the model that is among these files, if one is; nothing else of them is used here. */
export function readingPortolan(given: CoreOptions["assets"]): Portolan {
  if (typeof given === "string") throw unsupported("a Worker has no folder of files; import them");
  const assets = assetsWith(modelAmong(given));
  return createPortolan({
    openHere: (snapshot, options) => openHere(assets, snapshot, options),
    openRemoteHere: (url, limits) => openRemoteLocal(assets, url, undefined, limits),
    store: () => noStore,
  });
}

function modelAmong(given: readonly Asset[]): ModelFiles | undefined {
  const { model, tokenizer } = given.find((asset) => asset.model) ?? {};
  const [bytes, words] = [model?.(), tokenizer?.()];
  if (!(bytes instanceof ArrayBuffer && words instanceof ArrayBuffer)) return undefined;
  return { model: new Uint8Array(bytes), tokenizer: new Uint8Array(words) };
}

function assetsWith(model: ModelFiles | undefined): Assets {
  return {
    async module(artifact) {
      if (artifact !== "reader") throw unsupported("only saved indexes can be read here");
      return reader;
    },
    guestEngine: () => Promise.reject(unsupported("there is no parser here")),
    grammar: () => Promise.reject(unsupported("there is no parser here")),
    model: () =>
      model
        ? Promise.resolve(model)
        : Promise.reject(
            unsupported("this Worker has no model; give portolan/model to createPortolan of portolan/core"),
          ),
  };
}

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

async function openHere(assets: Assets, snapshot: Uint8Array | string, { pathKey, limits }: OpenOptions) {
  if (typeof snapshot === "string") throw unsupported(NO_STORE);
  if (isSealed(snapshot))
    throw unsupported(
      "an encrypted snapshot cannot be opened here: its key takes more memory and time than a Worker has",
    );
  if (pathKey !== undefined) throw unsupported("paths cannot be made readable here: that takes what writes snapshots");
  return openLocal(assets, snapshot, undefined, limits);
}
