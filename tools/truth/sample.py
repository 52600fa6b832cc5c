#!/usr/bin/env python3
"""A sample of calls to be judged by hand. See README.md for the method and the columns.

    sample.py sheet LANGUAGE NAME CHECKOUT --under src --count 67 > sheet.txt
    sample.py table LANGUAGE NAME CHECKOUT --under src --count 67 --answers answers.txt >> sampled/LANGUAGE.tsv

`sheet` draws calls by a seeded choice and prints each with its surroundings and the definitions of its name, lettered.
Answers are `NUMBER VERDICT` a line: letters of the sheet (`a`, `ab`: any of them), `-` for a call that no definition of
the repository answers, `FILE:LINE`, or `x` for one that cannot be judged; text after the verdict is a remark.
"""

import argparse
import importlib
import random
import re
import subprocess
import sys
from pathlib import Path

PACKAGES = ("tree-sitter==0.25.2", "tree-sitter-language-pack==0.9.1")
SUFFIXES = {
    "csharp": (".cs",), "php": (".php",), "ruby": (".rb",), "kotlin": (".kt",), "swift": (".swift",),
    "scala": (".scala",), "dart": (".dart",), "lua": (".lua",),
}
CALLS = {
    "csharp": "invocation_expression object_creation_expression",
    "php": "function_call_expression member_call_expression scoped_call_expression nullsafe_member_call_expression "
    "object_creation_expression",
    "ruby": "call",
    "kotlin": "call_expression",
    "swift": "call_expression constructor_expression",
    "scala": "call_expression instance_expression",
    "dart": "argument_part constructor_invocation new_expression const_object_expression",
    "lua": "function_call",
}
# children of a call that come after the name, or beside it
AFTER = re.compile(r"^(type_)?arguments?(_list|_part)?$|suffix$|^value_arguments|^(do_)?block|body$|initializer|lambda|closure|comment")
NAME = re.compile(r"(^|_)(identifier|name|constant|word)$")
DEFINES = re.compile(
    r"(function|method|class|interface|trait|object|enum|struct|record|protocol|property|constructor|init|type|extension|mixin|delegate|"
    r"local_function|getter|setter|accessor)\w*_(declaration|definition|signature|element|entry|requirement|function)$"
    r"|^(method|singleton_method|class|module|class_parameter|enum_entry|property_element|const_element|val_definition|var_definition|"
    r"val_declaration|simple_enum_case)$"
)
# definitions that a grammar sees as calls and assignments
WRITTEN = {
    "ruby": re.compile(r"^\s*(?:attr_\w+|alias_method|alias|def_delegators?|define_method)\b(.*)$", re.M),
    "lua": re.compile(r"\b([A-Za-z_]\w*)\s*=\s*function\b"),
}


def parser_of(language):
    """The grammar from PyPI, in a folder of this program."""
    cache = Path.home() / ".cache/portolan/python/tree-sitter-sample"
    if not cache.is_dir():
        # the pack asks for an older runtime than its own grammars of C# need
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(cache), *PACKAGES]
        subprocess.run([*install, "tree-sitter-c-sharp==0.23.1"], check=True)
    sys.path.insert(0, str(cache))
    return importlib.import_module("tree_sitter_language_pack").get_parser(language)


def walk(node):
    """Every named node, parents first."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.named_children))


def last_name(node):
    """The last name in a node, outside of arguments."""
    if node.named_child_count == 0 or NAME.search(node.type) and not any(NAME.search(child.type) for child in node.named_children):
        return node if NAME.search(node.type) else None
    inner = [child for child in node.named_children if child.type.endswith("navigation_suffix") or not AFTER.search(child.type)]
    for child in reversed(inner):
        found = last_name(child)
        if found is not None:
            return found
    return None


def called(language, node):
    """The name that a call node calls."""
    if language == "ruby":
        return node.child_by_field_name("method")
    if node.type == "argument_part":
        before = node.parent.prev_named_sibling if node.parent.type == "selector" else node.prev_named_sibling
        while before is not None and before.type == "selector" and last_name(before) is None:
            before = before.prev_named_sibling
        return before and last_name(before)
    kept = []
    for child in node.named_children:
        if AFTER.search(child.type):
            break
        kept.append(child)
    return last_name(kept[-1]) if kept else None


def defined(node):
    """The name that a definition gives."""
    name = node.child_by_field_name("name") or node.child_by_field_name("pattern")
    if name is not None and NAME.search(name.type):
        return name
    if name is not None:
        return last_name(name)
    for child in node.named_children:
        if child.type == "variable_declaration":
            child = child.named_children[0]
        if NAME.search(child.type):
            return child
    return None


def text(node):
    return node.text.decode("utf-8", "replace")


class Source:
    """Calls and definitions of one file."""

    def __init__(self, language, path, content, parser):
        self.path, self.lines = path, content.decode("utf-8", "replace").splitlines()
        self.calls, self.definitions = [], []
        spans = []
        for node in walk(parser.parse(content).root_node):
            if DEFINES.search(node.type):
                name = defined(node)
                if name is not None:
                    inside = [owner for owner, end in spans if node.start_byte < end]
                    self.definitions.append((text(name), name.start_point[0] + 1, ".".join(inside[-2:])))
                    spans = [(owner, end) for owner, end in spans if node.start_byte < end] + [(text(name), node.end_byte)]
            if node.type in CALLS[language].split():
                name = called(language, node)
                if name is not None and name.type != "string_content":
                    column = len(content[: name.start_byte].rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
                    self.calls.append((name.start_point[0] + 1, column, text(name)))
        whole = "\n".join(self.lines)
        for match in WRITTEN[language].finditer(whole) if language in WRITTEN else ():
            line = whole.count("\n", 0, match.start(1)) + 1
            self.definitions += [(name, line, "") for name in re.findall(r"[A-Za-z_]\w*[?!=]?", match.group(1))]
        self.calls, self.definitions = sorted(set(self.calls)), sorted(set(self.definitions))


def draw(options):
    """The chosen calls, each with its file and the definitions of its name."""
    parser = parser_of(options.language)
    root = Path(options.root)
    paths = {path for under in options.under for path in (root / under).rglob("*") if path.suffix in SUFFIXES[options.language]}
    names = sorted(path.relative_to(root).as_posix() for path in paths)
    names = [name for name in names if not any(part in name for part in options.without)]
    sources = [Source(options.language, name, (root / name).read_bytes(), parser) for name in names]
    definitions = {}
    for source in sources:
        for name, line, owner in source.definitions:
            definitions.setdefault(name, []).append((source, line, owner))
    places = [(source, *call) for source in sources for call in source.calls if call[2] in definitions]
    chosen = random.Random(options.seed).sample(places, min(options.count, len(places)))
    return [(*place, definitions[place[3]]) for place in chosen], len(places)


def letter(number):
    return chr(ord("a") + number) if number < 26 else f"?{number}"


def sheet(options):
    chosen, n_places = draw(options)
    print(f"# {options.name}: {len(chosen)} of {n_places} calls whose name the repository defines")
    for number, (source, line, column, name, definitions) in enumerate(chosen, 1):
        owners = [f"{d}:{at}" for d, at, _ in source.definitions if at <= line][-1:]
        print(f"\n[{number}] {name}  {source.path}:{line}:{column}  after {' '.join(owners)}")
        for at in range(max(1, line - options.before), min(len(source.lines), line + 1) + 1):
            print(f"{'>' if at == line else ' '} {source.lines[at - 1].strip()[:150]}")
        for index, (of, at, owner) in enumerate(definitions[: options.most]):
            print(f"  {letter(index)}) {of.path}:{at} {owner} | {of.lines[at - 1].strip()[:100]}")
        if len(definitions) > options.most:
            print(f"  … {len(definitions) - options.most} more")


def table(options):
    chosen, _ = draw(options)
    answers = dict(line.split()[:2] for line in Path(options.answers).read_text("utf-8").splitlines() if line.strip())
    for number, (source, line, column, name, definitions) in enumerate(chosen, 1):
        verdict = answers.get(str(number), "x")
        if verdict == "x":
            continue
        if verdict == "-" or ":" in verdict:
            targets = verdict
        else:
            picked = [definitions[ord(one) - ord("a")] for one in verdict if ord(one) - ord("a") in range(len(definitions))]
            if len(picked) < len(verdict):
                sys.exit(f"{options.answers}: {number} {name}: {verdict} is no letter of the sheet")
            targets = ";".join(f"{of.path}:{at}" for of, at, _ in picked)
        print("\t".join((options.name, source.path, str(line), str(column), name, targets)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("step", choices=("sheet", "table"))
    options.add_argument("language", choices=sorted(SUFFIXES))
    options.add_argument("name", help="what the repository is called in the table")
    options.add_argument("root", help="checkout of the repository")
    options.add_argument("--under", action="append", required=True, help="folder of the product's sources")
    options.add_argument("--without", action="append", default=[], help="part of paths that are left out")
    options.add_argument("--count", type=int, default=67)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--before", type=int, default=4, help="lines shown before a call")
    options.add_argument("--most", type=int, default=9, help="definitions shown of a name")
    options.add_argument("--answers")
    options = options.parse_args()
    sheet(options) if options.step == "sheet" else table(options)


if __name__ == "__main__":
    main()
