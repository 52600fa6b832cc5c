"""Words as the model's tokenizer sees them: runs of letters and digits, cut at changes of case and between letters and digits."""

import re

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MAX_LENGTH = 32
"""Longer words are unknown to the tokenizer."""


class _Lowered(dict):
    def __missing__(self, word: str) -> str:
        lowered = self[word] = word.lower() if len(word) <= MAX_LENGTH else ""
        return lowered


_lowered = _Lowered()


def words(text: str) -> list[str]:
    """The words of a text in small letters, without those that are too long."""
    found = [_lowered[word] for word in WORD.findall(text)]
    return [word for word in found if word]


def path_words(path: str) -> list[str]:
    """The words by which a chunk's file is known, as the index puts them before each chunk: those of the stem twice, then
    those of the last three folders."""
    *folders, file = path.split("/")
    stem = words(file.rsplit(".", 1)[0])
    return stem * 2 + [word for folder in folders[-3:] for word in words(folder)]
