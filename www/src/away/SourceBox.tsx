//! The box: a repository, a package, an archive or a site by its name or address.

import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { narrow } from "../state/drawers.ts";
import {
  addresses,
  admit,
  allow,
  allowed,
  asked,
  hostOf,
  openText,
  refuse,
  setAddresses,
  tokens,
} from "../state/remote.ts";
import "./away.css";

const examples = "owner/repo@ref, an address, npm:name@version, crate:name@version";

export function SourceBox() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const open = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    setWrong((await openText(text)) ? "" : text.trim());
  };
  return (
    <div class="away">
      <form class="away-form" onSubmit={(event) => void open(event)}>
        <label class="unseen" for="away-box">
          Repository, package, archive or site
        </label>
        <input
          id="away-box"
          class="away-box"
          type="text"
          value={text}
          placeholder={narrow.value ? "owner/repo" : "owner/repo, an address, npm:name"}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="away-help"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button button-main">
          Open
        </button>
      </form>
      <p id="away-help" class="away-help" role={wrong === "" ? undefined : "alert"}>
        {wrong === "" ? `For example ${examples}` : `“${wrong}” names no source. Try ${examples}.`}
      </p>
      <Question />
      <Hosts />
    </div>
  );
}

/** Asks before a host is contacted. */
function Question() {
  const waiting = asked.value;
  if (!waiting) return null;
  const hosts = waiting.origins.map(hostOf);
  return (
    <section class="away-ask" aria-label="Allow hosts">
      <p>
        <Icon name="shield" size={14} /> <strong>{waiting.name}</strong> is fetched from {hosts.join(" and ")}. They
        learn your address and what is fetched; nothing of your code is sent. The page starts anew with a policy that
        admits them.
      </p>
      <p class="away-actions">
        <button type="button" class="button button-main" onClick={() => void allow()}>
          Allow and open
        </button>
        <button type="button" class="button" onClick={refuse}>
          Not now
        </button>
      </p>
    </section>
  );
}

/** Allowed hosts, tokens, and own addresses. */
function Hosts() {
  const { registries = {} } = addresses.value;
  const setRegistry = (kind: "npm" | "crate", value: string) =>
    setAddresses({ ...addresses.peek(), registries: { ...registries, [kind]: value.trim() } });
  return (
    <details class="away-hosts">
      <summary>Hosts, tokens and registries</summary>
      <p class="away-help">
        {allowed.value.length === 0
          ? "The page may contact no other host."
          : "The page may contact these hosts and no other. A token stays in memory until the tab closes, and is sent to its host only."}
      </p>
      <ul>
        {allowed.value.map((origin) => (
          <li key={origin}>
            <code>{hostOf(origin)}</code>
            <input
              type="password"
              autocomplete="off"
              aria-label={`Token for ${hostOf(origin)}`}
              placeholder="token"
              value={tokens.value[origin] ?? ""}
              onChange={(event) => {
                const { [origin]: _, ...others } = tokens.peek();
                const token = event.currentTarget.value.trim();
                tokens.value = token === "" ? others : { ...others, [origin]: token };
              }}
            />
            <button
              type="button"
              class="text-button"
              onClick={() => void admit(allowed.peek().filter((one) => one !== origin))}
            >
              Allow no more
            </button>
          </li>
        ))}
      </ul>
      {(["npm", "crate"] as const).map((kind) => (
        <label key={kind} class="away-registry">
          {kind === "npm" ? "npm registry" : "Registry of crates (sparse)"}
          <input
            type="url"
            value={registries[kind] ?? ""}
            placeholder="https://…"
            onChange={(event) => setRegistry(kind, event.currentTarget.value)}
          />
        </label>
      ))}
    </details>
  );
}
