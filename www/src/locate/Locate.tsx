//! From an issue to the code: a text is pasted, and the files and functions that it is about are shown with reasons.

import { useEffect, useRef, useState } from "preact/hooks";
import { git } from "../state/history.ts";
import type { Repository } from "../state/repository.ts";
import { Frame } from "../views/Frame.tsx";
import { Paste } from "./Paste.tsx";
import { pasted } from "../state/pasted.ts";
import { Places } from "./Places.tsx";
import "./locate.css";

export function Locate({ repository }: { repository: Repository }) {
  const now = pasted.value;
  // The text that is being changed: another one, from palette or search box, is shown at once.
  const [changing, setChanging] = useState(0);
  const hasHistory = git.value.state === "ready";
  return (
    <Frame
      title="Locate"
      words="The files and functions that an issue, an error message or a stack trace is about. The text stays in this tab."
    >
      {now && changing !== now.turn ? (
        <>
          <Given key={now.turn} text={now.text} onChange={() => setChanging(now.turn)} />
          <Places key={`${now.turn} ${hasHistory}`} repository={repository} text={now.text} withHistory={hasHistory} />
        </>
      ) : (
        <Paste text={now?.text ?? ""} />
      )}
    </Frame>
  );
}

/** The text in one line. It takes the focus, which was in the field that is gone. */
function Given({ text, onChange }: { text: string; onChange(): void }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => line.current?.focus(), []);
  return (
    <p class="locate-given" ref={line} tabIndex={-1}>
      <span title={text.slice(0, 500)}>{firstLine(text)}</span>
      <button type="button" class="text-button" onClick={onChange}>
        Change the text
      </button>
    </p>
  );
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}
