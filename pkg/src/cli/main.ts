/** The command line: one command, one answer on stdout, everything else on stderr. */

import { fromThrown, PortolanError } from "../errors.js";
import { output, writeOut } from "../node/output.js";
import { commandNamed } from "../commands/command-list.js";
import { Elsewhere } from "./elsewhere.js";
import { Interrupted, parseCommand, UsageError, type Command } from "../commands/options.js";
import { paint, painted, wantsColour } from "./paint.js";
import { withSettings } from "../config/settings-file.js";
import { visible } from "../visible.js";
import { packageVersion } from "../node/version.js";

/** Exit codes: see `--help`. */
const EXIT = { answered: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Each command loads what it needs: a question must not wait for what only indexing uses. A text that one gives is written. */
const RUNS: Record<string, (command: Command) => Promise<unknown>> = {
  index: async (command) => (await import("./index-command.js")).index(command),
  watch: async (command) => (await import("./watch-command.js")).watch(command),
  export: async (command) => {
    const { exportsSnapshot, exportSnapshot } = await import("./seal-commands.js");
    return exportsSnapshot(command) ? exportSnapshot(command) : (await import("./ask.js")).ask(command);
  },
  import: async (command) => (await import("./seal-commands.js")).importSnapshot(command),
  reveal: async (command) => (await import("./seal-commands.js")).reveal(command),
  build: async (command) => (await import("./build-command.js")).build(command),
  cache: async (command) => (await import("./cache-command.js")).cache(command),
  assets: async (command) => (await import("./assets-command.js")).assets(command),
  chat: async (command) => (await import("./chat-command.js")).chat(command),
  "create-worker": async (command) => (await import("./create-worker.js")).createWorker(command),
  serve: async (command) =>
    command.options.shared === undefined
      ? (await import("./serve-command.js")).serve(command)
      : (await import("./shared-command.js")).serveSharedIndexes(command),
  push: async (command) => (await import("./push-command.js")).push(command),
  pull: async (command) => (await import("./pull-command.js")).pull(command),
  versions: async (command) => (await import("./versions-command.js")).versions(command),
  token: async (command) => (await import("./token-command.js")).token(command),
  config: async (command) => (await import("./config-command.js")).config(command),
  trust: async (command) => (await import("./trust-command.js")).trust(command),
  mcp: async (command) => (await import("./agent-commands.js")).mcp(command),
  setup: async (command) => (await import("./agent-commands.js")).setup(command),
  history: async (command) => (await import("./history-command.js")).history(command),
  augment: async ({ operands }) => void (await (await import("../hook/main.js")).main(["augment", ...operands])),
  hook: async ({ operands }) => void (await (await import("../hook/main.js")).main(["hook", ...operands])),
  completion: async (command) => (await import("./completion.js")).completion(command),
  help: async ({ operands: [about] }) => helpText(about),
};

/** `config` reads them itself, to say where each comes from. */
const WITHOUT_SETTINGS = [
  "help",
  "completion",
  "config",
  "trust",
  "mcp",
  "history",
  "setup",
  "augment",
  "hook",
  "assets",
  "cache",
  "create-worker",
];

/** Runs a command line and gives its exit code. Throws `Elsewhere` where that takes what is not in this file. */
export async function main(argv: readonly string[]): Promise<number> {
  let colour: string | undefined;
  try {
    const given = parseCommand(argv);
    colour = given.options.color;
    if (given.options.version === true) await write(`${packageVersion()}\n`);
    else if (given.options.help === true) await write(await helpText(given.name === "help" ? undefined : given.name));
    else {
      const command = WITHOUT_SETTINGS.includes(given.name) ? given : await withSettings(given);
      colour = command.options.color;
      await run(command);
    }
    return EXIT.answered;
  } catch (error) {
    if (error instanceof Elsewhere) throw error;
    return report(error, wantsColour(colour, process.stderr));
  }
}

async function run(command: Command): Promise<void> {
  const runs = RUNS[command.name];
  const text = await (runs ?? (await import("./ask.js")).ask)(command);
  if (typeof text !== "string") return;
  // Silence looks like a fault.
  if (runs === undefined && text === "" && command.options.quiet !== true)
    process.stderr.write("portolan: nothing found\n");
  const plain = command.options.json === true || !wantsColour(command.options.color, output);
  // A graph is a file: only a terminal must not take it for commands.
  const shown = command.name === "export" && !output.isTTY ? text : visible(text);
  await write(plain ? shown : painted(shown));
}

async function helpText(name: string | undefined): Promise<string> {
  const { help, helpOf } = await import("./help.js");
  if (name === undefined) return help();
  const spec = commandNamed(name);
  if (!spec) throw new UsageError(`there is no command "${name}"`);
  return helpOf(spec);
}

function report(thrown: unknown, inColour: boolean): number {
  // WebAssembly throws plain objects.
  const error = thrown instanceof Error ? thrown : fromThrown(thrown);
  if (error instanceof Interrupted) return EXIT.interrupted;
  const name = inColour ? paint("error", "portolan:") : "portolan:";
  if (error instanceof UsageError) {
    process.stderr.write(`${name} ${visible(`${error.message}\n${error.hint}`)}\n`);
    return EXIT.usage;
  }
  if (error instanceof PortolanError) {
    process.stderr.write(
      `${name} ${visible(`${error.message} [${error.code}]\n${error.help ? `  ${error.help}\n` : ""}`)}`,
    );
    return EXIT.failed;
  }
  // An error of the system needs no stack of ours.
  const isRefused = typeof (error as NodeJS.ErrnoException).syscall === "string";
  process.stderr.write(
    `${name} ${visible(isRefused ? `${error.message} [host.failed]` : (error.stack ?? error.message))}\n`,
  );
  return EXIT.failed;
}

/** Waits until it is out. Who closes a pipe early wants no more; anything else is a failure. */
async function write(text: string): Promise<void> {
  try {
    await writeOut(text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EPIPE")
      throw new PortolanError("output.failed", `the answer cannot be written: ${message}`, "", { cause: error });
  }
}
