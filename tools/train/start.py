"""Where training starts from: the teacher's output for each token, reduced to fewer numbers, with a length by the token's frequency."""

import zlib
from pathlib import Path

import numpy as np

from teacher import Teacher

COMMON = 3e-4
"""A token as frequent as this is half as long as a rare one (SIF)."""


def vectors_of(tokens: list[str], cache: Path) -> np.ndarray:
    """One row a token; zero for what is none. Kept in the cache, since the teacher takes a minute for them."""
    kept = cache / f"teacher-{zlib.crc32(' '.join(tokens).encode()):08x}.npy"
    if not kept.exists():
        texts = [token.removeprefix("##") if token[0] != "[" else "" for token in tokens]
        rows = Teacher(cache).embed(texts)
        rows[[text == "" for text in texts]] = 0
        np.save(kept, rows)
    return np.load(kept)


def reduced(rows: np.ndarray, dimensions: int) -> np.ndarray:
    """The directions in which the rows differ most (PCA)."""
    centred = rows - rows.mean(0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return centred @ vectors[:, ::-1][:, :dimensions]


def start(tokens: list[str], counts: np.ndarray, dimensions: int, cache: Path) -> np.ndarray:
    rows = reduced(vectors_of(tokens, cache), dimensions)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    share = (counts + 1) / (counts + 1).sum()
    rows *= (COMMON / (COMMON + share))[:, None]
    rows[:2] = 0
    return rows.astype(np.float32)
