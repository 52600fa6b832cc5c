/** The settings that hold for a repository, as its `portolan.toml` and the environment say; read anew when the file is another. */

import { statSync } from "node:fs";

import { effectiveSettings, settingsFileAbove } from "../cli/settings-file.js";
import { UsageError } from "../cli/options.js";
import { PortolanError } from "../errors.js";
import type { UserGrammar } from "../types.js";
import type { Arguments } from "./arguments.js";
import { defaultsOf, SETTINGS_OF_CALLS } from "./defaults.js";

export interface RepositorySettings {
  /** What calls leave out. */
  readonly defaults: (tool: string) => Arguments;
  /** Folder of the embedding model that the index was made with, where it is not the one that ships. */
  readonly model?: string;
  /** Folder of a cross-encoder, and how many hits it looks at. */
  readonly rerank?: { readonly folder: string; readonly top?: number };
  readonly grammars: readonly UserGrammar[];
}

/** Another text where the settings may be others; `config` is a file that goes before the one of the folder. */
export function settingsStamp(root: string, config?: string): string {
  const file = settingsFileAbove(root, process.env, config);
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${file}:${stats.mtimeMs}:${stats.size}`;
}

/** Rejects with `settings.invalid`, which names file, line and key. */
export async function settingsOf(root: string, config?: string): Promise<RepositorySettings> {
  try {
    const file = settingsFileAbove(root, process.env, config);
    const { settings, grammars } = await effectiveSettings(
      { name: "mcp", operands: [], options: {} },
      process.env,
      file,
    );
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
      grammars: grammars.length === 0 ? [] : (await import("../cli/user-grammars.js")).readGrammars(grammars),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new PortolanError("settings.invalid", error.message, error.hint, { cause: error });
  }
}
