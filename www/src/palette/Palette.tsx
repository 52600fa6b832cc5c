//! The palette: files and symbols by name, commands after `>`, symbols of this file after `@`, a line after `:`, a search by
//! meaning after `#`.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Symbol as Definition } from "portolan";
import { splitPath } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { Keys } from "../controls/Keys.tsx";
import { Kind } from "../controls/Kind.tsx";
import { type Command, commands, palette } from "../state/commands.ts";
import { file } from "../state/file.ts";
import { navigate, openFile } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import { goTo } from "../state/symbol.ts";
import { bestPaths, fit } from "./rank.ts";
import "./palette.css";

type Choice = { id: string; run(): void } & (
  | { what: "file"; path: string }
  | { what: "symbol"; symbol: Definition; here: boolean }
  | { what: "command"; command: Command }
  | { what: "action"; title: string }
);

const mostChoices = 12;

export function Palette() {
  const opened = palette.value;
  return opened === null ? null : <Open text={opened} />;
}

function Open({ text: first }: { text: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(first);
  const field = useRef<HTMLInputElement>(null);
  const { choices, at, setAt } = useChoices(text);

  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    palette.value = null;
    choice.run();
  };

  const onKeyDown = (event: KeyboardEvent) => onKey(event, choices.length, at, setAt, () => choose(choices[at]));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape, the browser's own
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to anything"
      onClose={() => (palette.value = null)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          ref={field}
          role="combobox"
          aria-label="Go to a file, a symbol or a command"
          aria-expanded={choices.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={choices.length > 0 ? `palette-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="Files and symbols…"
          value={text}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Choices choices={choices} at={at} onPoint={setAt} onChoose={choose} />
      {choices.length === 0 && (
        <p class="palette-empty">
          {text === "" && !repository.value ? "Open a repository first, or type > for commands." : "No match."}
        </p>
      )}
      <Prefixes
        onChoose={(prefix) => {
          setText(prefix);
          field.current?.focus();
        }}
      />
    </dialog>
  );
}

/** Moves through the choices with the arrows and chooses with Enter. */
function onKey(
  event: KeyboardEvent,
  nChoices: number,
  at: number,
  move: (to: number) => void,
  choose: () => void,
): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && nChoices > 0) {
    event.preventDefault();
    const next = (at + step + nChoices) % nChoices;
    move(next);
    document.getElementById(`palette-${next}`)?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") {
    event.preventDefault();
    choose();
  }
}

/** The list of choices. The field keeps the focus; the mouse points and chooses. */
function Choices({
  choices,
  at,
  onPoint,
  onChoose,
}: {
  choices: readonly Choice[];
  at: number;
  onPoint(index: number): void;
  onChoose(choice: Choice): void;
}) {
  return (
    <div class="palette-list" id="palette-list" role="listbox" aria-label="Choices">
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option (aria-activedescendant)
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={choice.id}
          id={`palette-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => onChoose(choice)}
          onMouseMove={() => index !== at && onPoint(index)}
        >
          <Line choice={choice} />
        </div>
      ))}
    </div>
  );
}

/** Prefixes of the query, shown as hints that can be typed or clicked. */
function Prefixes({ onChoose }: { onChoose(prefix: string): void }) {
  return (
    <p class="palette-help" aria-hidden="true">
      {prefixes.map(([prefix, words]) => (
        <button key={prefix} type="button" tabIndex={-1} onClick={() => onChoose(prefix)}>
          <kbd>{prefix}</kbd> {words}
        </button>
      ))}
    </p>
  );
}

const prefixes: readonly [string, string][] = [
  [">", "commands"],
  ["@", "this file"],
  [":", "line"],
  ["#", "meaning"],
];

/** The matches and the selected one: the first again whenever the list changes. */
function useChoices(text: string) {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    let stopped = false;
    void choicesFor(text, () => stopped).then((found) => {
      if (stopped) return;
      setChoices(found);
      setAt(0);
    });
    return () => {
      stopped = true;
    };
  }, [text]);
  return { choices, at, setAt };
}

function Line({ choice }: { choice: Choice }) {
  if (choice.what === "file") {
    const [folder, name] = splitPath(choice.path);
    return (
      <>
        <span class="palette-icon">
          <Icon name="file" size={14} />
        </span>
        <span class="palette-name">{name}</span>
        <span class="palette-dim">{folder.replace(/\/$/, "")}</span>
      </>
    );
  }
  if (choice.what === "symbol") {
    return (
      <>
        <Kind kind={choice.symbol.kind} />
        <span class="palette-name palette-code">{choice.symbol.name}</span>
        <span class="palette-dim">
          {[
            containerOf(choice.symbol),
            choice.here ? `line ${choice.symbol.line}` : `${choice.symbol.path}:${choice.symbol.line}`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </>
    );
  }
  return (
    <>
      <span class="palette-icon">
        <Icon name={choice.what === "command" ? "command" : "chevron"} size={14} />
      </span>
      <span class="palette-name">{choice.what === "command" ? choice.command.title : choice.title}</span>
      {choice.what === "command" && choice.command.keys[0] !== undefined && <Keys keys={choice.command.keys[0]} />}
    </>
  );
}

// // The container of a symbol: `Router` of `Router.add`.
function containerOf({ name, qualified_name }: Definition): string {
  return qualified_name.endsWith(name) ? qualified_name.slice(0, -name.length).replace(/[.:]+$/, "") : "";
}

async function choicesFor(text: string, stop: () => boolean): Promise<Choice[]> {
  const rest = text.slice(1).trim();
  switch (text[0]) {
    case ">":
      return commandsFor(rest);
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

function symbolsHere(letters: string): Choice[] {
  if (file.peek().state !== "ready") return [];
  const shown = file.peek() as Extract<ReturnType<typeof file.peek>, { state: "ready" }>;
  return shown.file.outline
    .map(({ symbol }) => ({ symbol, score: fit(letters.toLowerCase(), symbol.name.toLowerCase(), symbol.name) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (letters === "" ? 0 : (b.score ?? 0) - (a.score ?? 0)))
    .slice(0, 200)
    .map(
      ({ symbol }): Choice => ({ id: `@${symbol.id}`, what: "symbol", symbol, here: true, run: () => goTo(symbol) }),
    );
}

function lineFor(typed: string): Choice[] {
  const shown = file.peek();
  const line = Number(typed);
  if (shown.state !== "ready" || !Number.isInteger(line) || line < 1) return [];
  return [{ id: "line", what: "action", title: `Go to line ${line}`, run: () => openFile(shown.file.path, line) }];
}

async function anything(typed: string, stop: () => boolean): Promise<Choice[]> {
  const open = repository.peek();
  if (!open) return typed === "" ? [] : commandsFor(typed).slice(0, mostChoices);
  const paths = open.files.map(({ path }) => path);
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
  return [...ordered, ...action];
}
