/** `portolan generate`: a document about the repository, made from its graph. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";

import { someModels } from "../chat/chat.js";
import { openModel } from "../chat/model.js";
import { checkSettings, nameOfModel } from "../chat/providers.js";
import { documentWriter } from "../chat/writer.js";
import type { CodeIndex } from "../code-index.js";
import { operand, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { type DocumentKind, KINDS } from "../generate/document.js";
import type { Writer } from "../generate/fill.js";
import { generate, type GenerateOptions, TITLES } from "../generate/generate.js";
import { markdownOf } from "../generate/markdown.js";
import type { Reparse } from "../generate/refactor.js";
import { reparseWith } from "../generate/reparse.js";
import { findRoot } from "../node/root.js";
import { isStream, replaceFile, unwritable } from "../node/safe-files.js";
import { placeNamed } from "../node/safe-folder.js";
import { visible } from "../visible.js";
import { dryReview, reviewOf, silent } from "./chat-review.js";
import { modelsOf } from "./chat-settings.js";

export async function generated(command: Command, index: CodeIndex): Promise<string> {
  const { options } = command;
  const kind = kindOf(operand(command, "KIND"));
  const reparse: GenerateOptions = kind === "refactor" ? { reparse: await parserHere() } : {};
  if (options.llm === undefined && options["dry-run"] === true)
    throw new UsageError("generate: --dry-run shows what is sent to a model; name one with --llm");
  if (options.llm !== undefined && options["dry-run"] === true) return shownOnly(command, index, kind, reparse);
  const document =
    options.llm === undefined ? await generate(index, kind, reparse) : await writtenBy(command, index, kind, reparse);
  const text = options.json === true ? `${JSON.stringify(document)}\n` : markdownOf(document);
  if (options.output === undefined) return text;
  write(resolve(options.output), text);
  const dropped =
    document.n_dropped === 0
      ? ""
      : `, ${document.n_dropped} statements left out, since the index does not support them`;
  return `${document.title}: ${options.output} (${document.sections.length} sections${dropped})\n`;
}

/** The document with chapters by a model, which the person agreed to ask. */
async function writtenBy(command: Command, index: CodeIndex, kind: DocumentKind, reparse: GenerateOptions) {
  const { options } = command;
  const settings = modelsOf(command, process.env);
  settings.forEach(checkSettings);
  const models = someModels(await Promise.all(settings.map(openModel)));
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const lines = isTerminal ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  const note = (text: string) => options.quiet !== true && process.stderr.write(visible(`${text}\n`));
  const writer = documentWriter({
    models,
    review: reviewOf(command, lines),
    limits: { requests: wholeNumber(options["per-minute"], "per-minute", 1) },
    onEvent(event) {
      if (event.type === "wait") note(`  waiting ${Math.ceil(event.millis / 1000)} s: ${event.why}`);
      else if (event.type === "fallback") note(`  ${event.from} gives up (${event.why}); asking ${event.to}`);
    },
  });
  try {
    return await generate(index, kind, {
      ...reparse,
      writer,
      onProgress: (done, total) => note(`  chapter ${done} of ${total}`),
    });
  } finally {
    lines?.close();
  }
}

/** Shows the request to a model; none is opened. */
async function shownOnly(command: Command, index: CodeIndex, kind: DocumentKind, reparse: GenerateOptions) {
  const shown: { text?: string } = {};
  const models = someModels(modelsOf(command, process.env).map((one) => silent(nameOfModel(one))));
  const writer: Writer = documentWriter({ models, review: dryReview(shown) });
  await generate(index, kind, { ...reparse, writer });
  return shown.text ?? "There is no chapter to send.\n";
}

/** Only edits are parsed again: the engine is not started for other documents. */
async function parserHere(): Promise<Reparse> {
  const [{ createPortolan }, { spawnIndex, storeHere }] = await Promise.all([
    import("../client.js"),
    import("../node/client-host.js"),
  ]);
  return reparseWith(createPortolan({ spawnIndex, store: storeHere }));
}

function kindOf(given: string): DocumentKind {
  const kind = KINDS.find((known) => known === given);
  if (kind) return kind;
  throw new UsageError(`generate: there is no document "${given}"; there are ${KINDS.join(", ")}`);
}

/** Whether a file was written by this command; an empty one may be. */
function isDocument(start: Uint8Array): boolean {
  const text = Buffer.from(start).toString("utf8");
  const [first = ""] = text.split("\n");
  return (
    text === "" ||
    text.startsWith('{"kind":"') ||
    Object.values(TITLES).some((title) => first.startsWith("# ") && first.endsWith(`: ${title}`))
  );
}

function write(target: string, text: string): void {
  try {
    if (isStream(target)) writeFileSync(target, text);
    else replaceFile(placeNamed(target, [findRoot()]), text, { isOurs: isDocument });
  } catch (error) {
    throw unwritable(target, error);
  }
}
