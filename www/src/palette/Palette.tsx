//! The palette: files and symbols by name, commands with their arguments after `>`, symbols of this file after `@`, a line after `:`, a search
//! by meaning after `#`. Empty, it shows what was opened lately.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Symbol as Definition } from "portolan";
import { splitPath } from "../state/format.ts";
import { showAlone } from "../controls/dialog.ts";
import { FileIcon } from "../controls/FileIcon.tsx";
import { Icon } from "../controls/Icon.tsx";
import { Keys } from "../controls/Keys.tsx";
import { Kind } from "../controls/Kind.tsx";
import { palette } from "../state/commands.ts";
import { repository } from "../state/repository.ts";
import { askedOf } from "./arguments.ts";
import { type Choice, choicesFor } from "./choices.ts";
import { marksOf } from "./rank.ts";
import "./palette.css";

export function Palette() {
  const opened = palette.value;
  return opened === null ? null : <Open text={opened} />;
}

function Open({ text: first }: { text: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(first);
  const field = useRef<HTMLInputElement>(null);
  const { choices, of, at, setAt } = useChoices(text);
  const [isHurried, hurry] = useState(false);

  useLayoutEffect(() => {
    showAlone(dialog.current);
  }, []);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    if (choice.what === "asking") return setText(`> ${choice.command.word} `);
    palette.value = null;
    choice.run();
  };

  // Enter means the text as it is then: where its choices are still looked for, the first one is chosen when they are there.
  const enter = () => (of === field.current?.value ? choose(choices[at]) : hurry(true));
  const onKeyDown = (event: KeyboardEvent) => onKey(event, choices.length, at, setAt, enter);
  useEffect(() => {
    if (!isHurried || of !== text) return;
    hurry(false);
    choose(choices[0]);
  }, [isHurried, of, text]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape, the browser's own
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to anything"
      onCancel={(event) => {
        // At once: the browser tells of the end later, when the next key may have opened the palette again.
        event.preventDefault();
        dialog.current?.close();
        palette.value = null;
      }}
      onClose={() => {
        if (dialog.current) palette.value = null;
      }}
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
          onInput={(event) => {
            hurry(false);
            setText(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Choices
        choices={choices}
        typed={typedOf(text)}
        at={at}
        onPoint={setAt}
        onChoose={(choice) => {
          choose(choice);
          field.current?.focus();
        }}
      />
      {choices.length === 0 && (
        <p class="palette-empty">
          {text === "" && !repository.value
            ? "Open a repository first, or type > for commands."
            : askedOf(text.slice(1)) && text.startsWith(">")
              ? "Nothing is called so."
              : "No match."}
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
  typed,
  at,
  onPoint,
  onChoose,
}: {
  choices: readonly Choice[];
  /** Letters to mark. */
  typed: string;
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
          <Line choice={choice} typed={typed} />
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
  const [{ of, choices }, setChoices] = useState<{ of: string | null; choices: readonly Choice[] }>({
    of: null,
    choices: [],
  });
  const [at, setAt] = useState(0);
  useEffect(() => {
    let stopped = false;
    void choicesFor(text, () => stopped).then((found) => {
      if (stopped) return;
      setChoices({ of: text, choices: found });
      setAt(0);
    });
    return () => {
      stopped = true;
    };
  }, [text]);
  return { choices, of, at, setAt };
}

/** The letters of a text that find something: without its prefix, and of a command with an argument only that. */
function typedOf(text: string): string {
  if (text.startsWith(">")) return askedOf(text.slice(1))?.argument ?? text.slice(1).trim();
  return /^[@:#]/.test(text) ? text.slice(1).trim() : text.trim();
}

/** A text with the typed letters marked. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const marks = new Set(marksOf(typed, text));
  if (marks.size === 0) return <>{text}</>;
  const parts: { text: string; marked: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const last = parts.at(-1);
    const letter = text.charAt(at);
    if (last?.marked === marks.has(at)) last.text += letter;
    else parts.push({ text: letter, marked: marks.has(at) });
  }
  return (
    <>
      {parts.map((part, at) => (part.marked ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>))}
    </>
  );
}

function PathLine({ path, typed }: { path: string; typed: string }) {
  const [folder, name] = splitPath(path);
  const inName = marksOf(typed, name).length > 0;
  return (
    <>
      <span class="palette-name">
        <Marked text={name} typed={inName ? typed : ""} />
      </span>
      <span class="palette-dim">
        <Marked text={folder.replace(/\/$/, "")} typed={inName ? "" : typed} />
      </span>
    </>
  );
}

function Line({ choice, typed }: { choice: Choice; typed: string }) {
  if (choice.what === "file")
    return (
      <>
        <FileIcon path={choice.path} />
        <PathLine path={choice.path} typed={typed} />
      </>
    );
  if (choice.what === "recent")
    return (
      <>
        <span class="palette-icon">
          <Icon name={choice.name === "" ? "clock" : "details"} size={14} />
        </span>
        {choice.name === "" ? (
          <PathLine path={choice.path} typed="" />
        ) : (
          <>
            <span class="palette-name palette-code">{choice.name}</span>
            <span class="palette-dim">{choice.path}</span>
          </>
        )}
      </>
    );
  if (choice.what === "asking")
    return (
      <>
        <span class="palette-icon">
          <Icon name="command" size={14} />
        </span>
        <span class="palette-name">
          {choice.command.title} <i class="palette-hint">{choice.command.hint}</i>
        </span>
        <span class="palette-dim">{`> ${choice.command.word} …`}</span>
      </>
    );
  if (choice.what === "symbol") return <SymbolLine choice={choice} typed={typed} />;
  return (
    <>
      <span class="palette-icon">
        <Icon name={choice.what === "command" ? "command" : "chevron"} size={14} />
      </span>
      <span class="palette-name">
        {choice.what === "command" ? <Marked text={choice.command.title} typed={typed} /> : choice.title}
      </span>
      {choice.what === "command" && choice.command.keys[0] !== undefined && <Keys keys={choice.command.keys[0]} />}
    </>
  );
}

function SymbolLine({ choice, typed }: { choice: Extract<Choice, { what: "symbol" }>; typed: string }) {
  const { symbol, here } = choice;
  return (
    <>
      <Kind kind={symbol.kind} />
      <span class="palette-name palette-code">
        <Marked text={symbol.name} typed={typed} />
      </span>
      <span class="palette-dim">
        {[containerOf(symbol), here ? `line ${symbol.line}` : `${symbol.path}:${symbol.line}`]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </>
  );
}

// The container of a symbol: `Router` of `Router.add`.
function containerOf({ name, qualified_name }: Definition): string {
  return qualified_name.endsWith(name) ? qualified_name.slice(0, -name.length).replace(/[.:]+$/, "") : "";
}
