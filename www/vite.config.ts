import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { offline } from "./build/offline.ts";
import { HEADER_POLICY } from "../pkg/src/cli/page-headers.ts";
import { samplePicture } from "./build/picture.ts";
import { contentPolicy } from "./build/policy.ts";

export default defineConfig({
  // The page works under any path of any host.
  base: "./",
  root: fileURLToPath(new URL(".", import.meta.url)),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    // A data: URL is refused by the page's own policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  // Its wasm and workers are found by URL, which bundling ahead would break.
  optimizeDeps: { exclude: ["portolan"] },
  plugins: [
    contentPolicy(),
    samplePicture(fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")),
    offline(fileURLToPath(new URL("src/offline/service-worker.ts", import.meta.url)), HEADER_POLICY),
  ],
});
