"""The steps from packages to a model; `run` calls this. Each step's result lies in the cache and is made anew only where it is missing."""

import argparse
import json
import zlib
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np

import export
import fetch
import manifest
import mine
import pairs
import start
import training
import vocabulary


def table_path(cache: Path, settings: training.Settings) -> Path:
    """By settings and vocabulary: a table made before a default changed is another one."""
    told = json.dumps(asdict(settings)).encode() + (cache / "tokens.json").read_bytes()
    return cache / f"table-{zlib.crc32(told):08x}.npy"


def train(cache: Path, settings: training.Settings, n_workers: int) -> np.ndarray:
    data = training.Data(cache / "tokens.npz")
    counts = sum(np.bincount(data.bags[name][0], minlength=len(data.tokens)) for name in ("questions", "chunks"))
    table = start.start(data.tokens, counts, settings.dimensions, cache)
    print(f"{len(data.learnt)} pairs to learn from; before: {training.measure(data, table[:, : settings.shorter], settings)}", flush=True)
    table = training.train_all(data, table, settings, n_workers)
    for width in sorted({settings.dimensions, settings.shorter}):
        print(f"{width} numbers: {training.measure(data, table[:, :width], settings)}", flush=True)
    np.save(table_path(cache, settings), table)
    table_path(cache, settings).with_suffix(".json").write_text(json.dumps(asdict(settings)) + "\n")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains the model that ships. See README.md beside this file.")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "portolan" / "train", help="where archives and results lie")
    parser.add_argument("--out", type=Path, help="where the model goes; CACHE/model if absent")
    parser.add_argument("--words", type=int, default=30_000, help="whole words in the vocabulary")
    parser.add_argument("--pieces", type=int, default=9_000, help="pieces of words beside them")
    parser.add_argument("--width", type=int, help="numbers of a vector in the exported model; the shorter width if absent")
    parser.add_argument("--workers", type=int, default=2)
    for field in fields(training.Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    given = parser.parse_args()
    settings = training.Settings(**{field.name: getattr(given, field.name) for field in fields(training.Settings)})
    cache: Path = given.cache
    cache.mkdir(parents=True, exist_ok=True)
    fetch.fetch(cache)
    if not (cache / "records.jsonl").exists():
        mine.mine(cache, cache / "records.jsonl", given.workers)
    if not (cache / "pairs.npz").exists():
        pairs.make(cache / "records.jsonl", cache / "pairs.npz", given.workers)
    if not (cache / "tokens.npz").exists():
        vocabulary.make(cache / "pairs.npz", cache / "tokens.npz", given.words, given.pieces)
    trained = table_path(cache, settings)
    table = np.load(trained) if trained.exists() else train(cache, settings, given.workers)
    about, out = json.loads((cache / "tokens.json").read_text()), given.out or cache / "model"
    export.export(table[:, : given.width or settings.shorter], about["tokens"], out, settings.power)
    manifest.write(cache, about["package"], np.load(cache / "tokens.npz")["of"][:, 0], out / "manifest.tsv")


if __name__ == "__main__":
    main()
