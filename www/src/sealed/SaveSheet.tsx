//! The dialog that saves an encrypted copy: the two kinds of encryption, the data that stay visible, the risk of losing
//! the passphrase.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { bytes } from "../state/format.ts";
import { showAlone } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { give } from "../state/download.ts";
import { leave, type Made, type Open, saveProtected, type Saving, saving } from "../state/save.ts";
import "./sealed.css";

export function SaveSheet() {
  return saving.value ? <Sheet now={saving.value} /> : null;
}

function Sheet({ now }: { now: Saving }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed by itself it gives the focus back.
  const close = () => dialog.current?.close();
  useLayoutEffect(() => {
    showAlone(dialog.current);
  }, []);
  return (
    <dialog ref={dialog} class="sealed sealed-save" aria-labelledby="save-title" onClose={leave}>
      <h2 id="save-title">Save an encrypted copy of {now.open.name}</h2>
      {/* The form stays in the page while it works, so that nothing is typed twice after a problem. */}
      <Wishes
        open={now.open}
        hidden={now.state !== "asking"}
        problem={now.state === "asking" ? now.problem : ""}
        cancel={close}
      />
      {now.state === "working" && <Working phase={now.phase} cancel={close} />}
      {now.state === "done" && <Done made={now.made} close={close} />}
    </dialog>
  );
}

function Wishes({ open, hidden, problem, cancel }: { open: Open; hidden: boolean; problem: string; cancel(): void }) {
  const [encrypts, setEncrypts] = useState(true);
  const [hidesPaths, setHidesPaths] = useState(false);
  const [keepsTexts, setKeepsTexts] = useState(false);
  const [key, setKey] = useState<{ name: string; text: string } | null>(null);
  const [typed, setTyped] = useState({ first: "", second: "" });
  const differs = encrypts && typed.second !== "" && typed.first !== typed.second;
  const isReady = (encrypts || hidesPaths) && (!encrypts || (typed.first !== "" && typed.first === typed.second));
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady)
      void saveProtected(open, {
        passphrase: encrypts ? typed.first : "",
        hidesPaths,
        pathKey: key?.text ?? "",
        keepsTexts,
      });
  };
  return (
    <form onSubmit={onSubmit} hidden={hidden}>
      <Choice
        checked={encrypts}
        onChange={setEncrypts}
        title="Encrypt with a passphrase"
        words="Without the passphrase nobody can read the file. Only its size is visible."
      />
      {encrypts && <TwicePassphrase typed={typed} differs={differs} onType={setTyped} />}
      <Choice
        checked={hidesPaths}
        onChange={setHidesPaths}
        title="Encrypt the paths"
        words="File and folder names are readable only with a key, a second file. Still visible: sizes and languages of the files, names of definitions, their comments, the call graph."
      />
      {hidesPaths && <PathKey chosen={key} onChoose={setKey} keepsTexts={keepsTexts} onKeep={setKeepsTexts} />}
      {problem !== "" && (
        <p class="sealed-wrong" role="alert">
          <Icon name="warning" /> {problem}
        </p>
      )}
      <p class="sealed-note">
        {encrypts && "A lost passphrase cannot be recovered. "}It opens here, or with <code>portolan import</code>.
      </p>
      <p class="sealed-actions">
        <button type="submit" class="button button-main" disabled={!isReady}>
          Save
        </button>
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function Choice({
  checked,
  onChange,
  title,
  words,
}: {
  checked: boolean;
  onChange(on: boolean): void;
  title: string;
  words: string;
}) {
  return (
    <label class="sealed-choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        <strong>{title}</strong>
        <span>{words}</span>
      </span>
    </label>
  );
}

/** Fewer letters than this are soon guessed. */
const fewLetters = 16;

function TwicePassphrase({
  typed: { first, second },
  differs,
  onType,
}: {
  typed: { first: string; second: string };
  differs: boolean;
  onType(typed: { first: string; second: string }): void;
}) {
  const [shown, setShown] = useState(false);
  // A changing type is one of the two for the browser, and neither for the types of JSX.
  const type = (shown ? "text" : "password") as "password";
  const note = differs
    ? "The passphrases differ."
    : first !== "" && first.length < fewLetters
      ? "Short: four or five random words are hard to guess and easy to remember."
      : "";
  return (
    <div class="sealed-under">
      <div class="sealed-field">
        <label>
          <span>Passphrase</span>
          <input
            type={type}
            value={first}
            autofocus
            required
            autocomplete="new-password"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => onType({ first: event.currentTarget.value, second })}
          />
        </label>
        <button
          type="button"
          class="button"
          aria-label={shown ? "Hide the passphrase" : "Show the passphrase"}
          onClick={() => setShown(!shown)}
        >
          {shown ? "Hide" : "Show"}
        </button>
      </div>
      <label>
        <span>Repeat it</span>
        <input
          type={type}
          value={second}
          required
          autocomplete="new-password"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={differs}
          aria-describedby="sealed-advice"
          onInput={(event) => onType({ first, second: event.currentTarget.value })}
        />
      </label>
      <p id="sealed-advice" class={differs ? "sealed-differs" : "sealed-note"} role="status">
        {note}
      </p>
    </div>
  );
}

interface PathKeyProps {
  chosen: { name: string; text: string } | null;
  onChoose(key: { name: string; text: string } | null): void;
  keepsTexts: boolean;
  onKeep(on: boolean): void;
}

function PathKey({ chosen, onChoose, keepsTexts, onKeep }: PathKeyProps) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = async () => {
    const file = input.current?.files?.[0];
    if (file) onChoose({ name: file.name, text: await file.text() });
    if (input.current) input.current.value = "";
  };
  return (
    <div class="sealed-under">
      <p class="sealed-note">
        {chosen
          ? `The key in ${chosen.name}: encrypted paths are the same as in earlier exports with it.`
          : "A new key will be created."}{" "}
        <button type="button" class="text-button" onClick={() => (chosen ? onChoose(null) : input.current?.click())}>
          {chosen ? "Create a new key" : "Use an existing key"}
        </button>
      </p>
      <input
        ref={input}
        class="ingest-input"
        type="file"
        name="key"
        tabIndex={-1}
        aria-label="Key file"
        onChange={() => void onChange()}
      />
      <Choice
        checked={keepsTexts}
        onChange={onKeep}
        title="Include the sources"
        words="Otherwise only the key gives access to the code. Imports and comments in it may mention paths."
      />
    </div>
  );
}

function Working({ phase, cancel }: { phase: string; cancel(): void }) {
  const words =
    phase === "paths"
      ? "Encrypting the paths"
      : phase === "encrypting"
        ? "Encrypting. Deriving the key from the passphrase is slow on purpose, so that guessing is slow, too."
        : "Assembling the index";
  return (
    <div class="sealed-work">
      <progress aria-label="Progress" />
      <p class="sealed-note" role="status">
        {words}
      </p>
      <p class="sealed-actions">
        <button type="button" class="button" autofocus onClick={cancel}>
          Cancel
        </button>
      </p>
    </div>
  );
}

function Done({ made, close }: { made: readonly Made[]; close(): void }) {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div class="sealed-work">
      <p>
        {made.length > 1
          ? "Both files are ready. Store the key separately from the index: whoever has both can read the paths, and without the key nobody can."
          : "The file is in the browser's downloads."}
      </p>
      <ul class="sealed-made">
        {made.map((one, at) => (
          <li key={one.name}>
            <button
              ref={at === 0 ? first : undefined}
              type="button"
              class="button"
              onClick={() => give(one.file, one.name)}
            >
              <Icon name="download" size={14} /> {made.length > 1 ? "Save" : "Save again"} {one.name}
            </button>
            <span>{one.what === "key" ? "the key for the paths" : bytes(one.file.size)}</span>
          </li>
        ))}
      </ul>
      <p class="sealed-actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </p>
    </div>
  );
}
