//! A field that takes a symbol: it offers definitions while a name is typed. Arrows choose, Enter takes, Escape closes the list.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Symbol as Definition } from "portolan";
import { Kind } from "../controls/Kind.tsx";
import type { Repository } from "../state/repository.ts";
import { selectorOf } from "../state/symbol.ts";

interface Props {
  label: string;
  value: string;
  repository: Repository;
  placeholder?: string;
  onChange(selector: string): void;
}

const typingMillis = 60;
const mostOffered = 12;

export function SymbolField({ label, value, repository, placeholder = "Name of a definition", onChange }: Props) {
  const [text, setText] = useState(value);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const offered = useOffered(repository, open ? text : "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);
  const take = (selector: string) => {
    setOpen(false);
    setText(selector);
    if (selector !== value) onChange(selector);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offered.length > 0) {
      event.preventDefault();
      setAt((at + step + offered.length) % offered.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = open ? offered[at] : undefined;
      take(chosen ? selectorOf(chosen) : text.trim());
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      setOpen(false);
    }
  };
  const name = label.replaceAll(/\W+/g, "-").toLowerCase();
  const shown = open && offered.length > 0;
  return (
    <div class="symbol-field">
      <label for={`${name}-field`}>{label}</label>
      <input
        ref={field}
        id={`${name}-field`}
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${name}-list`}
        aria-activedescendant={shown ? `${name}-${at}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {shown && (
        <div id={`${name}-list`} role="listbox" aria-label={`Definitions for ${label.toLowerCase()}`}>
          {offered.map((definition, index) => (
            <div
              key={definition.id}
              id={`${name}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The field keeps the focus: a click must not take it.
              onMouseDown={(event) => {
                event.preventDefault();
                take(selectorOf(definition));
              }}
              onMouseMove={() => setAt(index)}
            >
              <Kind kind={definition.kind} />
              <span class="symbol-field-name">{definition.qualified_name}</span>
              <span class="symbol-field-path">{definition.path}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function useOffered({ index, revision }: Repository, text: string): readonly Definition[] {
  const [offered, setOffered] = useState<readonly Definition[]>([]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === "") return setOffered([]);
    let isWanted = true;
    const timer = setTimeout(() => {
      index.find({ symbol: wanted, fuzzy: true, limit: mostOffered }).then(
        ({ symbols }) => isWanted && setOffered(symbols),
        () => isWanted && setOffered([]),
      );
    }, typingMillis);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [index, revision, text]);
  return offered;
}
