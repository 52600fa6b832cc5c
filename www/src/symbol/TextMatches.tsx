//! Where nothing was resolved: the same name in the text, labelled as no more than that.

import { useEffect, useState } from "preact/hooks";
import type { Symbol as Definition } from "portolan";
import { plural, splitPath } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import { repository } from "../state/repository.ts";
import { type TextMatch, type TextMatches as Found, textCalls, textUses } from "../state/text-matches.ts";

interface Props {
  definitions: readonly Definition[];
  /** `uses` looks for the name, `calls` for calls within the definition. */
  what: "uses" | "calls";
}

export function TextMatches({ definitions, what }: Props) {
  const [found, setFound] = useState<Found | string | null>(null);
  const index = repository.value?.index;
  const [first] = definitions;
  useEffect(() => {
    if (!index || !first) return;
    let gone = false;
    setFound(null);
    (what === "uses" ? textUses(index, definitions) : textCalls(index, first)).then(
      (matches) => gone || setFound(matches),
      (error: unknown) => gone || setFound(wordsOf(error).message),
    );
    return () => {
      gone = true;
    };
  }, [index, first?.path, first?.line, what]);
  if (found === null) return null;
  if (typeof found === "string") return <p class="empty">{found}</p>;
  if (found.items.length === 0) return null;
  return (
    <div class="text-matches">
      <p class="text-matches-head">
        <strong>
          {plural(found.items.length, "text match", "text matches")}
          {found.more && " and more"}
        </strong>{" "}
        {what === "uses"
          ? "of the same name, not resolved: they may mean something else."
          : "that look like calls, not resolved."}
      </p>
      {found.items.map((match) => (
        <Row key={`${match.path}:${match.line}:${match.name}`} match={match} what={what} />
      ))}
    </div>
  );
}

function Row({ match: { path, line, text, name }, what }: { match: TextMatch; what: Props["what"] }) {
  const [, file] = splitPath(path);
  return (
    <a
      class="use text-match"
      href={hashOf({ path, lines: { from: line, to: line } })}
      title={`${path}:${line}\ntext match`}
    >
      <span class="use-line">{line}</span>
      <code>{what === "calls" ? name : text}</code>
      <span class="symbol-dim">{what === "calls" ? "text" : file}</span>
    </a>
  );
}
