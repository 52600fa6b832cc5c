// Bundlers and runtimes of the matrix, from the manifest that tests/matrix/tools pins: installed once into the cache, without scripts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = fileURLToPath(new URL("tools/", import.meta.url));
const MANIFEST = ["package.json", "package-lock.json"];

function cache() {
  const { PORTOLAN_CACHE, XDG_CACHE_HOME } = process.env;
  return PORTOLAN_CACHE ?? join(XDG_CACHE_HOME || join(homedir(), ".cache"), "portolan");
}

/** Folder that has the tools in its node_modules. */
export function toolsFolder() {
  const digest = createHash("sha256");
  for (const file of MANIFEST) digest.update(readFileSync(join(PINNED, file)));
  const all = join(cache(), "matrix");
  const folder = join(all, digest.digest("hex").slice(0, 16));
  if (existsSync(join(folder, "node_modules"))) return folder;
  mkdirSync(all, { recursive: true });
  const staging = mkdtempSync(join(all, "installing-"));
  try {
    for (const file of MANIFEST) copyFileSync(join(PINNED, file), join(staging, file));
    // Not `ci`: it refuses a lock file that lacks packages for other systems, which not every registry has.
    npm(["install", "--ignore-scripts"], staging);
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // Another run may have been faster.
    if (!existsSync(join(folder, "node_modules"))) throw error;
  }
  return folder;
}

export function npm(args, cwd) {
  return execFileSync("npm", [...args, "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 << 20,
  });
}

/** A module of a tool, loaded as a project would. */
export const toolModule = (folder, name) => createRequire(join(folder, "package.json"))(name);

const ARCH = { x64: "x64", arm64: process.platform === "linux" ? "arm64" : process.arch }[process.arch] ?? process.arch;
const BINARIES = {
  "Node 20": [`node20-${ARCH}/bin/node`],
  "Node 24": [`node24-${ARCH}/bin/node`],
  Bun: ["@oven/bun-linux-x64/bin/bun", "@oven/bun-linux-aarch64/bin/bun"],
  Deno: ["@deno/linux-x64-glibc/deno", "@deno/linux-arm64-glibc/deno"],
};

/** The program of a runtime, or the reason why there is none. */
export function runtime(folder, name) {
  const major = /^Node (\d+)$/.exec(name)?.[1];
  if (major !== undefined && process.versions.node.split(".")[0] === major) return { program: process.execPath };
  if (name === "Node 22" && process.env.PORTOLAN_NODE22) return { program: process.env.PORTOLAN_NODE22 };
  const program = (BINARIES[name] ?? []).map((file) => join(folder, "node_modules", file)).find(existsSync);
  if (program) return { program };
  return { reason: `the registry has no ${name} for ${process.platform}-${process.arch} among the pinned packages` };
}
