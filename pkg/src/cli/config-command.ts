/** `portolan config`: the settings in force, and where each comes from. */

import { relative, resolve } from "node:path";

import { noOperands, type Command } from "../commands/options.js";
import { variableOf } from "../config/settings.js";
import { effectiveSettings, leftOutInWords } from "../config/settings-file.js";
import { onOneLine } from "../visible.js";

export async function config(command: Command): Promise<string> {
  noOperands(command);
  const { file, settings, grammars, leftOut } = await effectiveSettings(command, process.env);
  if (command.options.json === true) {
    const rows = settings.map(({ setting, value, source }) => ({
      key: setting.key,
      value: value ?? null,
      source,
      default: setting.standard,
      variable: variableOf(setting),
      option: `--${setting.option}`,
      about: setting.about,
    }));
    return `${JSON.stringify({ file: file ?? null, settings: rows, grammars, left_out: leftOut })}\n`;
  }
  const rows = settings.map(({ setting, value, source }) => [
    setting.key,
    value === undefined ? setting.standard || "–" : onOneLine(shown(value)),
    source,
    setting.about,
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.min(48, Math.max(...rows.map((row) => (row[column] as string).length))),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const languages = grammars.map(
    ({ file, extensions }) => `grammar ${file} for ${extensions.map((extension) => `.${extension}`).join(" ")}`,
  );
  const head =
    file === undefined
      ? "no portolan.toml in this folder or above it"
      : `settings of ${relative(resolve("."), file) || file}`;
  const missing = leftOut.length === 0 ? [] : [leftOutInWords(leftOut)];
  return `${[head, ...lines, ...languages, ...missing].join("\n")}\n`;
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value)
      .map(([name, number]) => `${name}=${number as number}`)
      .join(", ");
  return Array.isArray(value) ? value.join(", ") : String(value);
}
