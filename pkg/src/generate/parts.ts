/** Product code, tests, and what is beside both, by the path of a file. */

export type PartOfRepository = "product" | "tests" | "examples";

const TEST_FOLDER =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|testing|testdata|test[-_]?utils|test[-_]?helpers?|e2e|fixtures?)\/|(^|\/)[\w.-]*[.-](tests?|testing)\//i;
const TEST_FILE =
  /(^|\/)(test_[^/]*|[^/]*[._-](test|tests|spec|e2e|bench)\.[^/]+|[^/]*_test\.[^/]+|conftest\.py|[^/]*(Test|Tests|Spec|IT)\.(java|kt|cs|scala|swift|php))$/;
const EXAMPLE_FOLDER =
  /(^|\/)(_?examples?|samples?|demos?|[\w.-]*benchmarks?[\w.-]*|benches|perf|metrics|scripts?|tools?|contrib|docs?|docs_src|documentation|vendor|third_party|\.[a-z][\w-]*)\//i;
const DOCUMENT = /\.(md|mdx|rst|adoc|rdoc|txt|ipynb|html|css|ya?ml|toml|json|lock|xml|svg|csv)$/i;
/** Languages by which files are read that are no program. */
const NO_PROGRAM = new Set(["text", "markdown", "html", "css", "yaml", "toml", "json", "xml"]);

/** The part of a repository that a file belongs to. */
export function partOf(path: string): PartOfRepository {
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path)) return "tests";
  return EXAMPLE_FOLDER.test(path) || DOCUMENT.test(path) ? "examples" : "product";
}

/** Source files of the product. */
export function sourcesOf<F extends { readonly path: string; readonly language: string }>(files: readonly F[]): F[] {
  return files.filter(({ path, language }) => partOf(path) === "product" && !NO_PROGRAM.has(language));
}

const NODE =
  "assert async_hooks buffer child_process cluster console crypto dgram dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder timers tls tty url util v8 vm worker_threads zlib";
const PYTHON =
  "__future__ abc argparse array ast asyncio base64 bisect builtins calendar codecs collections colorsys concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fnmatch functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io itertools json keyword locale logging math mimetypes multiprocessing numbers operator os pathlib pickle platform pprint queue random re secrets select shlex shutil signal site socket ssl stat statistics string struct subprocess sys tempfile termios textwrap threading time tokenize traceback tty types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib msvcrt ntpath posixpath";
const RUBY =
  "set uri time date json erb cgi fileutils stringio tempfile zlib digest openssl socket logger monitor optparse forwardable delegate securerandom yaml strscan tsort weakref rbconfig pp etc";
const STANDARD: Record<string, (name: string) => boolean> = {
  javascript: among(NODE),
  typescript: among(NODE),
  tsx: among(NODE),
  python: among(PYTHON),
  ruby: among(RUBY),
  rust: among("std core alloc proc_macro"),
  go: (name) => !(name.split("/")[0] ?? "").includes("."),
  java: (name) => /^(javax?|jdk|sun)\b/.test(name),
  kotlin: (name) => /^(javax?|kotlin)\b/.test(name),
  csharp: (name) => /^System\b/.test(name),
  c: (name) => !name.includes("/") || /^(sys|net|netinet|arpa)\//.test(name),
  cpp: (name) => !name.includes("/") || /^(sys|net|netinet|arpa)\//.test(name),
};

function among(names: string): (name: string) => boolean {
  const known = new Set(names.split(" "));
  return (name) => known.has((name.replace(/^node:/, "").split(/[./]/)[0] ?? "").trim());
}

/** Whether a language brings this package along. */
export function isStandard(name: string, language: string): boolean {
  return STANDARD[language]?.(name) ?? false;
}
