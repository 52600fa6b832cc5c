/** The options that say which files become part of an index. */

import { sep } from "node:path";

import type { SourceOptions } from "../types.js";
import { wholeNumber, type Command } from "../commands/options.js";

export function sourceOptions({ options }: Command): SourceOptions {
  const maxFileBytes = wholeNumber(options["max-file-bytes"], "max-file-bytes", 1);
  const maxFiles = wholeNumber(options["max-files"], "max-files", 1);
  return {
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
    ...(maxFiles === undefined ? {} : { maxFiles }),
    ...(options["no-default-excludes"] === true ? { defaultExcludes: false } : {}),
    ...(options["include-generated"] === true ? { includeGenerated: true } : {}),
    ...(options.exclude ? { exclude: options.exclude } : {}),
    ...(options.include ? { include: options.include.map(slashed) } : {}),
    ...(options["only-language"] ? { languages: options["only-language"] } : {}),
  };
}

/** A path of the index has `/` between folders, whatever the host writes, and no `./` before it. */
export function slashed(path: string): string {
  const clean = sep === "\\" ? path.replaceAll("\\", "/") : path;
  return clean.replace(/^(\.\/)+/, "");
}
