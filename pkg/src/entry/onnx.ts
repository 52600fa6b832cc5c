/** `portolan/onnx`: the runtime for models of your own, for `createPortolan` of `portolan/core`. 18 MB. */

import type { Asset } from "../asset.js";

const onnx: Asset = { onnx: () => new URL("../../wasm/onnx_bg.wasm", import.meta.url) };
export default onnx;
