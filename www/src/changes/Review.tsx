//! The effects of a diff: files with their hunks, the definitions that each touches, their risk, and who depends on them.

import type { CodeIndex, DetectChangesResponse } from "portolan";
import { Kind } from "../controls/Kind.tsx";
import { count, plural } from "../state/format.ts";
import { hashOfView } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { useAnswer, shownOf } from "../views/answer.ts";
import { CopyButton, Failed, Waiting } from "../views/Frame.tsx";
import { PlaceLink } from "../views/Rows.tsx";
import { testFiles } from "../impact/impact.ts";
import { RiskCard } from "../impact/RiskCard.tsx";
import { type FileDiff, filesOf } from "./diffs.ts";
import { FileCard } from "./FileCard.tsx";
import type { Given } from "./given.ts";

interface Effects {
  readonly changes: DetectChangesResponse;
  readonly tests: DetectChangesResponse;
}

async function effects(index: CodeIndex, diff: string): Promise<Effects> {
  const request = { diff, limit: 2000, max_bytes: 8_000_000 } as const;
  const [changes, tests] = await Promise.all([
    index.detectChanges({ ...request, tests: "exclude" }),
    index.detectChanges({ ...request, depth: 4, tests: "only" }),
  ]);
  return { changes, tests };
}

export function Review({ repository, given }: { repository: Repository; given: Given }) {
  const answer = useAnswer(repository, given.diff, effects);
  const read = readDiff(given.diff);
  if ("failure" in read) return <Failed title="This cannot be read" failure={read.failure} />;
  const found = shownOf(answer);
  return (
    <>
      <Waiting answer={answer} title="The effects cannot be told" words="Following the changes…" />
      <div class="view-columns">
        <div class="view-main">
          {read.files.map((file) => (
            <FileCard
              key={`${file.oldPath} ${file.path}`}
              repository={repository}
              file={file}
              changed={found?.changes.changed_files.find(({ path }) => path === file.path || path === file.oldPath)}
            />
          ))}
        </div>
        {found && answer.state !== "failed" && <Side found={found} />}
      </div>
    </>
  );
}

type Read = { readonly files: readonly FileDiff[] } | { readonly failure: Parameters<typeof Failed>[0]["failure"] };

function readDiff(diff: string): Read {
  try {
    return { files: filesOf(diff) };
  } catch (error) {
    const { message, help = "", code = "" } = error as { message: string; help?: string; code?: string };
    return { failure: { state: "failed", message, help, code } };
  }
}

function Side({ found: { changes, tests } }: { found: Effects }) {
  const { summary, risk, changed_symbols: symbols, affected_processes: flows } = changes;
  const files = testFiles(tests.dependants);
  return (
    <div class="view-side">
      <RiskCard risk={risk}>
        {plural(summary.n_files, "file")} and {plural(summary.n_symbols, "definition")} changed,{" "}
        {plural(summary.n_dependants, "dependant")}
      </RiskCard>
      {symbols.length > 0 && (
        <section class="card" aria-label="Changed definitions">
          <h2>
            Changed <span class="card-count">{count(changes.symbols_page.total)}</span>
          </h2>
          <ul class="rows">
            {symbols.slice(0, 20).map(({ symbol, change_type: how }) => (
              <li key={`${symbol.id} ${symbol.path} ${symbol.qualified_name}`} class="row">
                <Kind kind={symbol.kind} />
                <a class="row-name" href={hashOfView("impact", { of: `${symbol.path}#${symbol.qualified_name}` })}>
                  {symbol.qualified_name}
                </a>
                <span class="row-end changes-how">{how}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="card" aria-label="Tests to run">
        <h2>
          Tests to run <span class="card-count">{count(files.length)}</span>
        </h2>
        {files.length === 0 ? (
          <p>No test reaches the changed definitions.</p>
        ) : (
          <>
            <ul class="rows">
              {files.slice(0, 12).map(({ path, line }) => (
                <li key={path} class="row">
                  <PlaceLink path={path} line={line} />
                </li>
              ))}
            </ul>
            <p class="impact-actions">
              <CopyButton
                label="Copy the paths"
                said="Paths of the tests copied"
                text={() => files.map(({ path }) => path).join("\n")}
              />
            </p>
          </>
        )}
      </section>
      {flows.length > 0 && (
        <section class="card" aria-label="Flows">
          <h2>
            Flows <span class="card-count">{count(changes.processes_page.total)}</span>
          </h2>
          <ul class="rows">
            {flows.slice(0, 10).map(({ process: { id, label }, changed_steps: steps }) => (
              <li key={id} class="row">
                <a class="row-name" href={hashOfView("flows", { flow: label })} title={label}>
                  {label}
                </a>
                <span class="row-end">{plural(steps.length, "step")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
