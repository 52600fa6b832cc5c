"""Contrastive training of a table of token vectors, in numpy: the model is so small that a framework would be most of the work.

A text's vector is the sum of its tokens' rows, normalised. Of the questions and chunks of a batch each question has to find
its chunk, and each chunk its question (InfoNCE), by the first 128 numbers of the vectors, too (matryoshka). Pairs of one package
stand together in a batch: what is told apart is then mostly alike. The words of a chunk's path are added to it, weighted as in the index.
"""

import json
import math
import time
import zlib
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

from vocabulary import UNKNOWN


@dataclass
class Settings:
    dimensions: int = 128
    shorter: int = 128
    """The first so many numbers are trained to do alone, too."""
    steps: int = 800
    batch: int = 2048
    group: int = 32
    """Pairs of one package that stand together."""
    rate: float = 3e-3
    scale: float = 20.0
    dropped: float = 0.1
    """Share of a chunk's tokens that are left out, another one each time."""
    path_weight: float = 3.0
    path_share: float = 0.7
    """Chunks that have the words of their path with them; always, and code itself would be learnt less."""
    language_power: float = 0.6
    """Below 1, rare languages are drawn more often than they occur."""
    power: float = 0.5
    """What a token's count in a text is raised to: below 1, a word that is said often counts less than as often."""
    seeds: int = 3
    """Trainings whose tables are averaged, each with a seed of its own; they start alike, so that their rows still mean the same."""
    seed: int = 7


class Data:
    """Pairs as token numbers, parted into those to learn from and, by package, those to measure by."""

    def __init__(self, path: Path) -> None:
        arrays = np.load(path)
        about = json.loads(path.with_suffix(".json").read_text())
        self.tokens, self.packages, self.kinds = about["tokens"], about["package"], about["kind"]
        self.bags = {name: (arrays[name].astype(np.int64), np.concatenate([[0], np.cumsum(arrays[f"{name}_lengths"])])) for name in ("questions", "paths", "chunks")}
        self.package, self.language, self.kind, self.file = arrays["of"].T
        self.path_kind = self.kinds.index("path") if "path" in self.kinds else -1
        held_out = np.array([zlib.crc32(name.encode()) % 25 == 0 for name in self.packages])[self.package]
        self.learnt, self.measured = np.flatnonzero(~held_out), np.flatnonzero(held_out)

    def matrix(self, name: str, of: np.ndarray, weight: float | np.ndarray = 1.0, dropped: float = 0.0, rng=None) -> sparse.csr_matrix:
        """Texts × tokens: how often each token stands in each text."""
        flat, begins = self.bags[name]
        lengths = begins[of + 1] - begins[of]
        ends = np.cumsum(lengths)
        columns = flat[np.repeat(begins[of] - (ends - lengths), lengths) + np.arange(lengths.sum())]
        values = np.repeat(np.broadcast_to(np.asarray(weight, np.float32), len(of)), lengths) * (columns > UNKNOWN)
        if dropped:
            values = values * (rng.random(len(values), np.float32) >= dropped)
        return sparse.csr_matrix((values.astype(np.float32), columns, np.concatenate([[0], ends])), (len(of), len(self.tokens)))

    def questions(self, of: np.ndarray, settings: Settings) -> sparse.csr_matrix:
        return raised(self.matrix("questions", of), settings.power)

    def chunks(self, of: np.ndarray, settings: Settings, rng=None) -> sparse.csr_matrix:
        """Chunks with the words of their paths; not where the path is the question."""
        asks_path = self.kind[of] == self.path_kind
        has_path = ~asks_path & ((rng.random(len(of)) < settings.path_share) if rng is not None else True)
        plain = self.matrix("chunks", of, 1.0, settings.dropped if rng is not None else 0.0, rng)
        return raised(plain + self.matrix("paths", of, settings.path_weight * has_path), settings.power)


def raised(counts: sparse.csr_matrix, power: float) -> sparse.csr_matrix:
    if power != 1:
        counts.sum_duplicates()
        counts.data **= np.float32(power)
    return counts


def batches(data: Data, settings: Settings, rng: np.random.Generator):
    """Numbers of pairs, without end."""
    counts = np.bincount(data.language[data.learnt])
    often = np.where(counts > 0, (np.maximum(counts, 1) / counts.sum()) ** (settings.language_power - 1), 0)
    often *= counts.sum() / (often * counts).sum()
    while True:
        times = np.minimum(rng.poisson(often[data.language[data.learnt]]), 4)
        drawn = rng.permutation(np.repeat(data.learnt, times))
        drawn = drawn[np.argsort(data.package[drawn], kind="stable")]
        edges = np.flatnonzero(np.diff(data.package[drawn])) + 1
        groups = [group for part in np.split(drawn, edges) for group in np.array_split(part, -(-len(part) // settings.group))]
        order = np.concatenate([groups[number] for number in rng.permutation(len(groups))])
        for start in range(0, len(order) - settings.batch + 1, settings.batch):
            yield order[start : start + settings.batch]


def normalised(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows / lengths, lengths


def contrast(questions: np.ndarray, chunks: np.ndarray, scale: float, same: np.ndarray):
    """Loss, and what it changes by questions, chunks and the logarithm of the scale. `same` says what is no wrong answer."""
    (q, q_lengths), (c, c_lengths) = normalised(questions), normalised(chunks)
    cosine = q @ c.T
    # No cosine is above 1, so one power serves the sums of rows and of columns.
    power = np.exp(scale * cosine - scale)
    power[same] = 0
    of_questions, of_chunks = (np.maximum(power.sum(axis), np.float32(1e-30)) for axis in (1, 0))
    right = np.maximum(power.diagonal(), np.float32(1e-30))
    loss = -float(0.6 * np.log(right / of_questions).mean() + 0.4 * np.log(right / of_chunks).mean())
    power *= np.float32(0.6 / len(q)) / of_questions[:, None] + np.float32(0.4 / len(q)) / of_chunks
    power[np.diag_indices_from(power)] -= np.float32(1 / len(q))

    def back(unit: np.ndarray, lengths: np.ndarray, change: np.ndarray) -> np.ndarray:
        return (change - unit * (unit * change).sum(1, keepdims=True)) / lengths

    by_questions = back(q, q_lengths, scale * (power @ c))
    by_chunks = back(c, c_lengths, scale * (power.T @ q))
    return loss, by_questions, by_chunks, scale * float(np.vdot(power, cosine))


class Adam:
    def __init__(self, shape: tuple[int, ...]) -> None:
        self.mean, self.square, self.step = np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0

    def change(self, gradient, rate: float):
        self.step += 1
        self.mean *= np.float32(0.9)
        self.mean += np.float32(0.1) * gradient
        self.square *= np.float32(0.98)
        self.square += np.float32(0.02) * (gradient * gradient)
        change = np.sqrt(self.square, out=np.empty_like(self.square))
        change /= np.float32(math.sqrt(1 - 0.98**self.step))
        change += np.float32(1e-8)
        return np.divide(self.mean, change, out=change) * np.float32(rate / (1 - 0.9**self.step))


def train(data: Data, table: np.ndarray, settings: Settings) -> np.ndarray:
    rng = np.random.default_rng(settings.seed)
    table, scale = table.copy(), math.log(settings.scale)
    adam, adam_scale, losses, started = Adam(table.shape), Adam(()), [], time.time()
    asks_path = data.path_kind
    widths = {settings.dimensions: 2 / 3, settings.shorter: 1 / 3} if settings.shorter < settings.dimensions else {settings.dimensions: 1.0}
    for step, pairs in zip(range(settings.steps), batches(data, settings, rng)):
        questions, chunks = data.questions(pairs, settings), data.chunks(pairs, settings, rng)
        q, c = questions @ table, chunks @ table
        # A file's other chunks are no wrong answers to its path.
        same = (data.file[pairs][:, None] == data.file[pairs]) & ((data.kind[pairs] == asks_path)[:, None] | (data.kind[pairs] == asks_path))
        np.fill_diagonal(same, False)
        by_q, by_c, by_scale, loss = np.zeros_like(q), np.zeros_like(c), 0.0, 0.0
        for width, share in widths.items():
            part, q_part, c_part, s_part = contrast(q[:, :width], c[:, :width], math.exp(scale), same)
            by_q[:, :width] += share * q_part
            by_c[:, :width] += share * c_part
            by_scale += share * s_part
            loss += share * part
        gradient = questions.T @ by_q + chunks.T @ by_c
        rate = settings.rate * min(1, (step + 1) / 100) * (0.485 * (1 + math.cos(math.pi * step / settings.steps)) + 0.03)
        table -= adam.change(gradient, rate)
        scale = min(scale - float(adam_scale.change(np.float32(by_scale), 1e-3)), math.log(100))
        table[:2] = 0
        losses.append(loss)
        if (step + 1) % 50 == 0:
            figures = f"loss {np.mean(losses[-50:]):.4f}, scale {math.exp(scale):.1f}, {time.time() - started:.0f} s"
            print(f"seed {settings.seed}, step {step + 1}: {figures}", flush=True)
    return table


_shared: tuple[Data, np.ndarray] | None = None
"""What every training starts from; processes that are forked have it, too."""


def train_one(settings: Settings) -> np.ndarray:
    data, table = _shared
    trained = train(data, table, settings)
    print(f"seed {settings.seed}: {measure(data, trained[:, : settings.shorter], settings)}", flush=True)
    return trained


def train_all(data: Data, table: np.ndarray, settings: Settings, n_workers: int = 2) -> np.ndarray:
    """The mean of as many trainings as the settings say, each on one core."""
    global _shared
    _shared = (data, table)
    each = [replace(settings, seed=settings.seed + number) for number in range(settings.seeds)]
    with get_context("fork").Pool(min(n_workers, len(each))) as pool:
        return np.mean(pool.map(train_one, each, chunksize=1), axis=0, dtype=np.float64).astype(np.float32)


def measure(data: Data, table: np.ndarray, settings: Settings, most: int = 400) -> dict[str, float]:
    """Mean reciprocal rank of each question's chunk among the chunks of its package, for packages that were held out: by kind of question,
    of all, and (`files`) of the chunk's file among the files, each as near as its nearest chunk."""
    rng, ranks, of_files = np.random.default_rng(1), {}, []
    for package in np.unique(data.package[data.measured]):
        of = data.measured[data.package[data.measured] == package]
        if len(of) < 30:
            continue
        of = rng.permutation(of)[:most]
        of = of[np.argsort(data.file[of], kind="stable")]
        q, _ = normalised(data.questions(of, settings) @ table)
        c, _ = normalised(data.chunks(of, settings) @ table)
        cosine = q @ c.T
        found = 1 / (1 + (cosine > cosine.diagonal()[:, None]).sum(1))
        for kind in np.unique(data.kind[of]):
            ranks.setdefault(data.kinds[kind], []).extend(found[data.kind[of] == kind])
        begins = np.flatnonzero(np.diff(data.file[of], prepend=-1))
        nearest = np.maximum.reduceat(cosine, begins, axis=1)
        own = nearest[np.arange(len(of)), np.searchsorted(begins, np.arange(len(of)), side="right") - 1]
        asked = data.kind[of] != data.path_kind
        of_files.extend((1 / (1 + (nearest > own[:, None]).sum(1)))[asked])
    every = [rank for of_kind in ranks.values() for rank in of_kind]
    means = {kind: round(float(np.mean(found)), 4) for kind, found in sorted(ranks.items())}
    return means | {"all": round(float(np.mean(every)), 4), "files": round(float(np.mean(of_files)), 4)}
