"""The vocabulary: whole words that many packages use, and pieces for the rest; then pairs as token numbers."""

import json
import pickle
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from words import MAX_LENGTH

PADDING, UNKNOWN = 0, 1
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass
class Bags:
    """Texts as numbers, one after the other."""

    flat: np.ndarray
    lengths: np.ndarray

    def mapped(self, pieces: list[list[int]]) -> "Bags":
        """Each number replaced by several."""
        sizes = np.array([len(piece) for piece in pieces])
        flat = np.array([number for piece in pieces for number in piece], np.int32)
        begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        taken = sizes[self.flat]
        ends = np.cumsum(taken)
        at = np.repeat(begins[self.flat] - (ends - taken), taken) + np.arange(taken.sum())
        edges = np.concatenate([[0], ends])[np.concatenate([[0], np.cumsum(self.lengths)])]
        return Bags(flat[at], np.diff(edges))


class Splitter:
    """WordPiece: the longest piece first."""

    def __init__(self, tokens: list[str]) -> None:
        self.numbers = {token: number for number, token in enumerate(tokens)}

    def __call__(self, word: str) -> list[int]:
        if word in self.numbers:
            return [self.numbers[word]]
        found, start = [], 0
        while start < len(word) <= MAX_LENGTH:
            ends = range(len(word), start, -1)
            pieces = ((end, self.numbers.get(("##" if start else "") + word[start:end])) for end in ends)
            end, number = next(((end, number) for end, number in pieces if number is not None), (0, None))
            if number is None:
                return [UNKNOWN]
            found.append(number)
            start = end
        return found or [UNKNOWN]


def choose(words: list[str], counts: np.ndarray, packages: np.ndarray, n_words: int, n_pieces: int) -> list[str]:
    """Words by how often and in how many packages they stand; pieces as WordPiece's training finds them."""
    lengths = np.array([len(word) for word in words])
    digits = np.array([word.isdigit() for word in words])
    score = np.log1p(counts) + 2 * np.log1p(packages)
    score[(packages < 4) | (counts < 12) | (digits & (lengths > 4))] = -1
    whole = [words[number] for number in np.argsort(-score, kind="stable")[:n_words] if score[number] > 0]
    known = set(whole)
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    often = (words[number] for number in np.argsort(-counts, kind="stable")[:250_000] if lengths[number] <= 24)
    count = dict(zip(words, counts))
    lines = (" ".join([word] * min(40, 1 + int(np.log1p(count[word]) * (1 if word in known else 6)))) for word in often)
    tokenizer.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=n_pieces, special_tokens=["[UNK]"], show_progress=False))
    pieces = sorted(tokenizer.get_vocab(), key=lambda piece: (-len(piece), piece))
    letters = [mark + letter for letter in ALPHABET for mark in ("", "##")]
    return list(dict.fromkeys(["[PAD]", "[UNK]", *whole, *(piece for piece in pieces if piece.isascii()), *letters]))


def make(pairs: Path, out: Path, n_words: int, n_pieces: int) -> None:
    with open(pairs.with_suffix(".names"), "rb") as stored:
        words, names = pickle.load(stored)
    arrays = np.load(pairs)
    bags = {name: Bags(arrays[name], arrays[f"{name}_lengths"]) for name in ("questions", "paths", "chunks")}
    weight = {"questions": 4, "paths": 1, "chunks": 1}
    counts = sum(weight[name] * np.bincount(bag.flat, minlength=len(words)) for name, bag in bags.items())
    package = arrays["of"][:, 0]
    in_packages = np.zeros(len(words), np.int64)
    for name in ("questions", "chunks"):
        keys = np.unique(np.repeat(package, bags[name].lengths) * len(words) + bags[name].flat)
        in_packages += np.bincount(keys % len(words), minlength=len(words))
    tokens = choose(words, counts, in_packages, n_words, n_pieces)
    split = Splitter(tokens)
    pieces = [split(word) for word in words]
    mapped = {name: bag.mapped(pieces) for name, bag in bags.items()}
    saved = {name: bag.flat for name, bag in mapped.items()} | {f"{name}_lengths": bag.lengths for name, bag in mapped.items()}
    np.savez(out, of=arrays["of"], **saved)
    out.with_suffix(".json").write_text(json.dumps({"tokens": tokens, **names}))
    unknown = (mapped["chunks"].flat == UNKNOWN).mean()
    print(f"{len(tokens)} tokens; unknown in chunks: {unknown:.2%}")
