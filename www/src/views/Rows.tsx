//! A row of a list of definitions: its name, where it is, and its code on demand.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { SymbolRef } from "portolan";
import { Icon } from "../controls/Icon.tsx";
import { Kind } from "../controls/Kind.tsx";
import { hashOf } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { selectorOf } from "../state/symbol.ts";
import { Code } from "./Code.tsx";

interface Props {
  repository: Repository;
  symbol: Pick<SymbolRef, "name" | "qualified_name" | "kind" | "path" | "line">;
  /** The line to show and to go to, 1-based; the definition's own by default. */
  line?: number;
  /** Lines of code below the line; those above are two. */
  below?: number;
  /** Between the name and the place. */
  children?: ComponentChildren;
  /** After the place. */
  end?: ComponentChildren;
}

export function SymbolRow({ repository, symbol, line = symbol.line, below = 3, children, end }: Props) {
  const [open, setOpen] = useState(false);
  const selector = symbol.kind === "file" ? "" : selectorOf(symbol);
  return (
    <li>
      <div class="row">
        <button
          type="button"
          class="icon-button row-open"
          aria-expanded={open}
          aria-label={`Code of ${symbol.qualified_name}, line ${line}`}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" size={12} />
        </button>
        <Kind kind={symbol.kind} />
        <a
          class="row-name"
          href={hashOf({ path: symbol.path, lines: { from: line, to: line }, symbol: selector })}
          title={symbol.qualified_name}
        >
          {symbol.qualified_name}
        </a>
        {children}
        <PlaceLink path={symbol.path} line={line} />
        {end !== undefined && <span class="row-end">{end}</span>}
      </div>
      {open && <Code repository={repository} path={symbol.path} from={line - 2} to={line + below} line={line} />}
    </li>
  );
}

/** Path and line, cut off at the left where there is no room: the file's name tells most. */
export function PlaceLink({ path, line }: { path: string; line: number }) {
  return (
    <a class="row-path" href={hashOf({ path, lines: { from: line, to: line } })} title={`${path}:${line}`}>
      <bdi dir="ltr">{`${path}:${line}`}</bdi>
    </a>
  );
}
