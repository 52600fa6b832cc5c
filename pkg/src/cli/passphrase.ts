/** Where a passphrase comes from: a file, the environment, or the terminal; never the command line, which others can read. */

import { PortolanError } from "../errors.js";
import { Interrupted, type Command } from "../commands/options.js";
import { inputText } from "./input-text.js";

/** The passphrase; asked for twice where it is a new one. */
export async function passphraseOf({ options }: Command, isNew: boolean): Promise<string> {
  const file = options["passphrase-file"];
  if (file !== undefined) return firstLine(file);
  const variable = process.env.PORTOLAN_PASSPHRASE;
  if (variable !== undefined && variable !== "") return variable;
  if (!process.stdin.isTTY) {
    throw new PortolanError(
      "seal.passphrase-missing",
      "no passphrase was given, and there is no terminal to ask on",
      "put it into a file for --passphrase-file, or into PORTOLAN_PASSPHRASE",
    );
  }
  const passphrase = await asked(isNew ? "New passphrase: " : "Passphrase: ");
  if (isNew && passphrase !== (await asked("Repeat it: ")))
    throw new PortolanError("seal.passphrase", "the passphrases differ", "nothing was written");
  return passphrase;
}

function firstLine(file: string): string {
  const [line = ""] = inputText(file).split(/\r?\n/, 1);
  if (line === "") throw new PortolanError("seal.passphrase-missing", `${file} has no passphrase in its first line`);
  return line;
}

/** A line from the terminal that is not shown. */
function asked(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    let line = "";
    const end = () => {
      stdin.off("data", take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
    };
    const take = (letters: string) => {
      for (const letter of letters) {
        const isDone = letter === "\r" || letter === "\n" || letter === "\u0004";
        if (isDone || letter === "\u0003") {
          end();
          return isDone ? resolve(line) : reject(new Interrupted());
        }
        line = letter === "\u007f" || letter === "\b" ? line.slice(0, -1) : line + letter;
      }
    };
    stdin.on("data", take);
    stdin.resume();
  });
}
