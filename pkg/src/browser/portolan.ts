/** The package's face on a page: everything happens in workers, this thread only passes messages. */

import type { CoreOptions } from "../asset.js";
import { createPortolan, type Portolan } from "../client.js";
import { IndexedDbStore } from "../storage/indexed-db.js";
import { placesOf, type Places } from "./assets.js";
import { spawnEmbed, spawnIndex } from "./spawn-index.js";

/** With these files. Addresses are made when the first worker starts: importing the package does nothing. */
export function portolanWith(assets: CoreOptions["assets"]): Portolan {
  let places: Places | undefined;
  let store: IndexedDbStore | undefined;
  const where = () => (places ??= placesOf(assets));
  return createPortolan({
    spawnIndex: () => spawnIndex(where()),
    spawnEmbed: () => spawnEmbed(where()),
    store: () => (store ??= new IndexedDbStore()),
  });
}
