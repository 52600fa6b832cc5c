//! The views that take a symbol, as actions beside it.

import { hashOfView } from "../state/navigation.ts";
import { workViews } from "../state/work-views.ts";

export function ViewLinks({ of }: { of: string }) {
  return (
    <p class="symbol-views">
      {workViews.flatMap(({ id, ofSymbol, words }) =>
        ofSymbol === undefined ? (
          []
        ) : (
          <a key={id} href={hashOfView(id, { of })} title={words}>
            {ofSymbol}
          </a>
        ),
      )}
    </p>
  );
}
