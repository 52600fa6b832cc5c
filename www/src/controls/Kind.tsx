//! The kind of a symbol as one or two letters; the colour only repeats what the letters say.

import "./kind.css";

const letters: Record<string, string> = {
  function: "ƒ",
  method: "m",
  class: "C",
  struct: "S",
  enum: "E",
  trait: "T",
  interface: "I",
  impl: "im",
  type: "t",
  constant: "c",
  variable: "v",
  field: "f",
  property: "f",
  macro: "!",
  module: "M",
  namespace: "N",
  variant: "e",
  constructor: "m",
  section: "#",
  key: "k",
};

const families: Record<string, string> = {
  function: "call",
  method: "call",
  constructor: "call",
  macro: "call",
  class: "type",
  struct: "type",
  enum: "type",
  trait: "type",
  interface: "type",
  impl: "type",
  type: "type",
  constant: "value",
  variable: "value",
  field: "value",
  property: "value",
  variant: "value",
};

export function Kind({ kind }: { kind: string }) {
  return (
    <span class={`kind kind-${families[kind] ?? "place"}`} title={kind} aria-hidden="true">
      {letters[kind] ?? kind.slice(0, 1)}
    </span>
  );
}
