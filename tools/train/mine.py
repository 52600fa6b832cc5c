"""Archives of packages → records of text and code: doc comments, comments inside of code, titles of tests, and pieces of files.

A record: `pkg`, `lang`, `path` (the last four parts), `kind` (doc, module, inline, test, file), `q` (the first sentence), `rest` (of the text),
`name` (of what is defined), `code`.
"""

import ast
import hashlib
import json
import random
import re
import tarfile
import zipfile
from multiprocessing import Pool
from pathlib import Path

import languages as of
from exclude import Excluded
from fetch import archive_of, packages
from licences import Licences, of_package

MAX_RECORDS = 2500
"""Of one package: the largest would drown the others."""
LARGE = {"mono": 25_000, "kotlin": 20_000, "scala": 20_000, "elixir-lang": 20_000, "ghc": 12_000, "openjdk-17": 12_000, "ruby3.1": 10_000, "symfony": 8_000, "golang-1.19": 8_000, "kubernetes": 5_000, "agda": 4_000}
"""Packages that are most of what there is in a language."""
MAX_BYTES = 40_000_000
"""Of sources read of one package; a limit in seconds would give other records each time."""
FILE_BYTES = range(200, 400_000)
BLOCK_CHARS, BLOCK_LINES, INLINE_LINES = 950, 60, 14
SENTENCE = re.compile(r"(?<=[a-z0-9)\]\"'])[.!?;](?:\s|$)|\.\s+(?=[A-Z])")
_excluded = Excluded()


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def cleaned(lines: list[str]) -> str:
    """A comment as running text, without markup, up to where it starts to list parameters."""
    kept = []
    for line in lines:
        if of.DOC_ENDS.match(line):
            break
        kept.append(line.strip())
    text = re.sub(r"^[@\\]brief\s+", "", " ".join(kept).strip())
    text = re.sub(r"\{@(?:link|code|linkplain|literal|value)\s+([^}]*)\}", lambda found: found[1].split("#")[-1].split(" ", 1)[-1], text)
    text = re.sub(r'<(?:see|paramref|typeparamref)\s+(?:cref|name|langword)="(?:\w:)?([^"]*)"\s*/?>', r"\1", text)
    text = re.sub(r":\w+(?::\w+)?:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>]{0,60}>|https?://\S+", " ", text)
    text = re.sub(r"\[([^\]]{1,80})\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r"[`*]|\\[cpaeb]\s|[@\\](?:internal|nodoc|hide|api|overload|inheritDoc|private)", "", text)
    return re.sub(r"\s+", " ", text).strip(" -=*#/|")


def is_question(text: str) -> bool:
    if not 10 <= len(text) <= 300 or len(text.split()) < 3 or of.NOISE.search(text):
        return False
    letters = sum(char.isalpha() or char == " " for char in text)
    return letters >= 0.82 * len(text) and sum(char.isascii() for char in text) >= 0.97 * len(text)


def name_in(code: str) -> str:
    for line in code.split("\n")[:5]:
        if of.ATTRIBUTE.match(line):
            continue
        if found := of.NAMED.search(line):
            return re.split(r"[.:]+", found[1].strip(".:"))[-1]
        if found := of.CALLED.search(line) or of.ASSIGNED.search(line):
            return found[1]
    return ""


def block(lines: list[str], start: int, inline: bool) -> str:
    """The code from a line on: to the end of the definition by its indentation, or a dozen lines of it."""
    out, size, base = [], 0, indent(lines[start])
    for at in range(start, min(len(lines), start + BLOCK_LINES)):
        line = lines[at]
        if not line.strip():
            following = lines[at + 1] if at + 1 < len(lines) else ""
            if (inline and out) or (following.strip() and indent(following) <= base and len(out) >= 2):
                break
            out.append("")
            continue
        depth, text = indent(line), line.strip()
        if depth < base and out:
            break
        at_margin = depth == base and len(out) > 1 and not inline
        if at_margin and text.startswith(("/**", "///", "//", "#", "--", "/*", "@doc")) and not text.startswith(("#if", "#e", "#d", "#i")):
            break
        out.append(line[base:])
        size += len(line) - base + 1
        if at_margin and text.startswith(("}", "end", "fi", "done", "];", ")")):
            break
        if size > BLOCK_CHARS or (inline and len(out) >= INLINE_LINES):
            break
    return "\n".join(out).rstrip()


def record(kind: str, comment: list[str], code: str, about: dict) -> list[dict]:
    text = cleaned(comment)
    end = next((found for found in SENTENCE.finditer(text) if found.start() > 8), None)
    question, rest = (text[: end.start()].strip(), text[end.end() :].strip()) if end else (text, "")
    if len(code) < 40 or not is_question(question):
        return []
    rest = "" if of.NOISE.search(rest) else rest[:500]
    return [{"kind": kind, "q": question, "rest": rest, "name": name_in(code), "code": code[:1100], **about}]


def comment_at(lines: list[str], at: int, language: str) -> tuple[list[str] | None, int, bool]:
    """The comment that begins on a line: its text, the line after it, and whether it is one for documentation."""

    def run(begins: str, marks: str) -> tuple[list[str], int]:
        end = at
        while end < len(lines) and lines[end].strip().startswith(begins):
            end += 1
        return [re.sub(marks, "", line) for line in lines[at:end]], end

    def until(closing: str, marks: str) -> tuple[list[str], int]:
        end = next((end for end in range(at, len(lines)) if closing in lines[end]), len(lines) - 1)
        return [re.sub(marks, "", line.split(closing)[0]) for line in lines[at : end + 1]], end + 1

    text = lines[at].strip()
    if language in of.SLASHES and text.startswith("/*"):
        return *until("*/", r"^\s*(?:/\*[*!]*|\*+(?!/))\s?"), text.startswith(("/**", "/*!"))
    if language in of.SLASHES and text.startswith("//"):
        return *run("//", r"^\s*//[/!]*\s?"), text.startswith(("///", "//!")) or language in ("go", "zig")
    if language in of.HASHES and text.startswith("#") and not text.startswith(("#!", "#[", "#{", "#if", "#end", "#def", "#inc")):
        return *run("#", r"^\s*#+:?\s?"), language in ("ruby", "bash")
    if language == "elixir" and re.match(r'@(?:module|type)?doc\s+(?:~[sS])?"""', text):
        end = next((end for end in range(at + 1, len(lines)) if lines[end].strip() == '"""'), len(lines))
        return lines[at + 1 : end], end + 1, True
    if language == "lua" and text.startswith("--[["):
        return *until("]]", r"^\s*--\[=*\["), True
    if language == "haskell" and text.startswith("{-") and not text.startswith("{-#"):
        return *until("-}", r"^\s*\{-\s*\|?"), True
    if language in of.DASHES and text.startswith("--"):
        return *run("--", r"^\s*-{2,}\s?[|^*]?\s?"), text.startswith(("---", "-- |", "-- ^")) or language == "lua"
    return None, at + 1, False


def commented(lines: list[str], at: int, end: int, comment: list[str], is_doc: bool, about: dict) -> list[dict]:
    """What a comment says of the code below it."""
    language, inside = about["lang"], indent(lines[at]) > 0
    start = end
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start == len(lines) or lines[start].strip() in ("}", "end", "{", ")"):
        return []
    if start - end > 1:
        at_top = at < 60 and not inside and not any(line.strip() for line in lines[:at])
        return record("module", comment, "\n".join(lines[start : start + 45])[:1000], about) if at_top else []
    past = start
    while past < min(len(lines), start + 6) and (of.ATTRIBUTE.match(lines[past]) or (language == "elixir" and lines[past].strip().startswith("@"))):
        past += 1
    declares = past < len(lines) and language != "python" and bool(of.DECLARATION.match(lines[past]))
    if declares or (is_doc and not inside and language in of.BARE_DOCS):
        code = block(lines, start, inline=False)
        return record("doc", comment, code, about) if code.count("\n") >= (1 if declares else 2) else []
    code = block(lines, start, inline=True)
    return record("inline", comment, code, about) if inside and code.count("\n") >= 2 else []


def mine_lines(text: str, about: dict) -> list[dict]:
    lines, found, at = text.split("\n"), [], 0
    title = of.TEST_TITLE.get(about["lang"])
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        comment, end, is_doc = comment_at(lines, at, about["lang"])
        if comment is not None:
            found += commented(lines, at, end, comment, is_doc, about)
        elif title and (test := title.match(lines[at])) and at + 2 < len(lines):
            found += record("test", [test[2]], block(lines, at, inline=False).partition("\n")[2], about)
        at = max(end, at + 1)
    return found


def mine_python(text: str, about: dict) -> list[dict]:
    """Docstrings by the parser, comments by lines."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return mine_lines(text, about)
    lines, found = text.split("\n"), []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)) or not (doc := ast.get_docstring(node)):
            continue
        first = node.body[0]
        if isinstance(node, ast.Module):
            code = "\n".join(lines[first.end_lineno : first.end_lineno + 60])
            code = re.sub(r"^(?:\s*(?:from|import)\s.*\n|\s*\n|\s*#.*\n)+", "", code)[:950]
            found += record("module", doc.split("\n"), code, about)
        elif len(node.body) > 1 or isinstance(node, ast.ClassDef):
            start = (node.decorator_list[0].lineno if node.decorator_list else node.lineno) - 1
            taken = lines[start : first.lineno - 1] + lines[first.end_lineno : node.end_lineno]
            base = indent(taken[0]) if taken else 0
            found += record("doc", doc.split("\n"), "\n".join(line[base:] for line in taken)[:1000], about)
    return found + [one for one in mine_lines(text, about) if one["kind"] == "inline"]


def is_written(text: str) -> bool:
    """Whether people wrote it: no long lines, and no word of a generator."""
    head = text[:1200].lower()
    generated = ("do not edit", "@generated", "automatically generated", "autogenerated", "auto-generated")
    return len(text) <= 110 * (text.count("\n") + 1) and not any(words in head for words in generated)


def language_of(path: str) -> str | None:
    folders, file = path.lower().split("/")[:-1], path.lower().rsplit("/", 1)[-1]
    if ".min." in file or file.endswith(of.NOT_WRITTEN) or any(folder in of.VENDORED for folder in folders) or _excluded.is_named(path):
        return None
    return of.LANGUAGE_OF.get(file.rsplit(".", 1)[-1]) if "." in file else None


def files_of(archive: Path, may_use: Licences):
    """Path, language and bytes of each source file in an archive that may be learnt from."""
    if archive.suffix in (".whl", ".zip", ".jar"):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                if entry.file_size in FILE_BYTES and (language := language_of(entry.filename)) and may_use.allows(entry.filename):
                    yield entry.filename, language, opened.read(entry)
    else:
        with tarfile.open(archive, "r|*") as opened:
            for entry in opened:
                if entry.isfile() and entry.size in FILE_BYTES and (language := language_of(entry.name)) and may_use.allows(entry.name):
                    yield entry.name, language, opened.extractfile(entry).read()


def piece(text: str, about: dict, rng: random.Random) -> list[dict]:
    """Some lines out of the middle of a file, to be found by its path."""
    lines = text.split("\n")
    if len(lines) <= 25 or rng.random() >= 0.6:
        return []
    start = rng.randrange(1, max(2, len(lines) - 20))
    code = "\n".join(lines[start : start + 30])[:900]
    return [] if of.NOISE.search(code[:300]) else [{"kind": "file", "q": "", "rest": "", "name": "", "code": code, **about}]


def mine_package(job: tuple[dict[str, str], Path]) -> tuple[str, list[dict]]:
    row, archive = job
    name = row["name"]
    package, rng, seen, found, n_bytes = f"{row['registry']}:{name}", random.Random(name), set(), [], 0
    most = LARGE.get(name, MAX_RECORDS)
    try:
        for path, language, raw in files_of(archive, of_package(row, archive)):
            digest = hashlib.md5(raw).digest()
            n_bytes += len(raw)
            if n_bytes > MAX_BYTES * (3 if name in LARGE else 1) or len(found) > 6 * most:
                break
            if digest in seen:
                continue
            seen.add(digest)
            text = raw.decode("utf8", "replace").replace("\r\n", "\n").replace("\t", "    ")
            if language == "c" and path.endswith(".h") and re.search(r"^\s*(?:class|namespace|template)\b", text, re.M):
                language = "cpp"
            if is_written(text):
                about = {"pkg": package, "lang": language, "path": "/".join([part for part in path.split("/") if part][-4:])}
                found += (mine_python if language == "python" else mine_lines)(text, about) + piece(text, about, rng)
    except (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
        print(f"{package}: {error}")
    inline = [one for one in found if one["kind"] == "inline"]
    others = [one for one in found if one["kind"] != "inline"]
    rng.shuffle(inline)
    rng.shuffle(others)
    others = others[:most]
    return package, others + inline[: max(50, min(len(others), most) // 2)]


def mine(cache: Path, out: Path, n_workers: int = 2) -> None:
    """Mines all archives that were fetched, and writes how many records each package gave."""
    jobs = [(package, archive) for package in packages() if (archive := archive_of(cache, package))]
    unfinished = out.with_suffix(".part")
    with Pool(n_workers) as pool, open(unfinished, "w") as records, open(out.with_suffix(".tsv"), "w") as counts:
        for package, found in pool.imap(mine_package, jobs):
            counts.write(f"{package}\t{len(found)}\n")
            records.writelines(json.dumps(one) + "\n" for one in found)
    unfinished.rename(out)
