//! Questions to a language model about the open repository. Off until the person sets a model; shows what is sent before it is.

import { useEffect, useRef, useState } from "preact/hooks";
import { markdownOf, tokensOfText } from "portolan/chat";
import { Icon } from "../controls/Icon.tsx";
import { give, stemOf } from "../state/download.ts";
import { askView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { Failed, Frame } from "../views/Frame.tsx";
import { Earlier } from "./Earlier.tsx";
import { Review } from "./Review.tsx";
import { Setup } from "./Setup.tsx";
import { ask, conversation, failure, live, look, open, stop, waiting } from "./session.ts";
import { chatSettings } from "./settings.ts";
import { LiveTurn, PastTurn } from "./Turns.tsx";
import "./chat.css";

export function Chat({ repository }: { repository: Repository }) {
  const { models } = chatSettings.value;
  const [isSettingUp, setSettingUp] = useState(false);
  useEffect(() => void look(repository), [repository.name]);
  const isOff = models.length === 0;
  return (
    <Frame
      title="Chat"
      words="Questions to a language model about this code. Off until you choose one; nothing is sent before you have seen it."
      busy={live.value !== null}
    >
      <div class="chat view-columns">
        <div class="view-main">
          {isOff || isSettingUp ? (
            <Setup onDone={isOff ? undefined : () => setSettingUp(false)} />
          ) : (
            <Talk repository={repository} />
          )}
        </div>
        <aside class="view-side" aria-label="Conversations">
          {!isOff && <Models onChange={() => setSettingUp(true)} />}
          <Earlier repository={repository} />
        </aside>
      </div>
    </Frame>
  );
}

function Models({ onChange }: { onChange(): void }) {
  const { models, mode } = chatSettings.value;
  return (
    <section class="card" aria-label="Models">
      <h2>Models</h2>
      <ol class="chat-models">
        {models.map(({ provider, model }, at) => (
          <li key={at}>
            <code>{model === "" ? provider : `${provider}:${model}`}</code>
            {at > 0 && <span class="tag">if that fails</span>}
          </li>
        ))}
      </ol>
      <p>
        {mode === "agent" ? "Looks things up in steps." : "One search, one answer."}{" "}
        <button type="button" class="text-button" onClick={onChange}>
          Change
        </button>
      </p>
    </section>
  );
}

function Talk({ repository }: { repository: Repository }) {
  const turns = conversation.value?.turns ?? [];
  const { value: now } = live;
  const { value: held } = waiting;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (turns.length > 0 || now !== null) end.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length, now === null, held === null]);
  return (
    <>
      {turns.length === 0 && now === null && <Hello repository={repository} />}
      {turns.map((turn, at) => (
        <PastTurn key={at} turn={turn} />
      ))}
      {now !== null && <LiveTurn live={now} />}
      {held !== null && <Review key={held.outgoing.n_tokens} waiting={held} />}
      {failure.value !== null && (
        <Failed title="The question was not answered" failure={{ state: "failed", ...failure.value }} />
      )}
      <AskBox repository={repository} />
      <div ref={end} />
    </>
  );
}

const questions = [
  "Where does this program start, and what happens first?",
  "Which part should I read first to understand it?",
  "How are errors handled?",
];

function Hello({ repository }: { repository: Repository }) {
  return (
    <section class="card" aria-label="Questions to begin with">
      <h2>Questions to begin with</h2>
      <ul class="rows">
        {questions.map((question) => (
          <li key={question}>
            <button type="button" class="chat-example" onClick={() => void ask(repository, question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AskBox({ repository }: { repository: Repository }) {
  const of = link.value.args.of ?? "";
  const [text, setText] = useState(of === "" ? "" : `Explain \`${of}\`.`);
  const box = useRef<HTMLTextAreaElement>(null);
  const isBusy = live.value !== null;
  useEffect(() => {
    if (of === "") return;
    setText(`Explain \`${of}\`.`);
    askView({ of: "" }, "replace");
    box.current?.focus();
  }, [of]);
  const send = () => {
    if (isBusy || text.trim() === "") return;
    void ask(repository, text.trim());
    setText("");
  };
  return (
    <form
      class="card chat-ask"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="unseen" for="chat-question">
        Question
      </label>
      <textarea
        id="chat-question"
        ref={box}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        value={text}
        placeholder="Ask about this code"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <p>
        {isBusy ? (
          <button type="button" class="button button-small" onClick={stop}>
            <Icon name="close" size={13} /> Stop
          </button>
        ) : (
          <button type="submit" class="button button-main button-small" disabled={text.trim() === ""}>
            Ask
          </button>
        )}
        <span class="chat-keys">
          <kbd>Enter</kbd> asks, <kbd>Shift</kbd> <kbd>Enter</kbd> is a new line
        </span>
        {text.length > 400 && <span class="chat-keys">about {tokensOfText(text).toLocaleString("en")} tokens</span>}
        {conversation.value !== null && conversation.value.turns.length > 0 && !isBusy && <Whole />}
      </p>
    </form>
  );
}

function Whole() {
  const save = () => {
    const { value } = conversation;
    if (!value) return;
    give(new Blob([markdownOf(value)], { type: "text/markdown" }), `${stemOf(value.repository)}-chat.md`);
  };
  return (
    <span class="chat-whole">
      <button type="button" class="text-button" onClick={save}>
        Save as Markdown
      </button>
      <button type="button" class="text-button" onClick={() => open(null)}>
        New conversation
      </button>
    </span>
  );
}
