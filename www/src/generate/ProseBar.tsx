//! The offer to have a language model write a document, what would be sent to it, and how far it is.

import type { DocumentKind } from "portolan/generate";
import { Review } from "../chat/Review.tsx";
import { chatSettings } from "../chat/settings.ts";
import { hashOfView } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { Failed } from "../views/Frame.tsx";
import { drop, proseOf, write } from "./prose.ts";

export function ProseBar({ repository, kind }: { repository: Repository; kind: DocumentKind }) {
  const { models } = chatSettings.value;
  const [first] = models;
  const now = proseOf(repository, kind);
  if (!first)
    return (
      <p class="generate-prose">
        Written without a language model. <a href={hashOfView("chat")}>Choose one</a> to have its chapters put into
        prose.
      </p>
    );
  const name = first.model === "" ? first.provider : `${first.provider}:${first.model}`;
  const begin = (words: string) => (
    <button type="button" class="button button-small" onClick={() => void write(repository, kind)}>
      {words}
    </button>
  );
  if (!now) return <p class="generate-prose">{begin(`Have ${name} write it`)}</p>;
  if (now.waiting) return <Review waiting={now.waiting} />;
  if (now.failure)
    return (
      <>
        <Failed title={`${name} could not write it`} failure={{ state: "failed", ...now.failure }} />
        <p class="generate-prose">{begin("Try again")}</p>
      </>
    );
  return (
    <p class="generate-prose" role="status">
      {now.document
        ? `Written by ${name}: its sentences were kept where they link to what the chapter cites.`
        : now.note}{" "}
      <button type="button" class="button button-small" onClick={drop}>
        {now.document ? "Show the outline" : "Stop"}
      </button>
    </p>
  );
}
