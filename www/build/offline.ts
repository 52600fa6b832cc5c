//! Builds the service worker after the page: it must know the names of all files.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { buildSync } from "esbuild";
import type { Plugin } from "vite";

/** Files fetched before the page counts as installed; the rest follows when the page is idle. */
const needed = /(^index\.html$|\.(js|css|svg|webmanifest)$|(engine|reader)_bg[^/]*\.wasm$)/;
/** Written beside the page by others, after it is built. */
const sample = "sample/portolan.index";

export function offline(source: string, policy: string): Plugin {
  let out = "";
  return {
    name: "portolan-offline",
    apply: "build",
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    writeBundle: () => {
      const files = filesUnder(out).filter(
        (path) => path !== "service-worker.js" && path !== "_headers" && path !== sample && !path.endsWith(".map"),
      );
      const shell = files.filter((path) => needed.test(path));
      const rest = [...files.filter((path) => !needed.test(path)), sample];
      buildSync({
        entryPoints: [source],
        outfile: join(out, "service-worker.js"),
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2022",
        define: {
          SHELL: JSON.stringify(shell),
          REST: JSON.stringify(rest),
          VERSION: JSON.stringify(digest(out, files)),
          POLICY: JSON.stringify(policy),
        },
      });
    },
  };
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(folder, path).split(sep).join("/"))
    .sort();
}

function digest(folder: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}
