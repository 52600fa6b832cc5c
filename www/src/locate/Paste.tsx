//! The field for the text; a paste into the empty field is the question already.

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { caps } from "../state/commands.ts";
import { notify } from "../state/notices.ts";
import { showPlaces } from "../state/pasted.ts";

const example = `Wrong total after a discount

Traceback (most recent call last):
  File "shop/cart.py", line 12, in total
    return sum(prices) - self.discount
TypeError: unsupported operand type(s) for -: 'int' and 'NoneType'`;

/** Bytes of a file of text: more is a mistake, and only the first and last parts of a long text are read. */
const maxBytes = 8 * 1024 * 1024;

export function Paste({ text }: { text: string }) {
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const show = (given: string) => {
    if (given.trim() !== "") showPlaces(given);
  };
  const onFile = async (input: HTMLInputElement) => {
    const [chosen] = input.files ?? [];
    input.value = "";
    if (chosen && chosen.size > maxBytes)
      notify("warning", `${chosen.name} is too large`, "Choose a text of up to 8 MB.");
    else if (chosen) show(await chosen.text());
  };
  const onPaste = (event: ClipboardEvent) => {
    const given = event.clipboardData?.getData("text/plain") ?? "";
    if (typed.trim() !== "" || !given.trim().includes("\n")) return;
    event.preventDefault();
    show(given);
  };
  return (
    <div class="card locate-paste">
      <label class="unseen" for="locate-text">
        Issue, error message or stack trace
      </label>
      <textarea
        id="locate-text"
        ref={field}
        rows={12}
        value={typed}
        spellcheck={false}
        placeholder={example}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          show(typed);
        }}
      />
      <p>
        <button
          type="button"
          class="button button-main button-small"
          disabled={typed.trim() === ""}
          title={caps("mod+enter").join(" ")}
          onClick={() => show(typed)}
        >
          Find its places
        </button>
        <button type="button" class="button button-small" onClick={() => file.current?.click()}>
          <Icon name="file" size={13} /> Choose a text or log
        </button>
        <input
          ref={file}
          class="ingest-input"
          type="file"
          name="issue"
          accept=".txt,.md,.log,.json,text/*"
          tabIndex={-1}
          aria-label="Text file"
          onChange={(event) => void onFile(event.currentTarget)}
        />
      </p>
    </div>
  );
}
