/** `portolan trust`: shows what a repository's settings want to load, read or write, and notes that the user trusts it. */

import { statSync } from "node:fs";
import { createInterface } from "node:readline/promises";

import { PortolanError } from "../errors.js";
import { visible } from "../visible.js";
import { noOperands, UsageError, type Command } from "../commands/options.js";
import { readSettings } from "../config/settings-file.js";
import { settingsPlace } from "../config/settings-place.js";
import {
  allTrusted,
  describeTrust,
  keepTrust,
  revokeTrust,
  verdictOn,
  type TrustRecord,
  type Wanted,
} from "../config/trust.js";
import { wantedOf } from "../config/wanted.js";

/** The consequence of each kind of key. */
const EFFECTS: readonly (readonly [key: RegExp, effect: string])[] = [
  [/^grammars\./, "runs a grammar (WebAssembly) on files with these extensions"],
  [/^index\.model$|^search\.rerank$/, "loads a model (ONNX)"],
  [/^index\.scip$/, "adds its contents to the index"],
  [/^index\.file$/, "writes the index there"],
];

export async function trust(command: Command): Promise<string> {
  const { options, operands } = command;
  if (options.list === true) return list(command);
  if (operands.length > 1) throw new UsageError("trust: one FOLDER is enough");
  const place = settingsPlace(operands[0] ?? ".", {}, undefined);
  if (place === undefined)
    return said(command, { settings: null, keys: [], trusted: false }, "there is no portolan.toml here");
  const { path } = place;
  if (options.revoke === true) {
    const revoked = revokeTrust(path);
    return said(
      command,
      { settings: path, revoked },
      revoked ? `trust in ${plain(path)} is revoked` : "it was not trusted",
    );
  }
  const wanted = wantedOf(path, await readSettings(place));
  const isTrusted = wanted.length > 0 && verdictOn(path, wanted).is === "trusted";
  const record = describeTrust(path, wanted);
  const rows = { settings: record.settings, keys: keysOf(wanted, record) };
  if (wanted.length === 0)
    return said(command, { ...rows, trusted: false }, `${plain(path)} needs no trust: all of it is in effect`);
  const shown = inWords(wanted, record);
  if (isTrusted) return said(command, { ...rows, trusted: true }, `${shown}\nThis is trusted.`);
  if (options.yes !== true) {
    process.stderr.write(`${shown}\n`);
    if (!(await isAgreed())) throw new PortolanError("trust.refused", "nothing was trusted", "");
  }
  keepTrust(record);
  return said(
    command,
    { ...rows, trusted: true },
    options.yes === true ? `${shown}\nThis is trusted now.` : "This is trusted now.",
  );
}

/** Asks on the terminal. A program, a server and a continuous integration have nobody to ask. */
async function isAgreed(): Promise<boolean> {
  const { stdin, stderr, env } = process;
  if (!stdin.isTTY || (env.CI !== undefined && env.CI !== "" && env.CI !== "false"))
    throw new PortolanError(
      "trust.unasked",
      "there is no terminal to ask for trust",
      "read the list above; if you know its author, confirm with --yes",
    );
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await lines.question("Trust this? Only if you know its author. [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

function list(command: Command): string {
  noOperands(command);
  const records = allTrusted();
  const lines = records.map(
    ({ settings, keys, at }) =>
      `${plain(settings)}  ${keys.map(([key]) => plain(key)).join(", ")}  since ${at.slice(0, 10)}`,
  );
  return said(command, { trusted: records }, lines.length === 0 ? "nothing is trusted" : lines.join("\n"));
}

function keysOf(wanted: readonly Wanted[], record: TrustRecord) {
  const digests = new Map(record.files.map((file) => [file.path, file]));
  return wanted.map(({ key, place, value, files }) => ({
    key,
    place,
    value,
    files: files.map((path) => ({ path, real: digests.get(path)?.real, sha256: digests.get(path)?.sha256 })),
  }));
}

function inWords(wanted: readonly Wanted[], record: TrustRecord): string {
  const lines = keysOf(wanted, record).flatMap(({ key, place, value, files }) => {
    const effect = EFFECTS.find(([pattern]) => pattern.test(key))?.[1] ?? "exceeds the usual limit";
    const ofFiles = files.map(({ path, real, sha256 }) => {
      const n_bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const way = real === undefined || real === path ? plain(path) : `${plain(path)} -> ${plain(real)}`;
      return `    ${way}  ${(n_bytes / 1e6).toFixed(3)} MB  sha256 ${sha256}`;
    });
    return [`  ${plain(place)}  ${plain(key)} = ${plain(JSON.stringify(value))}  ${effect}`, ...ofFiles];
  });
  return [`${plain(record.settings)} asks for:`, ...lines].join("\n");
}

function said({ options }: Command, value: object, text: string): string {
  return options.json === true ? `${JSON.stringify(value)}\n` : `${text}\n`;
}

/** A name of the repository as it can be shown; beside what moves the cursor, also what has no width is written out. */
function plain(text: string): string {
  return visible(text).replace(
    /[\u200b-\u200d\u2060-\u2064\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
