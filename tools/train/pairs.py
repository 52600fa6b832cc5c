"""Records of text and code → pairs of a question and a chunk, as words: what the model learns from.

A doc comment asks for the code below it; so do the name of a definition (with the name taken out of the code), a test's
title and a comment inside of code. Each pair keeps the words of its file's path apart: the index puts them before every chunk,
so they are put before it in training, too. Copies of the benchmark's repositories, and repeated code, are left out.
"""

import json
import pickle
import random
import re
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

from exclude import Excluded, fingerprint, normal
from words import path_words, words

MAX_OF_LANGUAGE = 60_000
"""Records of one language, on average: more of the common ones teach little."""
MAX_QUESTION, MAX_CHUNK = 48, 220
LEFT_OUT = {"groovy", "ocaml", "perl", "objc", "erlang"}
"""Languages that are found among the others' packages, and that no question is asked about."""
COMMON = set(
    "src lib main index test tests include java org com net io core common utils util impl internal pkg go python js dist es cjs"
    " esm php ruby rb init mod package source sources app base types type model".split()
)
"""Path words that say nothing."""
LANGUAGE = re.compile(r'"lang": "(\w+)"')


class Words:
    """Texts as numbers of words, one after the other, with their lengths."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers, self.flat, self.lengths = numbers, [], []

    def add(self, text: list[str]) -> None:
        numbers = self.numbers
        self.flat.extend([numbers.setdefault(word, len(numbers)) for word in text])
        self.lengths.append(len(text))

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.flat, np.int32), np.array(self.lengths, np.int64)


class Pairs:
    """All pairs: question, words of the path, chunk; and of which package, language, kind and file each is."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.questions, self.paths, self.chunks = (Words(self.vocabulary) for _ in range(3))
        self.of: list[tuple[int, int, int, int]] = []
        self.names: dict[str, dict[str, int]] = {"package": {}, "language": {}, "kind": {}}

    def add(self, question: list[str], chunk: list[str], record: dict, kind: str) -> None:
        if not question or len(chunk) < 8:
            return
        self.questions.add(question[:MAX_QUESTION])
        self.paths.add(path_words(record["path"]))
        self.chunks.add(chunk[:MAX_CHUNK])
        named = {"package": record["pkg"], "language": record["lang"], "kind": kind}
        numbers = [self.names[what].setdefault(name, len(self.names[what])) for what, name in named.items()]
        self.of.append((*numbers, zlib.crc32((record["pkg"] + record["path"]).encode()) & 0x7FFFFFFF))

    def save(self, path: Path) -> None:
        arrays = {}
        for name in ("questions", "paths", "chunks"):
            arrays[name], arrays[f"{name}_lengths"] = getattr(self, name).arrays()
        np.savez(path, of=np.array(self.of, np.int64), **arrays)
        with open(path.with_suffix(".names"), "wb") as out:
            pickle.dump((list(self.vocabulary), {what: list(names) for what, names in self.names.items()}), out)


def pairs_of(record: dict, pairs: Pairs, rng: random.Random) -> None:
    code, question, rest, name, kind = (record[key] for key in ("code", "q", "rest", "name", "kind"))
    code = code[:900]
    chunk = words(code)
    file = words(record["path"].rsplit(".", 1)[0].rsplit("/", 1)[-1])
    if kind == "file":
        asked = [word for word in path_words(record["path"]) if word not in COMMON and len(word) > 2]
        pairs.add(list(dict.fromkeys(asked)), chunk, record, "path")
        return
    asked = words(question)
    if kind == "inline":
        pairs.add(asked, chunk, record, kind)
        return
    with_rest = rest and rng.random() < 0.4
    pairs.add(asked, words(rest)[:60] + chunk if with_rest else chunk, record, kind)
    named = words(name) if name else []
    if len(named) >= 2 and rng.random() < 0.4:
        masked = words(code.replace(name, " "))
        extra = [word for word in file if word not in COMMON and word not in named] if rng.random() < 0.4 else []
        pairs.add(named + extra, (asked if rng.random() < 0.5 else []) + masked, record, "name")
    elif name and rng.random() < 0.12:
        pairs.add(named, (asked if rng.random() < 0.5 else []) + chunk, record, "symbol")


def make(records: Path, out: Path, seed: int = 1000) -> None:
    """Reads the records twice: to count the languages, then to make pairs. Some minutes for 800,000 records."""
    excluded, rng = Excluded(), random.Random(seed)
    with open(records) as lines:
        counts = Counter(LANGUAGE.search(line).group(1) for line in lines)
    keep = {language: min(1.0, MAX_OF_LANGUAGE / count) for language, count in counts.items() if language not in LEFT_OUT}
    pairs, seen, asked, left = Pairs(), set(), Counter(), Counter()
    with open(records) as lines:
        for line in lines:
            if rng.random() > keep.get(LANGUAGE.search(line).group(1), 0):
                continue
            record = json.loads(line)
            code = fingerprint("".join(re.findall(r"\w+", record["code"][:900]))[:400])
            question = normal(record["q"])
            reason = (
                "code of an excluded repository" if excluded.is_copy(record["code"][:900])
                else "text of an excluded repository" if excluded.is_known_text(question)
                else "repeated code" if code in seen
                else "repeated question" if question and asked[question] >= 2
                else None
            )
            seen.add(code)
            asked[question] += 1
            if reason:
                left[reason] += 1
            else:
                pairs_of(record, pairs, rng)
    pairs.save(out)
    print(f"{len(pairs.of)} pairs of {len(pairs.vocabulary)} words; left out: {dict(left)}; records: {dict(counts)}")
