//! Documents made from the graph: the kinds and the chapters at the left, the document with links into the code beside them.

import { type CodeIndex, Portolan } from "portolan";
import {
  type Block,
  generate,
  type GeneratedDocument,
  markdownOf,
  type Part,
  reparseWith,
  type Section,
  type Sentence,
} from "portolan/generate";
import { Icon } from "../controls/Icon.tsx";
import { give, stemOf } from "../state/download.ts";
import { plural } from "../state/format.ts";
import { hashOf, hashOfView, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { shownOf, useAnswer } from "../views/answer.ts";
import { CopyButton, Frame, Nothing, Waiting } from "../views/Frame.tsx";
import { diffLines, kindOf, kinds, placeOf } from "./kinds.ts";
import { ProseBar } from "./ProseBar.tsx";
import { proseOf } from "./prose.ts";
import "./generate.css";

export function Generate({ repository }: { repository: Repository }) {
  const kind = kindOf(link.value.args.kind);
  const answer = useAnswer(repository, kind.id, (index: CodeIndex, asked, signal) =>
    generate(index, asked, { signal, ...(asked === "refactor" ? { reparse: reparseWith(Portolan) } : {}) }),
  );
  const last = shownOf(answer);
  const outline = last?.kind === kind.id ? last : null;
  const shown = proseOf(repository, kind.id)?.document ?? outline;
  return (
    <Frame
      title="Documents"
      words="Written from the graph in this tab. Each sentence links to the code that it is about."
      busy={answer.state === "running"}
    >
      <div class="generate">
        <nav class="generate-outline" aria-label="Documents">
          <ul class="rows">
            {kinds.map(({ id, title, words }) => (
              <li key={id}>
                <a
                  href={hashOfView("generate", { kind: id })}
                  aria-current={id === kind.id ? "page" : undefined}
                  title={words}
                >
                  <strong>{title}</strong>
                  <span>{words}</span>
                </a>
              </li>
            ))}
          </ul>
          {shown && <Chapters sections={shown.sections} />}
        </nav>
        <div class="generate-page">
          <Waiting
            answer={answer.state === "running" && shown === null ? { state: "running", before: null } : answer}
            title="The document cannot be written"
            words="Reading the graph…"
          />
          {outline && outline.sections.length > 0 && <ProseBar repository={repository} kind={kind.id} />}
          {shown && answer.state !== "failed" && <Written document={shown} repository={repository} />}
        </div>
      </div>
    </Frame>
  );
}

function Chapters({ sections }: { sections: readonly Section[] }) {
  return (
    <ol class="generate-chapters" aria-label="Chapters">
      {sections.map(({ id, title, level }) => (
        <li key={id} class={level === 3 ? "generate-within" : undefined}>
          <button type="button" class="text-button" onClick={() => show(id)}>
            {title}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Brings a chapter into sight; the link stays the one of the document. */
function show(id: string): void {
  const heading = document.getElementById(`chapter-${id}`);
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

function Written({ document, repository: { name } }: { document: GeneratedDocument; repository: Repository }) {
  if (document.sections.length === 0)
    return (
      <Nothing title="Nothing to write">
        <p>
          {document.kind === "refactor"
            ? "Nothing was found that could be cleaned up without doubt."
            : "The index has no definitions to write about, or none with a comment."}
        </p>
      </Nothing>
    );
  const markdown = () => markdownOf(document);
  return (
    <article class="generate-document" aria-label={document.title}>
      <p class="generate-actions">
        <CopyButton label="Copy Markdown" said="Markdown copied" text={markdown} />
        <button
          type="button"
          class="button button-small"
          onClick={() => give(new Blob([markdown()], { type: "text/markdown" }), `${stemOf(name)}-${document.kind}.md`)}
        >
          <Icon name="download" size={13} /> Download
        </button>
        {document.n_dropped > 0 && (
          <span>{plural(document.n_dropped, "statement")} left out: the index does not confirm it</span>
        )}
      </p>
      <h2 class="generate-title">{document.title}</h2>
      {document.sections.map(({ id, title, level, blocks }) => (
        <section key={id} aria-labelledby={`chapter-${id}`}>
          {level === 2 ? (
            <h3 id={`chapter-${id}`} tabIndex={-1}>
              {title}
            </h3>
          ) : (
            <h4 id={`chapter-${id}`} tabIndex={-1}>
              {title}
            </h4>
          )}
          {blocks.map((block, at) => (
            <BlockOf key={at} block={block} />
          ))}
        </section>
      ))}
    </article>
  );
}

function BlockOf({ block }: { block: Block }) {
  switch (block.kind) {
    case "paragraph":
      return (
        <p>
          {block.sentences.map((sentence, at) => (
            <span key={at}>
              {at > 0 && " "}
              <SentenceOf sentence={sentence} />
            </span>
          ))}
        </p>
      );
    case "list": {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <SentenceOf sentence={item} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <TableOf block={block} />;
    case "quote":
      return (
        <blockquote>
          <p>{block.text}</p>
          <PartOf part={{ words: block.at.path, at: block.at }} />
        </blockquote>
      );
    case "diff":
      return <DiffOf text={block.text} checked={block.checked} path={block.path} />;
    case "note":
      return <p class="generate-note">{block.text}</p>;
  }
}

function TableOf({ block: { head, rows } }: { block: Extract<Block, { kind: "table" }> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys
    <section class="generate-table" tabIndex={0} aria-label={head.join(", ")}>
      <table>
        <thead>
          <tr>
            {head.map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>
                  <SentenceOf sentence={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DiffOf({ text, checked, path }: { text: string; checked: boolean; path: string }) {
  return (
    <figure class="generate-diff">
      <figcaption>
        {checked ? "The file still parses after this edit." : "Not checked by parsing."}
        <CopyButton label="Copy diff" said="Diff copied" text={() => text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys */}
      <section tabIndex={0} aria-label={`Diff of ${path}`}>
        <pre>
          {diffLines(text).map(({ sign, line }, at) => (
            <span key={at} class={`generate-line generate-${sign}`}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </section>
    </figure>
  );
}

function SentenceOf({ sentence }: { sentence: Sentence }) {
  return (
    <>
      {sentence.map((part, at) => (
        <PartOf key={at} part={part} />
      ))}
    </>
  );
}

function PartOf({ part }: { part: Part }) {
  if (typeof part === "string") return <span>{part}</span>;
  const text = "code" in part ? <code>{part.code}</code> : part.words;
  if (!part.at) return <code>{"code" in part ? part.code : ""}</code>;
  const { path, line } = part.at;
  return (
    <a href={hashOf({ ...placeOf(part.at), view: "", query: "", symbol: "" })} title={`${path}:${line}`}>
      {text}
    </a>
  );
}
