//! The view of changes: a diff that is pasted, dropped or made of two versions, and its effects.

import { useRef, useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { git } from "../state/history.ts";
import { askView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { CopyButton, Frame, Nothing } from "../views/Frame.tsx";
import { Compare } from "./Compare.tsx";
import { given, showDiff } from "./given.ts";
import { FromLink, RefsCard, refsOf } from "./Refs.tsx";
import { Review } from "./Review.tsx";
import "../impact/impact.css";
import "../write/write.css";
import "./review.css";

export function ChangesView({ repository }: { repository: Repository }) {
  const asked = refsOf(link.value.args);
  // A diff that was pasted answers no link, nor one link another.
  const now = given.value?.of === (asked ? JSON.stringify(asked) : "") ? given.value : null;
  const another = () => {
    given.value = null;
    askView({ from: "", to: "", commit: "", how: "" });
  };
  return (
    <Frame title="Changes" words="What a diff touches, how risky each piece is, and the tests to run.">
      {now ? (
        <>
          <p class="changes-given">
            {now.name === "" ? "A pasted diff" : now.name}
            <button type="button" class="text-button" onClick={another}>
              Another one
            </button>
          </p>
          {now.diff === "" ? (
            <Nothing title="Both sides are the same">
              <p>Every indexed file has the same text in both.</p>
            </Nothing>
          ) : (
            <Review key={now.turn} repository={repository} given={now} />
          )}
        </>
      ) : asked ? (
        <FromLink asked={asked} />
      ) : (
        <Ways repository={repository} />
      )}
    </Frame>
  );
}

const command = "git diff main...HEAD";

function Ways({ repository }: { repository: Repository }) {
  const [text, setText] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const onFile = async (input: HTMLInputElement) => {
    const [chosen] = input.files ?? [];
    input.value = "";
    if (chosen) showDiff(chosen.name, await chosen.text());
  };
  const hasGit = git.value.state !== "none" && git.value.state !== "failed";
  return (
    <>
      <RefsCard />
      <div class="card changes-paste">
        <label class="unseen" for="changes-text">
          Diff
        </label>
        <textarea
          id="changes-text"
          rows={10}
          value={text}
          spellcheck={false}
          placeholder={"diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@"}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p>
          <button
            type="button"
            class="button button-main button-small"
            disabled={text.trim() === ""}
            onClick={() => showDiff("", text)}
          >
            Show its effects
          </button>
          <button type="button" class="button button-small" onClick={() => file.current?.click()}>
            <Icon name="file" size={13} /> Choose a .diff or .patch
          </button>
          <input
            ref={file}
            class="ingest-input"
            type="file"
            name="diff"
            accept=".diff,.patch,.txt"
            tabIndex={-1}
            aria-label="Diff file"
            onChange={(event) => void onFile(event.currentTarget)}
          />
        </p>
      </div>
      <p class="view-hint changes-git">
        {!hasGit && (
          <>
            Of two branches or commits: <code>{command}</code>
            <CopyButton label="Copy" said="Command copied" text={() => command} />
          </>
        )}
        {hasGit ? "You can also drop" : "Or drop"} the file anywhere on this page.
      </p>
      <Compare repository={repository} />
    </>
  );
}
