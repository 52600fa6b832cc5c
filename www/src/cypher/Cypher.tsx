//! The Cypher console: a query, the schema and examples beside it, the answer as a table or as a graph.

import { useEffect, useState } from "preact/hooks";
import type { CodeIndex, CypherResponse, CypherValue } from "portolan";
import { Icon } from "../controls/Icon.tsx";
import { Tabs } from "../controls/Tabs.tsx";
import { give, stemOf } from "../state/download.ts";
import { count, plural } from "../state/format.ts";
import { askView, hashOf, link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { CopyButton, Frame, More, Nothing, Waiting } from "../views/Frame.tsx";
import { Drawing } from "./Drawing.tsx";
import { examples, labels, properties, starter } from "./guide.ts";
import { csvOf, graphOf, isNode, isPath, isRelationship, jsonOf, textOf } from "./results.ts";
import "./cypher.css";

const firstRows = 200;
const mostRows = 10_000;

export function Cypher({ repository }: { repository: Repository }) {
  const asked = link.value.args.q ?? "";
  const [limit, setLimit] = useState(firstRows);
  useEffect(() => setLimit(firstRows), [asked]);
  const answer = useAnswer(
    repository,
    asked === "" ? null : { query: asked, limit, max_bytes: 16_000_000, timeout_ms: 20_000 },
    async (index: CodeIndex, question) => {
      const start = performance.now();
      return { response: await index.cypher(question), millis: performance.now() - start };
    },
  );
  const value = shownOf(answer);
  return (
    <Frame
      title="Cypher"
      words="Any question about the code graph, as a read-only openCypher query."
      busy={answer.state === "running"}
    >
      <div class="cypher">
        <div class="view-main">
          <Editor asked={asked} />
          <Waiting answer={answer} title="This query cannot be answered" words="Asking…" />
          {value && answer.state !== "failed" && (
            <Answered
              key={asked}
              name={repository.name}
              response={value.response}
              millis={value.millis}
              onMore={limit < mostRows ? () => setLimit(Math.min(mostRows, limit * 5)) : undefined}
            />
          )}
          {asked === "" && <Examples />}
        </div>
        <Schema repository={repository} />
      </div>
    </Frame>
  );
}

function Editor({ asked }: { asked: string }) {
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  const run = () => askView({ q: text.trim() });
  return (
    <div class="card cypher-editor">
      <label class="unseen" for="cypher-text">
        Query
      </label>
      <textarea
        id="cypher-text"
        rows={Math.min(14, Math.max(4, text.split("\n").length + 1))}
        value={text}
        spellcheck={false}
        autocomplete="off"
        placeholder="MATCH (f:Function)-[:CALLS]->(g {name: 'add'}) RETURN f, f.path"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        }}
      />
      <p>
        <button type="button" class="button button-main button-small" disabled={text.trim() === ""} onClick={run}>
          Run
        </button>
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        {asked !== "" && (
          <button type="button" class="text-button" onClick={() => askView({ q: "" })}>
            Examples
          </button>
        )}
      </p>
    </div>
  );
}

function Examples() {
  return (
    <section class="card" aria-label="Examples">
      <h2>Examples</h2>
      <ul class="rows">
        {examples.map(({ words, query }) => (
          <li key={words}>
            <button type="button" class="cypher-example" onClick={() => askView({ q: query })}>
              <strong>{words}</strong>
              <code>{query}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Schema({ repository: { status } }: { repository: Repository }) {
  return (
    <aside class="view-side" aria-label="Schema">
      <details class="card cypher-schema" open>
        <summary class="card-head">Relationships</summary>
        <ul>
          {status.edges.map(({ name, count: n }) => (
            <li key={name}>
              <button type="button" class="text-button" onClick={() => askView({ q: starter("type", name) })}>
                {name}
              </button>
              <span>{count(n)}</span>
            </li>
          ))}
        </ul>
      </details>
      <details class="card cypher-schema" open>
        <summary class="card-head">Labels</summary>
        <p class="cypher-labels">
          {labels.map((name) => (
            <button key={name} type="button" class="text-button" onClick={() => askView({ q: starter("label", name) })}>
              {name}
            </button>
          ))}
        </p>
      </details>
      <details class="card cypher-schema">
        <summary class="card-head">Properties</summary>
        <dl>
          {properties.map(([of, names]) => (
            <div key={of}>
              <dt>{of}</dt>
              <dd>{names}</dd>
            </div>
          ))}
        </dl>
      </details>
    </aside>
  );
}

function Answered({
  name,
  response: { columns, rows, truncated },
  millis,
  onMore,
}: {
  name: string;
  response: CypherResponse;
  millis: number;
  onMore: (() => void) | undefined;
}) {
  const [shown, setShown] = useState<"table" | "graph">("table");
  const graph = graphOf(rows);
  if (rows.length === 0)
    return (
      <Nothing title="No rows">
        <p>The query is right, and nothing in this repository matches it.</p>
      </Nothing>
    );
  const stem = `${stemOf(name)}-query`;
  return (
    <section class="cypher-answer" aria-label="Answer">
      <p class="cypher-facts" role="status">
        {plural(rows.length, "row")}
        {truncated ? " and more" : ""} · {millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms
        <span class="cypher-actions">
          <CopyButton label="Copy" said="Table copied" text={() => tabbed(columns, rows)} />
          <Save label="CSV" file={() => new Blob([csvOf(columns, rows)], { type: "text/csv" })} name={`${stem}.csv`} />
          <Save
            label="JSON"
            file={() => new Blob([jsonOf(columns, rows)], { type: "application/json" })}
            name={`${stem}.json`}
          />
        </span>
      </p>
      {graph.nodes.length === 0 ? (
        <Table columns={columns} rows={rows} />
      ) : (
        <Tabs<"table" | "graph">
          label="Answer as"
          value={shown}
          onChange={setShown}
          tabs={[
            { id: "table", label: "Table", count: rows.length },
            { id: "graph", label: "Graph", count: graph.nodes.length + graph.n_left },
          ]}
        >
          {shown === "table" ? <Table columns={columns} rows={rows} /> : <Drawing graph={graph} />}
        </Tabs>
      )}
      {truncated && onMore && <More shown={rows.length} total={Number.POSITIVE_INFINITY} onMore={onMore} />}
    </section>
  );
}

function Save({ label, name, file }: { label: string; name: string; file(): Blob }) {
  return (
    <button type="button" class="button button-small" onClick={() => give(file(), name)}>
      <Icon name="download" size={13} /> {label}
    </button>
  );
}

function tabbed(columns: readonly string[], rows: readonly (readonly CypherValue[])[]): string {
  const line = (cells: readonly string[]) => cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, " ")).join("\t");
  return [columns, ...rows.map((row) => row.map(textOf))].map(line).join("\n");
}

const rowsAtOnce = 300;

function Table({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly CypherValue[])[] }) {
  const [n, setN] = useState(rowsAtOnce);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys
    <section class="cypher-table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, n).map((row, at) => (
            <tr key={at}>
              {row.map((value, column) => (
                <td key={column} class={typeof value === "number" ? "cypher-number" : undefined}>
                  <Value value={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More shown={Math.min(n, rows.length)} total={rows.length} onMore={() => setN(n + 1000)} />
    </section>
  );
}

const longestText = 300;

function Value({ value }: { value: CypherValue }) {
  if (value === undefined || value === null) return <span class="cypher-null">null</span>;
  if (isNode(value)) {
    const { path, line, label, id } = value;
    const text = textOf(value) || `${label} ${id}`;
    if (path === undefined || label === "Folder") return <>{text}</>;
    return (
      <a
        href={hashOf({ path, lines: line === undefined ? null : { from: line, to: line } })}
        title={`${label} in ${path}`}
      >
        {text}
      </a>
    );
  }
  if (isPath(value))
    return (
      <>
        {value.nodes.map((node, at) => (
          <span key={at}>
            {at > 0 && <span class="cypher-arrow"> → </span>}
            <Value value={node} />
          </span>
        ))}
      </>
    );
  if (isRelationship(value)) return <span class="tag">{value.type}</span>;
  if (typeof value === "number")
    return <>{Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))}</>;
  const text = textOf(value);
  return <>{text.length > longestText ? `${text.slice(0, longestText)}…` : text}</>;
}
