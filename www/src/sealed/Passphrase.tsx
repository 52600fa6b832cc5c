//! Asks for the passphrase of an encrypted index.

import { useLayoutEffect, useRef } from "preact/hooks";
import { showAlone } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { asked, type Asked } from "../state/passphrase.ts";
import "./sealed.css";

export function Passphrase() {
  return asked.value ? <Sheet wanted={asked.value} /> : null;
}

function Sheet({ wanted: { name, wrong, answer } }: { wanted: Asked }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    showAlone(dialog.current);
    field.current?.focus();
  }, []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    answer(field.current?.value ?? "");
  };
  return (
    <dialog ref={dialog} class="sealed" aria-labelledby="sealed-title" onClose={() => answer()}>
      <form onSubmit={onSubmit}>
        <h2 id="sealed-title">{name} is encrypted</h2>
        <label>
          <span>Passphrase</span>
          <input
            ref={field}
            type="password"
            required
            autocomplete="off"
            aria-describedby={wrong ? "sealed-wrong" : undefined}
            aria-invalid={wrong}
          />
        </label>
        {wrong && (
          <p id="sealed-wrong" class="sealed-wrong" role="alert">
            <Icon name="warning" /> Wrong passphrase. Check letters, case and spaces.
          </p>
        )}
        <p class="sealed-note">
          It is decrypted in this tab. Neither the passphrase nor the decrypted index is stored.
        </p>
        <p class="sealed-actions">
          <button type="submit" class="button button-main">
            Open
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
