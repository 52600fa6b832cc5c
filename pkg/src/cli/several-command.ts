/** `portolan search QUERY --repo …`: the same search in several repositories of this machine. */

import type { SearchRequest } from "../answers.js";
import type { CodeIndex } from "../code-index.js";
import { PortolanError } from "../errors.js";
import { requireOwnIndex } from "../node/own-index.js";
import { registered, type Registered } from "../node/registry.js";
import { searchSeveral, type Searchable, type SearchOfSeveral } from "../reading/several.js";
import type { Command } from "../commands/options.js";
import { onOneLine } from "../visible.js";
import { openIndex } from "./open-index.js";
import * as print from "./print.js";

/** Asks the repositories that `--repo` names, `*` for all; gives what goes to stdout. */
export async function searchRepositories(command: Command, request: SearchRequest): Promise<string> {
  const named = command.options.repo ?? [];
  const all = registered();
  const wanted = named.includes("*") ? all : named.map((name) => repositoryNamed(name, all));
  if (wanted.length === 0)
    throw new PortolanError(
      "repository.unknown",
      "no repository is indexed on this machine",
      "run `portolan index` in one",
    );
  const answer = await searchSeveral(
    wanted.map((repository) => searchable(repository, command)),
    request,
  );
  return command.options.json === true ? `${JSON.stringify(answer)}\n` : text(onOneLine(answer));
}

/** Opened when it is asked, and closed after: only one index at a time is in memory. */
function searchable({ name, index }: Registered, command: Command): Searchable {
  return {
    name,
    async search(request) {
      const opened: CodeIndex = await openIndex(requireOwnIndex(index), command);
      try {
        return await opened.search(request);
      } finally {
        opened.close();
      }
    },
  };
}

function repositoryNamed(name: string, all: readonly Registered[]): Registered {
  const found = all.filter((known) => known.name === name || known.root === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  const isAmbiguous = found.length > 1;
  throw new PortolanError(
    isAmbiguous ? "repository.ambiguous" : "repository.unknown",
    isAmbiguous ? `several repositories are named ${name}` : `no repository ${JSON.stringify(name)} is indexed`,
    isAmbiguous
      ? `give the folder: ${found.map(({ root }) => root).join(", ")}`
      : `there are: ${all.map((known) => known.name).join(", ") || "none"}`,
  );
}

function text({ hits, notes = [], failed = [] }: SearchOfSeveral): string {
  return [
    ...notes.map(({ repo, note }) => `${repo}: ${note}\n`),
    ...hits.map(({ repo, ...hit }) => print.hits({ hits: [{ ...hit, path: `${repo}/${hit.path}` }] } as never)),
    ...failed.map(({ repo, message }) => `${repo} failed: ${message}\n`),
  ].join("");
}
