//! Asks before an index replaces another one of the same name.

import { useLayoutEffect, useRef } from "preact/hooks";
import { showAlone } from "../controls/dialog.ts";
import { clash, type Clash } from "../state/same-name.ts";
import "./ingest.css";

export function SameName() {
  return clash.value ? <Sheet key={clash.value.name} question={clash.value} /> : null;
}

function Sheet({ question: { name, free, answer } }: { question: Clash }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    showAlone(dialog.current);
  }, []);
  return (
    <dialog ref={dialog} class="same-name" aria-labelledby="same-name-title" onClose={() => answer("neither")}>
      <h2 id="same-name-title">An index called {name} is here already</h2>
      <p>It was made of something else, or of an earlier version. Replacing deletes it.</p>
      <p class="same-name-actions">
        <button type="button" class="button button-main" onClick={() => answer("both")}>
          Keep both, as “{free}”
        </button>
        <button type="button" class="button button-danger" onClick={() => answer("replace")}>
          Replace it
        </button>
        <button type="button" class="button" onClick={() => answer("neither")}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}
