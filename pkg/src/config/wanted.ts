/** Which keys of a settings file want trust, and the files that they name. */

import { dirname } from "node:path";

import { indexPathOf } from "../node/root.js";
import { modelFilesIn } from "./model-files.js";
import { queryFilesIn } from "./user-grammars.js";
import { needsTrust, SETTINGS, type Setting } from "./settings.js";
import type { WrittenSettings } from "./settings-file.js";
import type { Wanted } from "./trust.js";

export function wantedOf(file: string, { values, grammars }: WrittenSettings): Wanted[] {
  const keys = SETTINGS.flatMap((setting): Wanted[] => {
    const written = values.get(setting.key);
    if (written === undefined || !needsTrust(setting, written.value)) return [];
    if (setting.key === "index.file" && written.value === indexPathOf(dirname(file))) return []; // where it is anyway
    return [{ key: setting.key, place: written.place, value: written.value, files: filesOf(setting, written.value) }];
  });
  const languages = grammars.map(({ key, place, ...grammar }): Wanted => {
    return { key, place, value: grammar, files: [grammar.file, ...queryFilesIn(grammar.queries)] };
  });
  return [...keys, ...languages];
}

function filesOf({ type }: Setting, value: unknown): string[] {
  if (type === "files") return value as string[];
  return type === "folder" ? modelFilesIn(value as string) : [];
}
