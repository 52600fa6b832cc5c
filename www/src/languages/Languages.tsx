//! The user's languages: add a grammar with its queries, list and remove them.

import { useRef } from "preact/hooks";
import { bytes } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import {
  userLanguages,
  checking,
  draft,
  draftProblem,
  type Draft,
  endings,
  forget,
  keep,
  take,
} from "../state/user-languages.ts";
import "./languages.css";

export function Languages() {
  const input = useRef<HTMLInputElement>(null);
  const given = draft.value;
  return (
    <section class="languages-own" aria-label="Your languages">
      <h3>Your languages</h3>
      <p class="saved-note">
        {userLanguages.value.length === 0
          ? "Twenty languages are built in. To add one, choose its tree-sitter grammar (.wasm) and queries (symbols.scm or tags.scm)."
          : "Used by every index that you build or open from now on."}
      </p>
      {userLanguages.value.length > 0 && (
        <ul class="saved-list">
          {userLanguages.value.map(({ name, extensions, wasm }) => (
            <li key={name}>
              <span class="saved-link">
                <span class="saved-name">{name}</span>
                <span class="saved-facts">
                  {extensions.map((ending) => `.${ending}`).join(" ")} · {bytes(wasm.length)}
                </span>
              </span>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${name}`}
                title="Remove from this browser"
                onClick={() => void forget(name)}
              >
                <Icon name="trash" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {given ? (
        <DraftForm given={given} />
      ) : (
        <p class="languages-ways">
          <button type="button" class="button" onClick={() => input.current?.click()}>
            Add a language
          </button>
          <span>or drop its files on this page</span>
        </p>
      )}
      <input
        ref={input}
        class="ingest-input"
        type="file"
        name="grammar"
        multiple
        accept=".wasm,.scm"
        tabIndex={-1}
        aria-label="Grammar and queries"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (files.length > 0) void take(files);
        }}
      />
    </section>
  );
}

const roleWords: Record<string, string> = { symbols: "definitions", references: "uses", highlights: "colours" };

function DraftForm({ given }: { given: Draft }) {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void keep({
      ...given,
      name: String(form.get("name") ?? "").trim(),
      extensions: endings(String(form.get("endings") ?? "")),
    });
  };
  const has = Object.keys(given.queries).map((role) => roleWords[role] ?? role);
  return (
    <form class="language-draft" onSubmit={onSubmit} aria-busy={checking.value}>
      <label>
        <span>Name</span>
        <input
          name="name"
          required
          defaultValue={given.name}
          pattern="[a-z0-9_\-]+"
          title="lower-case letters, digits, - and _"
          spellcheck={false}
          autocomplete="off"
          autofocus
        />
      </label>
      <label>
        <span>File extensions</span>
        <input
          name="endings"
          required
          defaultValue={given.extensions.join(", ")}
          placeholder="r, rmd"
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <p class="language-facts">
        A grammar of {bytes(given.wasm.length)}; queries for {has.join(", ")}.
        {given.unused.length > 0 && ` Not used: ${given.unused.join(", ")}.`}
      </p>
      {draftProblem.value !== "" && (
        <p class="language-problem" role="alert">
          <Icon name="warning" /> {draftProblem.value}
        </p>
      )}
      <p class="language-actions">
        <button type="submit" class="button button-main" disabled={checking.value}>
          {checking.value ? "Testing it…" : "Add it"}
        </button>
        <button type="button" class="button" onClick={() => (draft.value = null)}>
          Not now
        </button>
      </p>
    </form>
  );
}
