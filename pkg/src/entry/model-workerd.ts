/** `portolan/model` in Workers: wrangler takes files that end in `.bin` along with the script. */

import bytes from "../../model/code-embed-128.int8.bin";
import words from "../../model/tokenizer.bin";
import type { Asset } from "../asset.js";

const model: Asset = { model: () => bytes, tokenizer: () => words };
export default model;
