/** How an agent starts the server: the program that is installed, by its path; or one version from npm, where that is asked for. */

import { readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, seen from `dist/setup/`. */
export const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** A note for the user. */
  readonly warnings: readonly string[];
}

/**
 * Returns the command line of `portolan mcp`. A name without a version would run whatever is published under it at the time, so npm is
 * asked for exactly this version.
 */
export function launch({ npx }: { readonly npx: boolean }): Launch {
  return npx ? fromNpm() : installed();
}

function installed(): Launch {
  const program = join(PACKAGE, "bin", "portolan.js");
  const isCache = program.includes(`${sep}_npx${sep}`);
  return {
    command: process.execPath,
    args: [program, "mcp"],
    warnings: isCache
      ? ["this copy of Portolan is in npm's cache and may be deleted; install it, then run `portolan setup` again"]
      : [],
  };
}

function fromNpm(): Launch {
  const { version, private: isUnpublished } = manifest();
  const words = ["npx", "-y", `portolan@${version}`, "mcp"];
  // A `.cmd` file is no program that can be started by itself.
  const [command, ...args] = process.platform === "win32" ? ["cmd", "/c", ...words] : words;
  return {
    command: command as string,
    args,
    warnings: isUnpublished
      ? [
          "this build of Portolan is not published: npx would fetch what somebody else publishes under its name; leave out --npx",
        ]
      : [],
  };
}

function manifest(): { version: string; private?: boolean } {
  return JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string; private?: boolean };
}
