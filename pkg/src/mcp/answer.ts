/** From a tool's arguments to its answer: the question that the index is asked, pages, sizes, and what files and git add. */

import type {
  AssembleResponse,
  CodeIntelligenceResponse,
  FileEntry,
  FileList,
  FindResponse,
  LocateRequest,
  LocateResponse,
  RegexResponse,
  RenameRequest,
  SearchRequest,
  SearchResponse,
  Status,
  StructuralRequest,
  Symbol as CodeSymbol,
} from "../answers.js";
import { PortolanError } from "../errors.js";
import { locateWithHistory } from "../reading/locate-history.js";
import { searchSeveral, type Searchable, type SearchOfAll } from "../reading/several.js";
import type { Arguments } from "./arguments.js";
import { withAround } from "./around.js";
import { cursorAt, offsetOf } from "./cursor.js";
import { withDefaults } from "./defaults.js";
import type { CallContext, McpHost, Repository } from "./host.js";
import { linesOf, shownFile, shownHit } from "./shown-code.js";
import { cutLists, evenLimit, fitting, listsOf, nextOffset, SHOWN, type Shown } from "./pages.js";

/** Maximum size of an answer in bytes, where the call says nothing: about 4,000 tokens. */
const MAX_BYTES = 16 * 1024;
/** The engine takes no smaller size. */
const MIN_BYTES = 256;
/** Tokens of the line that says how much did not fit. */
const NOTE_TOKENS = 16;
/** Tokens of a map where the call says nothing. */
const MAP_TOKENS = 1024;
const SEARCH_LIMIT = 10;
const STRUCTURAL_LIMIT = 30;
const REGEX_LIMIT = 50;

/** An answer as it goes out. */
export type Answer = Record<string, unknown>;

/** A call that has been read. */
export interface Call {
  readonly tool: string;
  readonly args: Arguments;
  readonly host: McpHost;
  readonly context: CallContext;
}

/** An answer, and the size in bytes that its text may have. */
export interface Answered {
  readonly answer: Answer;
  readonly max_bytes: number;
}

/** The answer to any tool; its lists take `share` of the size that it may have. Rejects with a `PortolanError`. */
export async function answerTo(call: Call, share = 1): Promise<Answered> {
  const { tool, args, host } = call;
  const whole = sizedBy(call, share);
  if (tool === "list_repos") return { ...whole, answer: { ...(await host.repositories()) } };
  if (tool === "search" && args.repo === "*") return { ...whole, answer: await searchAll(whole.call) };
  if (tool === "index") return { ...whole, answer: await indexed(call) };
  const repository = await host.open(args.repo as string | undefined);
  const sized = sizedBy({ ...call, args: withDefaults(tool, args, repository.defaults) }, share);
  const answer = await (RUN[tool] ?? plain)(repository, sized.call);
  const stale = await repository.staleness?.();
  const { leftOut } = repository;
  const revision = repository.revision?.();
  return {
    max_bytes: sized.max_bytes,
    answer: {
      repo: repository.name,
      ...answer,
      ...(revision !== undefined && { revision }),
      ...(repository.isBehind === true && { updating: true }),
      ...(stale && stale.n_files > 0 && { stale }),
      ...(leftOut !== undefined && { settings_left_out: leftOut }),
    },
  };
}

/** The call with the room that its lists have. The engine keeps a budget of tokens, however many bytes they are. */
function sizedBy(call: Call, share: number): { readonly call: SizedCall; readonly max_bytes: number } {
  const { max_tokens, max_bytes = MAX_BYTES } = call.args as { max_tokens?: number; max_bytes?: number };
  const limit = max_tokens === undefined ? max_bytes : Number.POSITIVE_INFINITY;
  return { call: { ...call, room: Math.max(1, Math.floor(max_bytes * share)) }, max_bytes: limit };
}

/** A call, and the size in bytes of JSON that the lists of its answer may have. */
interface SizedCall extends Call {
  readonly room: number;
}

type Run = (repository: Repository, call: SizedCall) => Promise<Answer>;

const RUN: Record<string, Run> = {
  search,
  query: paged("query", SHOWN.query as never),
  context: withHistory(paged("context", SHOWN.context as never), ({ symbol }) => symbol),
  impact: withHistory(paged("impact", SHOWN.impact as never), ({ target }) => target),
  detect_changes: detectChanges,
  rename,
  cypher: (repository, { args, room }) =>
    repository.ask("cypher", { ...requestOf(args), max_bytes: Math.max(MIN_BYTES, room) }) as Promise<Answer>,
  code_intelligence: codeIntelligence,
  repo_map: (repository, { args }) =>
    repository.ask("map", {
      ...requestOf(args),
      max_tokens: withoutNote(args.max_tokens ?? MAP_TOKENS),
    }) as Promise<Answer>,
  locate,
  read_code: readCode,
  structural_search: structural,
  regex,
  status,
  list_files: listFiles,
};

async function indexed({ args, host, context }: Call): Promise<Answer> {
  if (!host.index) throw new PortolanError("host.unsupported", "index: nothing can be indexed here");
  return { ...(await host.index(args.repo as string | undefined, context)) };
}

/** The files of a folder, or of everything, page by page. */
async function listFiles(repository: Repository, { tool, args, room }: SizedCall): Promise<Answer> {
  const { path = "", languages } = args as { path?: string; languages?: readonly string[] };
  const folder = path.replace(/^(\.\/)+|^\.$|\/+$/g, "");
  const isWanted = (file: FileEntry) =>
    (folder === "" || file.path === folder || file.path.startsWith(`${folder}/`)) &&
    (languages === undefined || languages.includes(file.language));
  const all = ((await repository.ask("files", {})) as FileList).files.filter(isWanted);
  const offset = offsetOf(tool, args);
  const files = fitting(all.slice(offset), room);
  const next = offset + files.length;
  return withCursor({ files, total: all.length }, tool, args, next < all.length && files.length > 0 ? next : undefined);
}

/** A budget of tokens without those of the line below the code. */
function withoutNote(max_tokens: unknown): number {
  return Math.max(1, (max_tokens as number) - NOTE_TOKENS);
}

/** Returns the arguments that go to the index; the size of an answer is said where the index cuts its lists itself. */
function requestOf(args: Arguments): Arguments {
  const { repo: _, cursor: __, apply: ___, force: ____, max_bytes: _____, ...request } = args;
  return request;
}

function plain(repository: Repository, { tool, args }: SizedCall): Promise<Answer> {
  return repository.ask(tool, requestOf(args)) as Promise<Answer>;
}

function locate(repository: Repository, { args }: SizedCall): Promise<Answer> {
  const request = requestOf(args) as unknown as LocateRequest;
  const asked = (request: LocateRequest) => repository.ask("locate", request) as Promise<LocateResponse>;
  const { changes } = repository;
  return (changes ? locateWithHistory(asked, changes, request) : asked(request)) as Promise<unknown> as Promise<Answer>;
}

/** A tool that pages by `offset`; how far it got is seen in its answer. */
function paged(tool: string, shown: (answer: Answer) => Shown[]): Run {
  return (repository, call) => page(repository, { ...call, tool }, requestOf(call.args), shown);
}

/** Adds the files that usually change together with the file of a symbol to the first page of an answer. */
function withHistory(run: Run, symbolOf: (answer: Answer) => unknown): Run {
  return async (repository, call) => {
    const answer = await run(repository, call);
    if (!repository.changes || offsetOf(call.tool, call.args) > 0) return answer;
    const { path } = symbolOf(answer) as { path: string };
    const changes_with = (await repository.changes.with(path)) ?? [];
    return { ...answer, ...(changes_with.length > 0 && { changes_with }) };
  };
}

async function page(
  repository: Repository,
  { tool, args, room }: SizedCall,
  asked: Arguments,
  shown: (answer: Answer) => Shown[],
): Promise<Answer> {
  const offset = offsetOf(tool, args);
  const request = { ...asked, max_bytes: Math.max(MIN_BYTES, room), offset };
  let answer = (await repository.ask(tool, request)) as Answer;
  const limit = evenLimit(shown(answer));
  if (limit !== undefined) answer = (await repository.ask(tool, { ...request, limit })) as Answer;
  return withCursor(answer, tool, args, nextOffset(offset, shown(answer)));
}

function withCursor(answer: Answer, tool: string, args: Arguments, next: number | undefined): Answer {
  return next === undefined ? answer : { ...answer, next_cursor: cursorAt(tool, args, next) };
}

async function search(repository: Repository, { tool, args, room }: SizedCall): Promise<Answer> {
  if (args.max_tokens !== undefined) return assembled(repository, args);
  const offset = offsetOf(tool, args);
  const answer = (await repository.ask("search", {
    limit: SEARCH_LIMIT,
    ...requestOf(args),
    offset,
  })) as SearchResponse;
  const known = offset === 0 ? await withAround(repository, answer.hits) : answer.hits;
  const shown = await Promise.all(known.map((hit) => shownHit(repository, hit)));
  const hits = fitting(shown, room);
  const next = offset + hits.length;
  return withCursor({ ...answer, hits }, tool, args, next < answer.total && hits.length > 0 ? next : undefined);
}

/** Whole pieces of code instead of their best lines, with their dependencies, as many as there is room for. */
async function assembled(repository: Repository, args: Arguments): Promise<Answer> {
  const { query, max_tokens, languages, paths, repo: _, ...others } = args;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new PortolanError(
      "request.invalid",
      `search: \`${other}\` cannot be combined with \`max_tokens\``,
      "with max_tokens, only query, languages, paths and repo are allowed",
    );
  const request = {
    query,
    max_tokens: withoutNote(max_tokens),
    ...(languages !== undefined && { languages }),
    ...(paths !== undefined && { paths }),
  };
  const { pieces, ...answer } = (await repository.ask("assemble", request)) as AssembleResponse;
  return { query, ...answer, hits: pieces };
}

/** Answers over all repositories by the arguments of their calls: one whose text is too long is made again, and nobody asks twice. */
const ofAll = new WeakMap<Arguments, Promise<SearchOfAll>>();

/** Every repository: all at once where the host can, else in turn. */
async function searchAll({ args, host, context, room }: SizedCall): Promise<Answer> {
  if (args.max_tokens !== undefined)
    throw new PortolanError(
      "request.invalid",
      "search: `max_tokens` needs one repository",
      "name it in repo, or search without max_tokens first",
    );
  if (args.cursor !== undefined)
    throw new PortolanError(
      "request.cursor",
      "search: no paging over all repositories",
      "raise limit, or name one repository",
    );
  const request = { limit: SEARCH_LIMIT, ...requestOf(args) } as unknown as SearchRequest;
  const asked = ofAll.get(args) ?? host.searchAll?.(request, context) ?? oneByOne(request, host, context);
  ofAll.set(args, asked);
  const answer = await asked;
  context.signal.throwIfAborted();
  return { ...answer, hits: fitting(answer.hits, room) };
}

async function oneByOne(request: SearchRequest, host: McpHost, context: CallContext): Promise<SearchOfAll> {
  const searchIn = (name: string, root: string | undefined): Searchable => ({
    name,
    async search(request) {
      const repository = await host.open(root ?? name);
      return repository.ask(
        "search",
        requestOf(withDefaults("search", request as never, repository.defaults)),
      ) as never;
    },
  });
  const { repositories, truncated } = await host.repositories();
  const answer = await searchSeveral(
    repositories.map(({ name, root }) => searchIn(name, root)),
    request,
    { signal: context.signal, onProgress: (done, total, name) => context.onProgress(done, total, name) },
  );
  return {
    ...answer,
    n_repositories: repositories.length,
    ...(truncated === true && { more_repositories: true }),
  };
}

async function detectChanges(repository: Repository, call: SizedCall): Promise<Answer> {
  const { staged, base, diff, ...rest } = call.args;
  if (diff !== undefined && (staged !== undefined || base !== undefined))
    throw new PortolanError("request.invalid", "detect_changes: give either diff, or staged or base");
  if (diff === undefined && !repository.diff)
    throw new PortolanError(
      "request.invalid",
      "detect_changes: `diff` is missing",
      "there is no work tree here: give a unified diff",
    );
  const given =
    diff ??
    (await repository.diff?.({
      ...(staged === true && { staged }),
      ...(base !== undefined && { base: String(base) }),
    }));
  // The cursor is of the question as it was asked, not of what git says now.
  return page(repository, call, { ...requestOf(rest), diff: given }, SHOWN.detect_changes as never);
}

async function rename(repository: Repository, call: SizedCall): Promise<Answer> {
  if (call.args.apply !== true) {
    const answer = await paged("rename", SHOWN.rename as never)(repository, call);
    return { ...answer, applied: false };
  }
  if (!repository.applyRename)
    throw new PortolanError(
      "host.unsupported",
      "rename: nothing can be written here",
      "apply the diff where the files are",
    );
  const { rename: answer, files } = await repository.applyRename(requestOf(call.args) as unknown as RenameRequest, {
    force: call.args.force === true,
  });
  const { changes, diff: _, ...rest } = answer as { changes: { path: string; edits: unknown[] }[]; diff?: string };
  return {
    ...rest,
    changes: changes.map(({ path, edits }) => ({ path, edits: fitting(edits, 500) })),
    files,
    applied: true,
  };
}

/** Lists are cut where they are too long, also those of an answer within the answer: this tool has no pages. */
async function codeIntelligence(repository: Repository, { args, room }: SizedCall): Promise<Answer> {
  const answer = (await repository.ask("code_intelligence", {
    limit: 30,
    ...requestOf(args),
  })) as CodeIntelligenceResponse as unknown as Answer;
  const { answer: cut, is_cut } = cutLists(answer, room / Math.max(1, listsOf(answer).length));
  return { ...cut, ...(is_cut && { truncated: true }) };
}

async function structural(repository: Repository, { tool, args, context, room }: SizedCall): Promise<Answer> {
  if (!repository.structural)
    throw new PortolanError(
      "host.unsupported",
      "structural_search: there is no parser here",
      "use `portolan mcp` on the machine that has the files",
    );
  const offset = offsetOf(tool, args);
  const limit = (args.limit as number | undefined) ?? STRUCTURAL_LIMIT;
  const answer = await repository.structural(
    { ...requestOf(args), limit: offset + limit } as StructuralRequest,
    context,
  );
  const matches = fitting(answer.matches.slice(offset), room);
  const next = offset + matches.length;
  const is_more = matches.length > 0 && (answer.truncated || next < answer.matches.length);
  return withCursor({ ...answer, matches }, tool, args, is_more ? next : undefined);
}

async function regex(repository: Repository, { tool, args, room }: SizedCall): Promise<Answer> {
  const offset = offsetOf(tool, args);
  const limit = (args.limit as number | undefined) ?? REGEX_LIMIT;
  const answer = (await repository.ask("regex", { ...requestOf(args), limit: offset + limit })) as RegexResponse;
  const matches = fitting(answer.matches.slice(offset), room);
  const next = offset + matches.length;
  const is_more = matches.length > 0 && (answer.truncated || next < answer.matches.length);
  return withCursor({ ...answer, matches }, tool, args, is_more ? next : undefined);
}

async function status(repository: Repository): Promise<Answer> {
  const answer = (await repository.ask("status", {})) as Status;
  const skipped = fitting(answer.skipped, 2000);
  const problems = fitting(answer.problems, 2000);
  return { ...answer, skipped, problems, n_skipped: answer.skipped.length, n_problems: answer.problems.length };
}

/** Lines of a file: those of a symbol, those asked for, or all, as many as fit. */
async function readCode(repository: Repository, { tool, args, room }: SizedCall): Promise<Answer> {
  const { symbol, path } = args as { symbol?: string; path?: string };
  if ((symbol === undefined) === (path === undefined))
    throw new PortolanError("request.invalid", "read_code: give either `symbol`, or `path` with lines");
  const found = symbol === undefined ? undefined : await definitionOf(repository, symbol);
  const name = found?.symbol.path ?? (path as string);
  const file = await shownFile(repository, name);
  const lines = linesOf(file.text);
  const range = found && file.moved(found.symbol);
  const first = range?.start_line ?? (args.start_line as number | undefined) ?? 1;
  const last = Math.min(lines.length, range?.end_line ?? (args.end_line as number | undefined) ?? lines.length);
  const start = Math.max(first, offsetOf(tool, args));
  if (start > last)
    throw new PortolanError(
      "request.invalid",
      start > lines.length
        ? `read_code: ${name} ends at line ${lines.length}, there is no line ${start}`
        : `read_code: end_line ${last} is before start_line ${start}`,
    );
  const shown = fitting(lines.slice(start - 1, last), room);
  const end = start + shown.length - 1;
  const answer = {
    path: name,
    language: file.language,
    ...(file.isChanged && { changed_since_indexed: true }),
    start_line: start,
    end_line: end,
    n_lines: lines.length,
    text: shown.join("\n"),
    ...(found && { symbol: found.symbol.qualified_name, ...(found.others.length > 0 && { others: found.others }) }),
  };
  return withCursor(answer, tool, args, end < last ? end + 1 : undefined);
}

async function definitionOf(
  repository: Repository,
  selector: string,
): Promise<{ symbol: CodeSymbol; others: string[] }> {
  const { symbols } = (await repository.ask("find", { symbol: selector, limit: 6 })) as FindResponse;
  const [symbol, ...others] = symbols;
  if (!symbol)
    throw new PortolanError(
      "symbol.not-found",
      `read_code: there is no symbol ${JSON.stringify(selector)}`,
      "look for it with search, or with code_intelligence, command find",
    );
  return { symbol, others: others.map((other) => `${other.path}:${other.line}`) };
}
