//! The choices of the palette: by the sign that a text begins with, or anything that fits.

import type { Symbol as Definition } from "portolan";
import { type Command, commands } from "../state/commands.ts";
import { file, textOf } from "../state/file.ts";
import { link, navigate, openFile } from "../state/navigation.ts";
import { recent, recentOf } from "../state/recent.ts";
import { repository } from "../state/repository.ts";
import { goTo } from "../state/symbol.ts";
import { type Asking, askedOf, askingAs, runOn } from "./arguments.ts";
import { bestPaths, fit } from "./rank.ts";

export type Choice = { id: string; run(): void } & (
  | { what: "file"; path: string }
  | { what: "symbol"; symbol: Definition; here: boolean }
  | { what: "command"; command: Command }
  | { what: "action"; title: string }
  | { what: "asking"; command: Asking }
  | { what: "recent"; path: string; name: string }
);

const mostChoices = 12;

/** Returns the choices for what was typed; `stop` says that it is no longer wanted. */
export async function choicesFor(text: string, stop: () => boolean): Promise<Choice[]> {
  const rest = text.slice(1).trim();
  switch (text[0]) {
    case ">":
      return withArgument(text.slice(1));
    case "@":
      return symbolsHere(rest);
    case ":":
      return lineFor(rest);
    case "#":
      return rest === ""
        ? []
        : [
            {
              id: "meaning",
              what: "action",
              title: `Search by meaning: ${rest}`,
              run: () => navigate({ query: rest, mode: "vector", path: "", lines: null }),
            },
          ];
    default:
      return anything(text.trim(), stop);
  }
}

function commandsFor(letters: string): Choice[] {
  return commands
    .filter((command) => command.id !== "palette.open" && (command.when?.() ?? true))
    .map((command) => ({ command, score: fit(letters.toLowerCase(), command.title.toLowerCase(), command.title) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (letters === "" ? 0 : (b.score ?? 0) - (a.score ?? 0)))
    .map(({ command }): Choice => ({ id: command.id, what: "command", command, run: () => command.run() }));
}

/** Commands that fit; with a word and an argument the command itself, about each definition that the argument may mean. */
async function withArgument(text: string): Promise<Choice[]> {
  const open = repository.peek();
  const asked = askedOf(text);
  if (!asked || (asked.command.inside && !open)) {
    const offered = askingAs(text, open !== null).map(
      (command): Choice => ({ id: `ask ${command.word}`, what: "asking", command, run: () => {} }),
    );
    // While the word of a command is typed, Enter completes it; the whole word without an argument means the view of that name.
    const letters = text.trim().toLowerCase();
    const isPart = ({ word }: Asking) => word.startsWith(letters) && word !== letters;
    const isWord = offered.some((choice) => choice.what === "asking" && isPart(choice.command));
    const isNamed = (choice: Choice) =>
      choice.what === "command" && !isWord && choice.command.title.toLowerCase().startsWith(letters);
    const fitting = commandsFor(text.trim());
    return [...fitting.filter(isNamed), ...offered, ...fitting.filter((choice) => !isNamed(choice))];
  }
  const { command, argument } = asked;
  if (!command.ofSymbol) {
    const run = () => void command.run(argument, link.peek().path);
    return [{ id: "asked", what: "action", title: `${command.title}: ${argument}`, run }];
  }
  const { symbols } = (await open?.index
    .find({ symbol: argument, fuzzy: true, limit: mostChoices })
    .catch(() => undefined)) ?? { symbols: [] };
  return symbols.map(
    (symbol): Choice => ({
      id: `#${symbol.id}`,
      what: "symbol",
      symbol,
      here: false,
      run: () => runOn(command, symbol),
    }),
  );
}

/** Files and definitions that were opened lately, for an empty field. */
function recentChoices(name: string): Choice[] {
  return recentOf(recent.peek(), name, link.peek().path)
    .slice(0, 6)
    .map(
      ({ path, symbol }): Choice => ({
        id: `recent ${path} ${symbol}`,
        what: "recent",
        path,
        name: symbol.slice(path.length + 1),
        run: () => (symbol === "" ? openFile(path) : navigate({ path, lines: null, symbol })),
      }),
    );
}

function symbolsHere(letters: string): Choice[] {
  return (textOf(file.peek())?.outline ?? [])
    .map(({ symbol }) => ({ symbol, score: fit(letters.toLowerCase(), symbol.name.toLowerCase(), symbol.name) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (letters === "" ? 0 : (b.score ?? 0) - (a.score ?? 0)))
    .slice(0, 200)
    .map(
      ({ symbol }): Choice => ({ id: `@${symbol.id}`, what: "symbol", symbol, here: true, run: () => goTo(symbol) }),
    );
}

function lineFor(typed: string): Choice[] {
  const shown = textOf(file.peek());
  const line = Number(typed);
  if (!shown || !Number.isInteger(line) || line < 1) return [];
  return [{ id: "line", what: "action", title: `Go to line ${line}`, run: () => openFile(shown.path, line) }];
}

async function anything(typed: string, stop: () => boolean): Promise<Choice[]> {
  const open = repository.peek();
  if (!open) return typed === "" ? [] : commandsFor(typed).slice(0, mostChoices);
  const paths = open.files.map(({ path }) => path);
  const lately = typed === "" ? recentChoices(open.name) : [];
  const [files, symbols] = await Promise.all([
    bestPaths(typed, paths, mostChoices, stop),
    typed.length < 2
      ? []
      : open.index.find({ symbol: typed, fuzzy: true, limit: mostChoices }).then(
          ({ symbols: found }) => found,
          () => [],
        ),
  ]);
  const fileChoices = files.map(({ path }): Choice => ({ id: path, what: "file", path, run: () => openFile(path) }));
  const symbolChoices = symbols.map(
    (symbol): Choice => ({ id: `#${symbol.id}`, what: "symbol", symbol, here: false, run: () => goTo(symbol) }),
  );
  const action: Choice[] =
    typed === ""
      ? []
      : [
          {
            id: "search",
            what: "action",
            title: `Search for “${typed}”`,
            run: () => navigate({ query: typed, path: "", lines: null }),
          },
        ];
  // A name that starts as typed is what was meant; one that only holds the letters is less likely than a file.
  const isMeant = (choice: Choice) =>
    choice.what === "symbol" && choice.symbol.name.toLowerCase().startsWith(typed.toLowerCase()) && !/[/.]/.test(typed);
  const ordered = [
    ...symbolChoices.filter(isMeant).slice(0, 6),
    ...fileChoices.slice(0, 7),
    ...symbolChoices.filter((choice) => !isMeant(choice)),
  ].slice(0, mostChoices + 2);
  return [...lately, ...ordered, ...action];
}
