"""References of C and C++ files to functions, types and variables of the same repository, as libclang resolves them.

usage: clang_calls.py ROOT FILE... -- FLAGS

A name counts where it is written: what only a macro's body says is left out. Definitions are looked for over all files that were
read, so that a function declared in a header is found where it has its body.
"""

import json
import subprocess
import sys
from ctypes import POINTER, Structure, byref, c_uint
from pathlib import Path

from clang.cindex import CursorKind as K, Index, SourceLocation, SourceRange, TranslationUnit, TranslationUnitLoadError, c_object_p, conf, File

FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.FUNCTION_TEMPLATE, K.CONVERSION_FUNCTION}
TYPES = {K.STRUCT_DECL, K.CLASS_DECL, K.UNION_DECL, K.ENUM_DECL, K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.CLASS_TEMPLATE}
MACROS = {K.MACRO_DEFINITION}
VALUES = {K.VAR_DECL, K.FIELD_DECL, K.ENUM_CONSTANT_DECL}
REFERENCES = {K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.TYPE_REF, K.OVERLOADED_DECL_REF, K.TEMPLATE_REF, K.MEMBER_REF, K.MACRO_INSTANTIATION}


class Repository:
    def __init__(self, root):
        self.root = root
        self.texts = {}
        self.paths = {}
        self.definitions = {}
        self.seen = set()
        self.facts = []
        # Lines that no translation unit compiled so far; calls that a template leaves open.
        self.skipped = {}
        self.open = set()

    def path(self, file):
        """Relative to the root, or None outside of it."""
        if file is None:
            return None
        name = file.name
        if name not in self.paths:
            full = Path(name).resolve()
            self.paths[name] = full.relative_to(self.root).as_posix() if full.is_relative_to(self.root) else None
        return self.paths[name]

    def is_written(self, path, offset, name):
        """Whether the name stands at that place, and not only in a macro that is used there."""
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_bytes()
        return self.texts[path][offset : offset + len(name)] == name

    def place(self, location):
        """Where it is written: within the arguments of a macro, not where the macro begins."""
        file, line, column, offset = c_object_p(), c_uint(), c_uint(), c_uint()
        conf.lib.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
        return self.path(File(file) if file else None), line.value, offset.value


class RangeList(Structure):
    _fields_ = [("count", c_uint), ("ranges", POINTER(SourceRange))]


conf.lib.clang_getAllSkippedRanges.argtypes = [TranslationUnit]
conf.lib.clang_getAllSkippedRanges.restype = POINTER(RangeList)
conf.lib.clang_getFileLocation.argtypes = [SourceLocation] + [POINTER(c_object_p)] + [POINTER(c_uint)] * 3
conf.lib.clang_getFileLocation.restype = None


def simple_name(cursor):
    name = cursor.spelling
    return name if name.startswith("operator") else name.split("<")[0]


def callee_of(call):
    """The reference by which a call names what it calls."""
    children = list(call.get_children())
    cursor = children[0] if children else None
    while cursor is not None and cursor.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
        cursor = next(iter(cursor.get_children()), None)
    return cursor


def read(repository, unit):
    """Walks a translation unit with a stack of its own: expressions nest deeper than Python's."""
    macros = []
    stack = [(cursor, None, ()) for cursor in unit.cursor.get_children()]
    callees = {}
    functions = []
    while stack:
        cursor, caller, scopes = stack.pop()
        path, line, offset = repository.place(cursor.location)
        if path is None and cursor.kind != K.UNEXPOSED_DECL and cursor.kind != K.LINKAGE_SPEC:
            if cursor.location.file is not None:
                continue
        kind = cursor.kind
        if kind == K.MACRO_INSTANTIATION and path is not None:
            macros.append((cursor, path, line, offset))
            continue
        if path is not None and (kind in FUNCTIONS or kind in TYPES or kind in VALUES or kind == K.NAMESPACE):
            name = simple_name(cursor)
            if cursor.is_definition() and name:
                usr = cursor.get_usr()
                repository.definitions.setdefault(usr, (path, name, line, kind))
                if kind in FUNCTIONS:
                    caller = (path, name, line)
                    functions.append((path, cursor.extent.start.offset, cursor.extent.end.offset, caller, (name,) + scopes))
                if kind not in VALUES or cursor.semantic_parent.kind == K.TRANSLATION_UNIT:
                    scopes = (name,) + scopes
        if kind == K.CALL_EXPR:
            callee = callee_of(cursor)
            if callee is not None:
                callees[callee.hash] = "call"
            if path is not None and cursor.referenced is None:
                repository.open.add((path, line))
            constructed = cursor.referenced
            if constructed is not None and constructed.kind == K.CONSTRUCTOR and path is not None:
                note(repository, cursor, constructed.semantic_parent, caller, scopes, "new", (path, line, offset))
        elif kind in REFERENCES and path is not None:
            form = "ref"
            if cursor.hash in callees:
                form = "bare"
                if kind == K.MEMBER_REF_EXPR:
                    base = next(iter(cursor.get_children()), None)
                    form = "this" if base is None or base.kind == K.CXX_THIS_EXPR else "method"
            note(repository, cursor, cursor.referenced, caller, scopes, form, (path, line, offset))
        stack.extend((child, caller, scopes) for child in reversed(list(cursor.get_children())))
    # Uses of macros stand beside the tree: the last function that begins before one and ends behind it is around it.
    for cursor, path, line, offset in macros:
        around = [function for function in functions if function[0] == path and function[1] <= offset < function[2]]
        caller, scopes = around[-1][3:] if around else (None, ())
        note(repository, cursor, cursor.referenced, caller, scopes, "ref", (path, line, offset))


def note_skipped(repository, unit):
    """A line counts as skipped where every translation unit that reads its file skips it."""
    skipped = {}
    found = conf.lib.clang_getAllSkippedRanges(unit).contents
    for n in range(found.count):
        span = found.ranges[n]
        path = repository.path(span.start.file)
        if path is not None:
            # From `#if` to the `#else` or `#endif` that ends it.
            skipped.setdefault(path, set()).update(range(span.start.line, span.end.line))
    read = {repository.path(include.include) for include in unit.get_includes()} | {repository.path(unit.get_file(unit.spelling))}
    for path in read - {None}:
        here = skipped.get(path, set())
        before = repository.skipped.get(path)
        repository.skipped[path] = here if before is None else before & here


def note(repository, cursor, target, caller, scopes, form, place):
    if target is None:
        return
    primary = conf.lib.clang_getSpecializedCursorTemplate(target)
    if primary is not None and primary.kind.is_declaration():
        target = primary
    path, line, offset = place
    key = (path, offset, target.get_usr(), form)
    target_path = repository.path(target.location.file)
    name = simple_name(target)
    if key in repository.seen or target_path is None or not name:
        return
    repository.seen.add(key)
    if form == "bare" and target.kind in TYPES:
        form = "new"
    if not repository.is_written(path, offset, name.encode()):
        # `a.b()` is at `a` for some kinds of nodes: the name stands at the end of the expression.
        end = repository.place(cursor.extent.end)[2] - len(name.encode())
        if not repository.is_written(path, end, name.encode()):
            return
    declared = (target_path, name, target.location.line, target.kind)
    repository.facts.append((path, caller, scopes, line, target.get_usr(), declared, form))


def write(repository):
    files = set()
    for path, caller, scopes, line, usr, declared, form in repository.facts:
        target_path, name, target_line, kind = repository.definitions.get(usr, declared)
        what = "function" if kind in FUNCTIONS else "type" if kind in TYPES else "value" if kind in VALUES else "macro" if kind in MACROS else None
        if what is None:
            continue
        caller_path, caller_name, caller_line = caller or (path, "<file>", 1)
        is_call = form != "ref"
        fact = {
            "caller_file": caller_path,
            "caller_name": caller_name,
            "caller_line": caller_line,
            "callee_file": target_path,
            "callee_name": name,
            "callee_line": target_line,
            "form": form,
            "is_call": int(is_call),
            "callee_kind": what,
            "callable": int(what in ("function", "type")),
            "enclosing": list(dict.fromkeys(scopes)),
            "ref_line": line,
        }
        print(json.dumps(fact))
        files.update((caller_path, target_path))
    return files


def system_headers():
    """The compiler's own headers, which libclang's package leaves out."""
    for compiler in ("clang", "clang-19", "gcc"):
        try:
            run = subprocess.run([compiler, "-print-file-name=include"], stdout=subprocess.PIPE, text=True, check=True)
            return [f"-isystem{run.stdout.strip()}"]
        except (OSError, subprocess.CalledProcessError):
            continue
    return []


def skipped_share(unit, path):
    """Share of a file's lines between conditions that do not hold here."""
    lines = path.read_text("utf-8", "replace").splitlines()
    covered = set()
    for cursor in unit.cursor.walk_preorder():
        if cursor.location.file is not None and cursor.location.file.name == str(path):
            covered.update(range(cursor.extent.start.line, cursor.extent.end.line + 1))
    code = [n for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith(("//", "/*", "*", "#"))]
    return 1 - sum(n in covered for n in code) / max(1, len(code))


def main():
    split = sys.argv.index("--")
    root = Path(sys.argv[1]).resolve()
    flags = sys.argv[split + 1 :] + system_headers()
    repository = Repository(root)
    index = Index.create()
    for file in sys.argv[2:split]:
        try:
            options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
            unit = index.parse(str(root / file), args=flags, options=options)
        except TranslationUnitLoadError:
            print(f"{file}: not read", file=sys.stderr)
            continue
        errors = [str(diagnostic) for diagnostic in unit.diagnostics if diagnostic.severity >= 3]
        if errors:
            # Mostly a file for another platform: half of it would count as missing.
            print(f"{file}: left out, {len(errors)} errors, the first: {errors[0]}", file=sys.stderr)
            continue
        if skipped_share(unit, root / file) > 0.3:
            print(f"{file}: left out, most of it is for another platform", file=sys.stderr)
            continue
        read(repository, unit)
        note_skipped(repository, unit)
        print(json.dumps({"file": file}))
    for path, lines in sorted(repository.skipped.items()):
        for line in sorted(lines):
            print(json.dumps({"unseen": path, "first": line, "last": line}))
    for path, line in sorted(repository.open):
        print(json.dumps({"unseen": path, "first": line, "last": line}))
    for header in sorted(path for path in repository.paths.values() if path):
        print(json.dumps({"file": header}))
    write(repository)


main()
