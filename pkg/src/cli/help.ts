/** The help texts. */

export const HELP = `portolan: search and read code by an index of it

  portolan index PATH [-o FILE]         index a folder or an archive (.zip, .tar.gz)
  portolan search QUERY                 where is the code for … : words, a question or an identifier
  portolan search --batch FILE --json   many queries: one {"query": …} a line in, one answer a line out
  portolan find SYMBOL                  definitions by name: add, Router.add, src/router.ts#add, src/router.ts:40
  portolan refs SYMBOL                  who uses it
  portolan callers SYMBOL [--depth N]   who calls it
  portolan callees SYMBOL [--depth N]   whom it calls
  portolan regex PATTERN                lines that match
  portolan outline FILE                 definitions of a file
  portolan edges                        every resolved edge of the code graph, one a line (JSON)
  portolan status                       what is in the index, and what was left out

Options of all questions
  -i, --index FILE    the index; without it, .portolan/index.portolan of this folder or one above
  -n, --limit N       at most so many results
      --json          one JSON value on stdout instead of text

Options of index
  -o, --output FILE   where to write; PATH/.portolan/index.portolan if absent
      --name NAME     name of the index; the folder's if absent
      --workers N     parsing threads; as many as there are cores, at most 8
      --no-embeddings words, names and graph only
  -q, --quiet         no progress

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
