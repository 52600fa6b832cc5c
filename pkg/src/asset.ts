/** Files that go along with a build where they are imported. */

import type { URL } from "./platform.js";

/**
 * Files by their keys (`grammar python`, `onnx`, `model`), each as a function that gives its address, or its bytes where a Worker
 * imports it. Addresses are written out in the modules that export assets: bundlers read them, and take along what is imported.
 */
export type Asset = Readonly<Record<string, () => URL | ArrayBuffer>>;

/** How `createPortolan` finds files. */
export interface CoreOptions {
  /**
   * The files that go along: default exports of `portolan/grammars/…`, `portolan/model` and `portolan/onnx`. Or the address of the folder
   * that `portolan assets` wrote, for builds that follow no addresses: `"/portolan/"`, of the page's own origin.
   */
  readonly assets: readonly Asset[] | string;
}
