//! Repositories of the server that gave this page.

import { useEffect } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { age, bytes } from "../state/format.ts";
import { emptyLink, encodeLink } from "../state/link.ts";
import { listShared, type SharedList, sharedList, sharedName, sharedToken } from "../state/shared.ts";

export function Shared() {
  const list = sharedList.value;
  useEffect(() => {
    if (sharedList.peek().state === "unasked") void listShared();
  }, []);
  return (
    <section class="saved" aria-label="Shared indexes">
      <h2>Shared by this server</h2>
      <Token isNeeded={list.state === "refused"} />
      <Entries list={list} />
    </section>
  );
}

function Token({ isNeeded }: { isNeeded: boolean }) {
  const submit = (event: Event) => {
    event.preventDefault();
    void listShared();
  };
  return (
    <form class="saved-form" onSubmit={submit}>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          value={sharedToken.value}
          placeholder={isNeeded ? "needed here" : "for repositories that are not public"}
          onInput={(event) => {
            sharedToken.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <button type="submit" class="button">
        Show
      </button>
      <span class="saved-note">It stays in memory until the tab closes, and goes to this server only.</span>
    </form>
  );
}

function Entries({ list }: { list: SharedList }) {
  if (list.state === "refused" || list.state === "failed")
    return (
      <p class="saved-note" role="alert">
        <Icon name="warning" /> {list.message}
      </p>
    );
  if (list.state !== "ready") return <p class="saved-note">Asking the server…</p>;
  if (list.entries.length === 0)
    return <p class="saved-note">None that you may read. `portolan push` adds one; a token may show more.</p>;
  return (
    <ul class="saved-list">
      {list.entries.map(({ name, n_bytes, made_at, isSealed }) => (
        <li key={name}>
          <a class="saved-link" href={encodeLink({ ...emptyLink, repository: sharedName(name) })}>
            <span class="saved-name">{name}</span>
            <span class="saved-facts">
              {made_at === 0 ? "no version yet" : `${bytes(n_bytes)} · indexed ${age(made_at, Date.now())}`}
              {isSealed && " · encrypted"}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
