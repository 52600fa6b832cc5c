//! Conversations about the repository that this browser keeps.

import { titleOf } from "portolan/chat";
import { Icon } from "../controls/Icon.tsx";
import { age, plural } from "../state/format.ts";
import type { Repository } from "../state/repository.ts";
import { conversation, earlier, forget, live, open } from "./session.ts";

export function Earlier({ repository }: { repository: Repository }) {
  const shown = earlier.value.filter((one) => one.repository === repository.name);
  return (
    <section class="card" aria-label="Earlier conversations">
      <h2>
        Conversations <span class="card-count">kept in this browser</span>
      </h2>
      {shown.length === 0 && <p>None yet.</p>}
      <ul class="rows">
        {shown.map((one) => (
          <li key={one.id} class="chat-earlier">
            <button
              type="button"
              class="chat-example"
              aria-current={conversation.value?.id === one.id}
              disabled={live.value !== null}
              onClick={() => open(one)}
            >
              <span>{titleOf(one)}</span>
              <small>
                {plural(one.turns.length, "question")} · {age(one.at, Date.now())}
              </small>
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Delete ${titleOf(one)}`}
              title="Delete"
              disabled={live.value !== null}
              onClick={() => void forget(one)}
            >
              <Icon name="trash" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
