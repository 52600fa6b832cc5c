//! Which models are asked: provider, address, name, key. A host is contacted only after it was allowed, by the page's policy, too.

import { useEffect, useState } from "preact/hooks";
import { builtInAvailability, PROVIDERS, type Provider } from "portolan/chat";
import { Icon } from "../controls/Icon.tsx";
import { admit, allowed, hasGuard, hostOf } from "../state/remote.ts";
import { Choice } from "../views/Frame.tsx";
import { originOf } from "./session.ts";
import { changeChat, chatSettings, type ChosenModel, keys, setKey } from "./settings.ts";

export function Setup({ onDone }: { onDone: (() => void) | undefined }) {
  const { models } = chatSettings.value;
  return (
    <>
      {models.length > 0 && <Chosen />}
      <Add isFirst={models.length === 0} />
      {models.length > 0 && <Options />}
      {onDone && (
        <p>
          <button type="button" class="button button-main" onClick={onDone}>
            Done
          </button>
        </p>
      )}
    </>
  );
}

function Chosen() {
  const { models } = chatSettings.value;
  const without = (at: number) => models.filter((_, other) => other !== at);
  return (
    <section class="card" aria-label="Chosen models">
      <h2>
        Models <span class="card-count">each takes over when the one before fails</span>
      </h2>
      <ul class="rows">
        {models.map((model, at) => (
          <li key={at} class="row">
            <code>{model.model === "" ? model.provider : `${model.provider}:${model.model}`}</code>
            <span class="row-path">{originOf(model) ?? "this browser"}</span>
            <KeyField model={model} />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${model.provider} ${model.model}`}
              title="Remove"
              onClick={() => changeChat({ models: without(at) })}
            >
              <Icon name="trash" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function KeyField({ model }: { model: ChosenModel }) {
  const origin = originOf(model);
  if (origin === undefined) return null;
  return (
    <input
      class="chat-key"
      type="password"
      autocomplete="off"
      aria-label={`Key for ${hostOf(origin)}`}
      placeholder="key"
      value={keys.value[origin] ?? ""}
      onChange={(event) => setKey(origin, event.currentTarget.value.trim())}
    />
  );
}

function Add({ isFirst }: { isFirst: boolean }) {
  const [begun] = useState(remembered);
  const [id, setId] = useState(begun.provider);
  const [address, setAddress] = useState(begun.baseUrl);
  const [model, setModel] = useState("");
  const [key, setNewKey] = useState("");
  const provider = PROVIDERS.find((one) => one.id === id) as Provider;
  const isBuiltIn = provider.protocol === "browser";
  const chosen: ChosenModel = {
    provider: id,
    model: isBuiltIn ? "" : model.trim(),
    ...(address.trim() !== "" && { baseUrl: address.trim() }),
  };
  const origin = originOf(chosen);
  const isAllowed = origin !== undefined && allowed.value.includes(origin);
  const isReady =
    isBuiltIn || (isAllowed && chosen.model !== "" && (key !== "" || provider.isKeyless || chosen.baseUrl));
  const add = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    if (origin !== undefined && key !== "") setKey(origin, key.trim());
    changeChat({ models: [...chatSettings.peek().models, chosen] });
    setModel("");
    setNewKey("");
  };
  return (
    <form class="card chat-setup" aria-label="Add a model" onSubmit={add}>
      <h2>{isFirst ? "Choose a model" : "Add a model that takes over"}</h2>
      <div class="chat-fields">
        <Choice
          label="Provider"
          value={id}
          options={PROVIDERS.map((one) => [one.id, one.name] as const)}
          onChange={setId}
        />
        {isBuiltIn ? (
          <BuiltIn />
        ) : (
          <Field
            label="Address"
            type="url"
            value={address}
            placeholder={provider.baseUrl || "http://localhost:8080/v1"}
            onInput={setAddress}
          />
        )}
        {origin !== undefined && !isBuiltIn && !isAllowed && <Allow origin={origin} chosen={chosen} />}
        {origin !== undefined && isAllowed && (
          <Field label="Model" value={model} placeholder="its name, as the provider writes it" onInput={setModel} />
        )}
        {origin !== undefined && isAllowed && (
          <NewKey isNeeded={!provider.isKeyless} origin={origin} value={key} onInput={setNewKey} />
        )}
      </div>
      {(isBuiltIn || isAllowed) && (
        <p class="chat-actions">
          <button type="submit" class="button button-main button-small" disabled={!isReady}>
            Use it
          </button>
        </p>
      )}
    </form>
  );
}

function NewKey(props: { isNeeded: boolean; origin: string; value: string; onInput(value: string): void }) {
  const { isNeeded, origin, value, onInput } = props;
  return (
    <Field
      label={isNeeded ? "Key" : "Key, if it wants one"}
      type="password"
      value={value}
      placeholder={`sent to ${hostOf(origin)} only`}
      onInput={onInput}
    />
  );
}

function BuiltIn() {
  const [words, setWords] = useState("Looking…");
  useEffect(() => {
    void builtInAvailability().then((is) =>
      setWords(
        is === "unavailable"
          ? "This browser has no model of its own."
          : is === "available"
            ? "Runs on this machine; nothing is sent. It reads little at once and takes no steps."
            : "The browser fetches it with the first question, some gigabytes. It runs on this machine; nothing is sent.",
      ),
    );
  }, []);
  return <p class="chat-note">{words}</p>;
}

/** Admits the host to the page's policy, which reloads the page. Comes before the key, which is only in memory. */
function Allow({ origin, chosen }: { origin: string; chosen: ChosenModel }) {
  const isLocal = ["localhost", "127.0.0.1"].includes(new URL(origin).hostname);
  const isPossible = origin.startsWith("https:") || isLocal;
  const allow = async () => {
    remember(chosen);
    await admit([...allowed.peek(), origin]);
    if (await hasGuard()) location.reload();
  };
  if (!isPossible)
    return <p class="chat-note">A page may contact only https addresses and this machine. The command line can.</p>;
  return (
    <div class="chat-allow">
      <p>
        <Icon name="shield" size={14} /> The page may not contact <strong>{hostOf(origin)}</strong> yet. Its policy then
        admits this host, and the page starts anew.
        {isLocal && " The server must allow requests of this page (CORS; Ollama: OLLAMA_ORIGINS)."}
      </p>
      <button type="button" class="button button-small" onClick={() => void allow()}>
        Allow {hostOf(origin)}
      </button>
    </div>
  );
}

function Options() {
  const { mode, reviewAll, keepsKeys, perMinute, price } = chatSettings.value;
  const setPrice = (part: "input" | "output", text: string) => {
    const next = { input: price?.input ?? 0, output: price?.output ?? 0, [part]: Number(text) };
    const isPrice = Number.isFinite(next.input) && Number.isFinite(next.output) && next.input + next.output > 0;
    changeChat({ price: isPrice ? next : null });
  };
  return (
    <section class="card chat-setup" aria-label="Options of the chat">
      <h2>Options</h2>
      <div class="chat-fields">
        <Choice
          label="Answers by"
          value={mode}
          options={[
            ["agent", "looking things up in steps"],
            ["linear", "one search, one request"],
          ]}
          onChange={(next) => changeChat({ mode: next })}
        />
        <Check
          label="Show every request before it is sent"
          value={reviewAll}
          onChange={(on) => changeChat({ reviewAll: on })}
        />
        <Check
          label="Keep keys in this browser (anyone who uses it can read them)"
          value={keepsKeys}
          onChange={(on) => changeChat({ keepsKeys: on })}
        />
        <Field
          label="Requests in a minute"
          value={perMinute === null ? "" : String(perMinute)}
          placeholder="as many as the host takes"
          onInput={(text) => changeChat({ perMinute: /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null })}
        />
        <Field
          label="Price of a million tokens sent"
          value={price ? String(price.input) : ""}
          placeholder="for the count of costs"
          onChange={(text) => setPrice("input", text)}
        />
        <Field
          label="Price of a million received"
          value={price ? String(price.output) : ""}
          placeholder="for the count of costs"
          onChange={(text) => setPrice("output", text)}
        />
      </div>
    </section>
  );
}

interface FieldProps {
  label: string;
  value: string;
  type?: "text" | "url" | "password";
  placeholder: string;
  onInput?: (text: string) => void;
  onChange?: (text: string) => void;
}

function Field({ label, value, type = "text", placeholder, onInput, onChange }: FieldProps) {
  return (
    <label class="filter-field">
      <span>{label}</span>
      <input
        type={type as "text"}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={onInput && ((event) => onInput(event.currentTarget.value))}
        onChange={onChange && ((event) => onChange(event.currentTarget.value))}
      />
    </label>
  );
}

function Check({ label, value, onChange }: { label: string; value: boolean; onChange(on: boolean): void }) {
  return (
    <label class="chat-check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
    </label>
  );
}

const rememberedKey = "portolan.chat.begun";

function remembered(): { provider: string; baseUrl: string } {
  const first = { provider: PROVIDERS[0]?.id ?? "", baseUrl: "" };
  try {
    const { provider, baseUrl } = JSON.parse(sessionStorage.getItem(rememberedKey) ?? "{}") as Record<string, unknown>;
    const isKnown = PROVIDERS.some(({ id }) => id === provider) && typeof baseUrl === "string";
    return isKnown ? { provider: provider as string, baseUrl: baseUrl as string } : first;
  } catch {
    return first;
  }
}

/** Keeps the filled-in fields over the new start of the page. */
function remember({ provider, baseUrl = "" }: ChosenModel): void {
  try {
    sessionStorage.setItem(rememberedKey, JSON.stringify({ provider, baseUrl }));
  } catch {
    // It is filled in again.
  }
}
