/** The settings that hold for a repository, as its `portolan.toml` and the environment say; read again when the file has changed. */

import { statSync } from "node:fs";
import { join } from "node:path";

import { effectiveSettings, leftOutInWords, settingsPlaces } from "../config/settings-file.js";
import { UsageError } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { identityOf, userFolder } from "../node/user-folder.js";
import type { UserGrammar } from "../types.js";
import type { Arguments } from "./arguments.js";
import { defaultsOf, SETTINGS_OF_CALLS } from "./defaults.js";

export interface RepositorySettings {
  /** Arguments that calls leave out. */
  readonly defaults: (tool: string) => Arguments;
  /** Folder of the embedding model that the index was made with, where it is not the one that ships. */
  readonly model?: string;
  /** Folder of a cross-encoder, and how many hits it looks at. */
  readonly rerank?: { readonly folder: string; readonly top?: number };
  readonly grammars: readonly UserGrammar[];
  /** Lists the settings that have no effect because they are not trusted. */
  readonly leftOut?: string;
}

/** Another text where the settings may be others; `config` is a file that goes before the one of the folder. */
export function settingsStamp(root: string, config?: string): string {
  try {
    const places = settingsPlaces(root, process.env, config);
    return places.map(({ path }) => `${path}:${identityOf(path)}`).join("\n") + trustStamp();
  } catch {
    return ""; // `settingsOf` reports the fault
  }
}

/** Which settings that want trust a server heeds: what belongs to making an index does not concern it. */
const HEEDED = /^(?:index\.model|search\.|answers\.|map\.|grammars\.)/;

/** Another text where something was trusted since, or is not any more. */
function trustStamp(): string {
  const folder = userFolder();
  const stats = folder && statSync(join(folder, "trusted"), { throwIfNoEntry: false });
  return stats ? `\n${stats.mtimeMs}` : "";
}

/** Rejects with `settings.invalid`, which names file, line and key. */
export async function settingsOf(root: string, config?: string): Promise<RepositorySettings> {
  try {
    const { settings, grammars, leftOut } = await effectiveSettings(
      { name: "mcp", operands: [], options: {} },
      process.env,
      settingsPlaces(root, process.env, config),
    );
    const heeded = leftOut.filter(({ key }) => HEEDED.test(key));
    const values = new Map(
      settings.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting.key, value] as const])),
    );
    const folder = (key: string) => values.get(key) as string | undefined;
    const [model, rerank, top] = [
      folder("index.model"),
      folder("search.rerank"),
      values.get("search.rerank_top") as number | undefined,
    ];
    return {
      defaults: defaultsOf(new Map([...values].filter(([key]) => SETTINGS_OF_CALLS.includes(key)))),
      ...(model !== undefined && { model }),
      ...(rerank !== undefined && { rerank: { folder: rerank, ...(top !== undefined && { top }) } }),
      ...(heeded.length > 0 && { leftOut: leftOutInWords(heeded) }),
      grammars: grammars.length === 0 ? [] : (await import("../config/user-grammars.js")).readGrammars(grammars),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new PortolanError("settings.invalid", error.message, error.hint, { cause: error });
  }
}
