/** The help texts. */

export const HELP = `portolan: search and read code by an index of it

  portolan index [PATH] [-o FILE]       index this repository, a folder or an archive (.zip, .tar.gz)
  portolan search QUERY                 where is the code for … : words, a question or an identifier
  portolan search --batch FILE --json   many queries: one {"query": …} a line in, one answer a line out
  portolan find SYMBOL                  definitions by name: add, Router.add, src/router.ts#add, src/router.ts:40
  portolan refs SYMBOL                  who uses it
  portolan callers SYMBOL [--depth N]   who calls it
  portolan callees SYMBOL [--depth N]   whom it calls
  portolan traverse SYMBOL              what is within reach, step by step; also of a file, folder or package
  portolan paths FROM TO                ways from one to the other, the shortest first
  portolan cycles [SYMBOL]              what goes in circles: calls, or with --edge IMPORTS --node file imports
  portolan subgraph SYMBOL              what is around it, and the edges among that
  portolan processes [SYMBOL]           execution flows, all or those through a symbol
  portolan process PROCESS              one of them, by label or number, step by step
  portolan communities                  functional areas, the largest first
  portolan community COMMUNITY          one of them, by label or number, with its members
  portolan code-intelligence COMMAND SYMBOL
                                        find, refs, callers, callees, similar, graph or query under one name
  portolan context SYMBOL               everything about it: relations both ways, members, execution flows
  portolan impact SYMBOL                what breaks if it changes, by depth, with a risk level
  portolan changes [--staged|--base REF|--diff FILE]
                                        what your change means: symbols, flows, dependants, risk
  portolan rename SYMBOL NAME [--apply] another name for it, everywhere: a diff, or written into the files
  portolan query QUERY                  execution flows that have to do with …, and definitions outside of them
  portolan trace FROM TO                how one leads to the other, through nested functions and callbacks too
  portolan ask TOOL JSON                any tool by its name, as over HTTP; - reads the request from stdin
  portolan regex PATTERN                lines that match
  portolan structural PATTERN           code of this form: foo($A), $$$ARGS for any number of pieces
  portolan map [--tokens N]             the repository on one page: files and their definitions
  portolan outline FILE                 definitions of a file
  portolan chunks FILE                  the pieces it was cut into, and what is in each
  portolan cypher QUERY                 a table from the graph, by a read-only Cypher query
  portolan export --format F [SYMBOL]   the graph, or what is around a symbol, for other tools
  portolan edges                        every resolved edge of the code graph, one a line (JSON)
  portolan status                       what is in the index, and what was left out

Options of all questions
  -i, --index FILE    the index; without it, .portolan/index.portolan of this folder or one above
  -n, --limit N       at most so many results
      --json          one JSON value on stdout instead of text

Options of index
  -o, --output FILE   where to write; .portolan/index.portolan of the repository or of PATH if absent
      --name NAME     name of the index; the folder's if absent
      --workers N     parsing threads; as many as there are cores, at most 8
      --no-embeddings words, names and graph only
      --chunk-target N, --chunk-max N, --chunk-min N
                      sizes of the pieces that are searched, in characters without white space: 600, 1200, 100
      --scip FILE     what a compiler says of the files: a SCIP index (.scip, .scip.gz); may be repeated
      --grammar FILE --queries DIR --extensions x,y
                      a language of your own: tree-sitter-NAME.wasm, a folder with symbols.scm (or tags.scm),
                      references.scm, highlights.scm, the endings of its files; may be repeated
  -q, --quiet         no progress

Options of traverse, paths, cycles, subgraph
      --direction D   out (to what is used), in (to what uses it), both
      --edge KIND     follow only CALLS, IMPORTS, …; * for all; may be repeated
      --node KIND     enter only file, function, class, …; may be repeated
      --depth N       at most so many steps
      --min-confidence C   only edges as sure as this, 0 to 1
      --order O       breadth or depth first (traverse)

Options of cypher
      --param NAME=VALUE   a value for $NAME: JSON, or else text; may be repeated
      --timeout MS         give up after so many milliseconds; 5000 if absent

Options of export
      --format F      graphml (NetworkX, Gephi), json (nodes and links), csv (two tables), dot (Graphviz), mermaid
  -o, --output PATH   a file, for csv a folder; without it, one file goes to stdout
      --path GLOB     only what stands in these files; may be repeated
      --direction, --edge, --node, --depth, --min-confidence, as for subgraph

Options of processes
      --entry KIND    only those that begin with main, route, handler, exported, uncalled, test; may be repeated

Options of context, impact, changes, rename, query, trace
      --offset N           leave out so many results first
      --max-bytes N        lists end where the answer would be longer; 32768 without --json, too
      --min-confidence C   leave out relations less sure than this, 0 to 1
      --depth N            steps (impact, changes, trace)
      --direction D        upstream or downstream (impact)
      --tests T            include, exclude, only (impact, changes)
      --edge KIND          follow only CALLS, REFERENCES, … (impact, trace); may be repeated
      --text T             words alike: off, review, apply (rename)
      --apply              write the files, if none changed since it was indexed (rename)

Options of regex, structural, map
      --language L    only this language; may be repeated
      --path GLOB     only these paths, !GLOB excludes; may be repeated
      --ignore-case, --word, --context N      upper case as lower, whole words, lines around (regex)
      --max-millis N  what was found by then is the answer (regex, structural)
      --tree-query    PATTERN is a tree-sitter query (structural)
      --where X       NAME=EXPRESSION, NAME!=EXPRESSION or NAME:KIND for a metavariable; may be repeated (structural)
      --strictness S  cst, smart, ast, relaxed, signature (structural)
      --tokens N      size of the map; 1024 if absent
      --order O       symbols or centrality first (map)
      --grammar FILE --queries DIR --extensions x,y      as for index (structural)

Options of search
      --mode MODE     auto, lexical, vector, hybrid
      --language L    only this language; may be repeated
      --path GLOB     only these paths, !GLOB excludes; may be repeated
      --kind KIND     only code that defines such a symbol (function, class, …)
      --explain       where each score comes from (with --json)

Exit codes: 0 answered (also with nothing found), 1 failed, 2 wrong command line.
Only the answer goes to stdout. Progress goes to stderr, and only if that is a terminal.
`;

/** The lines of the help that speak of a command; all of it where none do. */
export function helpOf(command: string): string {
  const about = HELP.split("\n").filter((line) => line.startsWith(`  portolan ${command}`));
  return about.length > 0 ? `${about.join("\n")}\n\n${HELP.slice(HELP.indexOf("Options of all"))}` : HELP;
}
