/** `portolan/model`: the model of semantic search, for `createPortolan` of `portolan/core`. 5 MB. */

import type { Asset } from "../asset.js";

const model: Asset = {
  model: () => new URL("../../model/code-embed-128.int8.bin", import.meta.url),
  tokenizer: () => new URL("../../model/tokenizer.json", import.meta.url),
};
export default model;
