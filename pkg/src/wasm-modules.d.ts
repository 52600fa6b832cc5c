/** In workerd, and bundles for it, a `.wasm` file is imported as a compiled module. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** In Workers a `.bin` file is imported as its bytes. */
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
