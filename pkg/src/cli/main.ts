/** The command line: one command, one answer on stdout, everything else on stderr. */

import { PortolanError } from "../errors.js";
import { ask, COMMANDS } from "./ask.js";
import { HELP, helpOf } from "./help.js";
import { index } from "./index-command.js";
import { parseCommand, UsageError, type Command } from "./options.js";
import { packageVersion } from "./version.js";

/** What a command ends with: see `--help`. */
export const EXIT = { answered: 0, failed: 1, usage: 2 } as const;

/** Runs a command line and gives its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(argv);
    if (command.options.version === true) write(packageVersion());
    else if (command.options.help === true || command.name === "help") write(command.name === "help" ? HELP : helpOf(command.name));
    else await run(command);
    return EXIT.answered;
  } catch (error) {
    return report(error);
  }
}

function run(command: Command): Promise<void> {
  if (command.name === "index") return index(command);
  if (command.name in COMMANDS) return ask(command);
  throw new UsageError(`there is no command "${command.name}"`);
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`portolan: ${error.message}\nTry \`portolan --help\`.\n`);
    return EXIT.usage;
  }
  if (error instanceof PortolanError) {
    process.stderr.write(`portolan: ${error.message} [${error.code}]\n${error.help ? `  ${error.help}\n` : ""}`);
    return EXIT.failed;
  }
  process.stderr.write(`portolan: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.failed;
}

function write(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}
