//! Builds the service worker after the page: it must know the names of all files.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { buildSync } from "esbuild";
import type { Plugin } from "vite";

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
      const shell = shellOf(out, files);
      const rest = files.filter((path) => !shell.includes(path)).map((path) => [path, statSync(join(out, path)).size]);
      const parts = {
        version: digest(out, files),
        shell,
        own: [],
        rest: [...rest, [sample, sizeOf(join(out, sample))]],
      };
      buildSync({
        entryPoints: [source],
        outfile: join(out, "service-worker.js"),
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2022",
        // The first line, which `portolan build` edits: pkg/src/cli/site-parts.ts.
        banner: { js: `self.PORTOLAN_PARTS=${JSON.stringify(parts)};` },
        define: { POLICY: JSON.stringify(policy) },
      });
    },
  };
}

/** The page and what it names: all that is fetched before the reader does anything. */
function shellOf(folder: string, files: readonly string[]): string[] {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  return files.filter((path) => path === "index.html" || page.includes(`"./${path}"`));
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
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
