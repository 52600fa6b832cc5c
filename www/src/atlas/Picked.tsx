//! Actions on a symbol of the map: read it, see its neighbours, pin it as the start or the end of paths.

import type { SymbolRef } from "portolan";
import { hashOf, link, navigate } from "../state/navigation.ts";
import { withArgs } from "./asked.ts";

type Node = Pick<SymbolRef, "name" | "qualified_name" | "kind" | "path" | "line">;

export function Picked({ node }: { node: Node }) {
  const { args } = link.value;
  const { path, line, kind } = node;
  const name = node.qualified_name || node.name;
  const isSymbol = path !== "" && kind !== "file" && kind !== "folder" && kind !== "external";
  const selector = isSymbol ? `${path}#${name}` : path || name;
  const from = args.from ?? "";
  const to = (change: Record<string, string>) => hashOf({ args: withArgs(args, change) });
  const lines = isSymbol ? { from: line, to: line } : null;
  return (
    <section class="atlas-picked" aria-label="Chosen">
      <h2>{name}</h2>
      <p>{path === "" || path === name ? kind : `${kind} in ${path}${isSymbol ? `:${line}` : ""}`}</p>
      <div class="atlas-actions">
        {path !== "" && kind !== "folder" && (
          <a class="button" href={hashOf({ path, lines, ...(isSymbol ? { symbol: selector } : {}) })}>
            Open
          </a>
        )}
        <a class="button" href={to({ of: selector, from: "", to: "" })}>
          Neighbours
        </a>
        <button
          type="button"
          class="button"
          onClick={() => navigate({ args: withArgs(args, { from: selector }) }, "replace")}
        >
          Pin as start
        </button>
        {from !== "" && from !== selector && (
          <a class="button button-primary" href={to({ to: selector, of: "" })}>
            {`Paths from ${from.split("#").at(-1) ?? from}`}
          </a>
        )}
      </div>
    </section>
  );
}
