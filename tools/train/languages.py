"""What the sources of each language look like, as far as mining needs it: endings, comments, declarations, titles of tests."""

import re

ENDINGS = {
    "python": "py", "javascript": "js mjs cjs jsx", "typescript": "ts tsx mts", "go": "go", "java": "java", "php": "php inc", "ruby": "rb",
    "rust": "rs", "scala": "scala", "csharp": "cs", "kotlin": "kt kts", "swift": "swift", "c": "c h", "cpp": "cpp cc hpp hh cxx hxx ipp",
    "elixir": "ex exs", "haskell": "hs", "lua": "lua", "zig": "zig", "bash": "sh bash zsh", "dart": "dart",
}
LANGUAGE_OF = {ending: language for language, endings in ENDINGS.items() for ending in endings.split()}

SLASHES = set("javascript typescript go java php rust scala csharp kotlin swift c cpp zig dart".split())
HASHES = set("python ruby bash elixir php".split())
DASHES = {"lua", "haskell"}
BARE_DOCS = set("haskell c cpp lua bash".split())
"""Where a comment at the margin documents what follows, whatever that begins with."""

VENDORED = set("vendor node_modules third_party thirdparty third-party 3rdparty externals extern submodules _vendor bundled contrib-deps godeps workspace".split())
NOT_WRITTEN = (".d.ts", ".d.mts", ".pb.go", "_pb2.py", "_pb.js")

NOISE = re.compile(
    r"copyright|licen[sc]e|spdx|all rights reserved|\bgenerated\b|do not edit|eslint|prettier|istanbul|@ts-|tslint|noqa|nolint|type: ?ignore|pylint"
    r"|clang-format|\bTODO\b|\bFIXME\b|\bXXX\b|vim:|-\*-|coding[:=]|@author|http-equiv|#region|sourceMapping|webpack|rubocop|shellcheck|c8 ignore"
    r"|v8 ignore|pragma",
    re.I,
)
"""Comments that say nothing of the code."""

_KEYWORDS = (
    r"pub\b|public|private|protected|internal|static|export|default|async|abstract|final|open|override|inline|virtual|extern|def\b|defp\b|defmacro"
    r"|defmodule|class\b|fn\b|func\b|function\b|fun\b|interface|struct\b|enum\b|trait\b|impl\b|type\b|typedef|module\b|object\b|record\b|data\b|newtype"
    r"|instance\b|local function|local \w+ *=|template|constexpr|const\b|let\b|var\b|val\b|protocol|extension|namespace|package|sub\b|void\b|int\b"
    r"|bool\b|char\b|size_t|unsigned|long\b|double|float|case\b"
)
DECLARATION = re.compile(
    rf"^\s*(?:@\w+|\[\w|#\[|{_KEYWORDS}|[\w.:]+\s*=\s*(?:async\s*)?(?:function|\()|[A-Za-z_]\w*\s*\(\)\s*\{{|[a-z]\w*'?\s*::)"
)
ATTRIBUTE = re.compile(r"^\s*(?:@\w[\w.]*(?:\(.*\))?|\[[A-Z][^\]]*\]|#!?\[.*\]|template\s*<.*>|@\w+.*)\s*$")
NAMED = re.compile(
    r"\b(?:def|defp|defmacro|defmodule|class|fn|func|function|fun|interface|struct|enum|trait|module|object|record|newtype|protocol|namespace|sub)\s+"
    r"(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_][\w.:]{1,60})"
)
CALLED = re.compile(r"([A-Za-z_]\w{2,60})\s*\(")
ASSIGNED = re.compile(r"([A-Za-z_]\w{2,60})\s*(?:=|::|:)")

_TEST_OF_JAVASCRIPT = re.compile(r"""^\s*(?:it|test|specify)(?:\.\w+)*\(\s*(["'`])(.{12,140}?)\1\s*,""")
TEST_TITLE = {
    "javascript": _TEST_OF_JAVASCRIPT,
    "typescript": _TEST_OF_JAVASCRIPT,
    "ruby": re.compile(r"""^\s*(?:it|test|should|specify|scenario)\s*\(?(["'])(.{12,140}?)\1\)?\s+do\b"""),
    "elixir": re.compile(r"""^\s*(?:test|it)\s+(")(.{12,140}?)"(?:, .*)?\s+do\b"""),
    "cpp": re.compile(r"""^\s*(?:TEST_CASE|SECTION|SCENARIO)\s*\(\s*(")(.{12,140}?)\""""),
    "lua": re.compile(r"""^\s*it\s*\(\s*(["'])(.{12,140}?)\1\s*,"""),
    "scala": re.compile(r"""^\s*(?:test|it should|property)\s*\(?(")(.{12,140}?)\""""),
    "go": re.compile(r"""^\s*(?:t|b)\.Run\((")(.{12,140}?)\""""),
    "kotlin": re.compile(r"""^\s*(?:@Test\s+)?fun\s+(`)(.{12,140}?)`\("""),
    "zig": re.compile(r"""^\s*test\s+(")(.{12,140}?)"\s*\{"""),
    "bash": re.compile(r"""^\s*(?:@test|test_expect_success)\s+(["'])(.{12,140}?)\1"""),
    "dart": re.compile(r"""^\s*test\(\s*(["'])(.{12,140}?)\1\s*,"""),
}

DOC_ENDS = re.compile(
    r"^\s*(?:[@\\](?:param|return|throws|see|since|example|type|typedef|private|public|api|internal|version|deprecated|template|ingroup|tparam|retval|arg"
    r"|exception|note|code|group|defgroup|name|fn|todo)|:param|:return|:rtype|:raises|Args:|Arguments:|Parameters|Params:|Returns?:|Raises:|Yields:"
    r"|Examples?\b|Usage:|Note:|Notes$|#\s*(?:Examples?|Errors|Panics|Safety|Arguments|Parameters|Returns)|##\s|>>>|```|\.\. |=====|-----|~~~~|<pre"
    r"|<example|<remarks|<param|<returns|<exception|\* @|Attributes:|iex>)",
    re.I,
)
"""Where a doc comment stops to say what the code does and lists parameters, examples, …"""
