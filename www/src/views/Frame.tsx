//! The frame of a view: heading, what it is for, its controls, and its states without an answer.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { link } from "../state/navigation.ts";
import { notify } from "../state/notices.ts";
import type { Answer, Failure } from "./answer.ts";
import "./view.css";

interface FrameProps {
  title: string;
  words: string;
  busy?: boolean;
  /** The question: fields above the answer. */
  controls?: ComponentChildren;
  options?: OptionsProps;
  children?: ComponentChildren;
}

export function Frame({ title, words, busy = false, controls, options, children }: FrameProps) {
  return (
    <section class="view" aria-label={title} aria-busy={busy}>
      <header class="view-head">
        <h1>{title}</h1>
        <p>{words}</p>
      </header>
      {controls && (
        <div class="filters view-controls">
          {controls}
          {options && <Options {...options} />}
        </div>
      )}
      {children}
    </section>
  );
}

interface OptionsProps {
  fields: ComponentChildren;
  /** Names of their arguments in the link, which are empty where nobody has changed them. */
  names: readonly string[];
}

/** Fields that narrow the question, in its line; on a phone behind a button, which says how many of them are set. */
function Options({ fields, names }: OptionsProps) {
  const [isOpen, setOpen] = useState(false);
  const { args } = link.value;
  const nSet = names.filter((name) => args[name]).length;
  return (
    <>
      <button
        type="button"
        class="toggle view-options-button"
        aria-expanded={isOpen}
        aria-controls="view-options"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" size={12} /> Options{nSet > 0 && ` (${nSet} set)`}
      </button>
      <div id="view-options" class="view-options">
        {fields}
      </div>
    </>
  );
}

/** The failure of a question: the fault, the remedy and its code. */
export function Failed({ title, failure }: { title: string; failure: Failure }) {
  return (
    <div class="empty view-failed" role="alert">
      <strong>{title}</strong>
      <p class="view-message">{failure.message}</p>
      {failure.help !== "" && <p>{failure.help}</p>}
      {failure.code !== "" && <p class="view-code">{failure.code}</p>}
    </div>
  );
}

/** Draws an answer's failure, or its waiting where nothing is there yet. */
export function Waiting<T>({ answer, title, words }: { answer: Answer<T>; title: string; words: string }) {
  if (answer.state === "failed") return <Failed title={title} failure={answer} />;
  if (answer.state === "running" && answer.before === null)
    return (
      <p class="empty" role="status">
        {words}
      </p>
    );
  return null;
}

export function Nothing({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** A choice of few, as a list to open. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange(next: T): void;
}) {
  return (
    <label class="filter-field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

export function CopyButton({ text, said, label = "Copy" }: { text(): string; said: string; label?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      notify("info", said);
    } catch {
      notify(
        "warning",
        "The browser did not allow copying",
        "Save it as a file instead, or mark the text and copy it.",
      );
    }
  };
  return (
    <button type="button" class="button button-small" onClick={() => void copy()}>
      <Icon name="copy" size={13} /> {label}
    </button>
  );
}

/** Offers the rest of a list that was cut; the total may be unknown (infinite). */
export function More({ shown, total, onMore }: { shown: number; total: number; onMore(): void }) {
  if (shown >= total) return null;
  return (
    <p class="view-more">
      <button type="button" class="button button-small" onClick={onMore}>
        Show more
      </button>
      {Number.isFinite(total) && <span>{`${shown.toLocaleString("en")} of ${total.toLocaleString("en")}`}</span>}
    </p>
  );
}
