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
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import Pool
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
_excluded = Excluded()


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


@dataclass
class Pair:
    """Words with spaces between them."""

    question: str
    chunk: str
    kind: str


@dataclass
class Read:
    """What one record gives, before it is known whether it repeats another."""

    package: str
    language: str
    path: str
    code: int
    question: str
    reason: str
    """Why it is left out, if it is."""
    pairs: list[Pair]


class Pairs:
    """All pairs: question, words of the path, chunk; and of which package, language, kind and file each is."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.questions, self.paths, self.chunks = (Words(self.vocabulary) for _ in range(3))
        self.of: list[tuple[int, int, int, int]] = []
        self.names: dict[str, dict[str, int]] = {"package": {}, "language": {}, "kind": {}}

    def add(self, read: Read) -> None:
        path, file = path_words(read.path), zlib.crc32((read.package + read.path).encode()) & 0x7FFFFFFF
        for pair in read.pairs:
            self.questions.add(pair.question.split())
            self.paths.add(path)
            self.chunks.add(pair.chunk.split())
            named = {"package": read.package, "language": read.language, "kind": pair.kind}
            numbers = [self.names[what].setdefault(name, len(self.names[what])) for what, name in named.items()]
            self.of.append((*numbers, file))

    def save(self, path: Path) -> None:
        arrays = {}
        for name in ("questions", "paths", "chunks"):
            arrays[name], arrays[f"{name}_lengths"] = getattr(self, name).arrays()
        np.savez(path, of=np.array(self.of, np.int64), **arrays)
        with open(path.with_suffix(".names"), "wb") as out:
            pickle.dump((list(self.vocabulary), {what: list(names) for what, names in self.names.items()}), out)


def pairs_of(record: dict, rng: random.Random) -> list[Pair]:
    code, question, rest, name, kind = (record[key] for key in ("code", "q", "rest", "name", "kind"))
    code, found = code[:900], []
    chunk = words(code)
    file = words(record["path"].rsplit(".", 1)[0].rsplit("/", 1)[-1])

    def add(question: list[str], chunk: list[str], kind: str) -> None:
        if question and len(chunk) >= 8:
            found.append(Pair(" ".join(question[:MAX_QUESTION]), " ".join(chunk[:MAX_CHUNK]), kind))

    if kind == "file":
        asked = [word for word in path_words(record["path"]) if word not in COMMON and len(word) > 2]
        add(list(dict.fromkeys(asked)), chunk, "path")
        return found
    asked = words(question)
    if kind == "inline":
        add(asked, chunk, kind)
        return found
    with_rest = rest and rng.random() < 0.4
    add(asked, words(rest)[:60] + chunk if with_rest else chunk, kind)
    named = words(name) if name else []
    if len(named) >= 2 and rng.random() < 0.4:
        masked = words(code.replace(name, " "))
        extra = [word for word in file if word not in COMMON and word not in named] if rng.random() < 0.4 else []
        add(named + extra, (asked if rng.random() < 0.5 else []) + masked, "name")
    elif name and rng.random() < 0.12:
        add(named, (asked if rng.random() < 0.5 else []) + chunk, "symbol")
    return found


def read(line: str, rng: random.Random) -> Read:
    record = json.loads(line)
    code = record["code"][:900]
    question = normal(record["q"])
    reason = "code of an excluded repository" if _excluded.is_copy(code) else "text of an excluded repository" if _excluded.is_known_text(question) else ""
    fingerprint_of = fingerprint("".join(re.findall(r"\w+", code))[:400])
    return Read(record["pkg"], record["lang"], record["path"], fingerprint_of, question, reason, [] if reason else pairs_of(record, rng))


def read_some(job: tuple[int, list[str], dict[str, float]]) -> list[Read]:
    """Some lines; drawn by the number of the first, so that it does not matter who reads them."""
    seed, lines, keep = job
    rng = random.Random(seed)
    return [read(line, rng) for line in lines if rng.random() <= keep.get(LANGUAGE.search(line).group(1), 0)]


def some(path: Path, keep: dict[str, float], seed: int):
    """The lines by thousands."""
    with open(path) as lines:
        for number, part in enumerate(iter(lambda: list(islice(lines, 1000)), [])):
            yield seed * 1_000_003 + number, part, keep


def make(records: Path, out: Path, n_workers: int = 2, seed: int = 1000) -> None:
    """Reads the records twice: to count the languages, then to make pairs. Some minutes for 800,000 records."""
    with open(records) as lines:
        counts = Counter(LANGUAGE.search(line).group(1) for line in lines)
    keep = {language: min(1.0, MAX_OF_LANGUAGE / count) for language, count in counts.items() if language not in LEFT_OUT}
    pairs, seen, asked, left, made = Pairs(), set(), Counter(), Counter(), Counter()
    with Pool(n_workers) as pool:
        for one in chain.from_iterable(pool.imap(read_some, some(records, keep, seed))):
            reason = (
                one.reason or one.code in seen and "repeated code" or one.question and asked[one.question] >= 2 and "repeated question"
            )
            seen.add(one.code)
            asked[one.question] += 1
            if reason:
                left[reason] += 1
            else:
                pairs.add(one)
                made[one.language] += len(one.pairs)
    pairs.save(out)
    print(f"{len(pairs.of)} pairs of {len(pairs.vocabulary)} words: {dict(made.most_common())}; left out: {dict(left)}; records: {dict(counts.most_common())}")
