"""How many bits a number of a chunk's vector needs: ranking and size with 32-bit floats, with eight bits and with the four that snapshots store.

python3 vector_bits.py --model ../../crates/embed/model --data DIR --truth DIR NAME…

DIR of --data has a folder for each name; DIR of --truth has NAME.json, a list of questions with the paths that answer them. Questions are
answered by vectors alone, which is where rounding shows most: files by their best chunk. The figures are in docs/decisions/0028-vector-bits.md.
"""

import argparse
import json
import math
import os
import zlib
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from tokenizers import Tokenizer

LINES = 25
TOP = 10
STEP = 0.335
LEFT_OUT = {"node_modules", "test", "tests", "spec", "examples", "example", "benchmarks", "docs"}
ENDINGS = {".rs", ".go", ".py", ".js", ".ts", ".java", ".php", ".c", ".h", ".ex", ".rb", ".cs"}


class Model:
    """The static model that ships."""

    def __init__(self, folder: Path) -> None:
        graph = onnx.load(next(folder.glob("*.onnx"))).graph
        matrices = [array for array in map(numpy_helper.to_array, graph.initializer) if array.ndim == 2]
        rows, scales = max(matrices, key=lambda array: array.shape[1]), min(matrices, key=lambda array: array.shape[1])
        self.table = rows.astype(np.float32) * scales
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def embed(self, text: str) -> np.ndarray:
        ids, counts = np.unique(np.array(self.tokenizer.encode(text, add_special_tokens=False).ids, int), return_counts=True)
        total = (self.table[ids] * np.sqrt(counts)[:, None]).sum(0) if len(ids) else np.zeros(self.table.shape[1], np.float32)
        return total / max(float(np.linalg.norm(total)), 1e-12)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def eight_bits(vectors: np.ndarray) -> np.ndarray:
    return np.rint(vectors / np.maximum(np.abs(vectors).max(1, keepdims=True) / 127, 1e-12)).astype(np.int8)


def four_bits(vectors: np.ndarray) -> np.ndarray:
    """As `VectorsBuilder::set`: the better of two steps."""
    usual = np.linalg.norm(vectors, axis=1, keepdims=True) * STEP / math.sqrt(vectors.shape[1])
    steps = [np.abs(vectors).max(1, keepdims=True) / 7, usual]
    tried = [np.clip(np.rint(vectors / np.maximum(step, 1e-12)), -7, 7) for step in steps]
    likeness = [(vectors * unit(cells)).sum(1) for cells in tried]
    return np.where((likeness[0] > likeness[1])[:, None], *tried).astype(np.int8)


def packed(cells: np.ndarray, bits: int) -> bytes:
    if bits == 8:
        return cells.tobytes()
    halves = (cells + 8).astype(np.uint8)
    return (halves[:, 0::2] | (halves[:, 1::2] << 4)).tobytes()


def chunks(root: Path) -> tuple[np.ndarray, list[str]]:
    """The file of each chunk, and its text behind the words of the path."""
    files, texts = [], []
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in LEFT_OUT)
        for name in sorted(name for name in names if os.path.splitext(name)[1] in ENDINGS):
            path = Path(folder, name)
            lines = path.read_text(errors="ignore").split("\n")
            for start in range(0, len(lines), LINES):
                piece = "\n".join(lines[start : start + LINES])
                if piece.strip():
                    files.append(str(path.relative_to(root)))
                    texts.append(f"{files[-1]} " * 3 + piece)
    return np.array(files), texts


def ndcg(ranked: list[str], right: set[str]) -> float:
    gain = sum(1 / math.log2(at + 2) for at, path in enumerate(ranked) if path in right)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(TOP, len(right))))


def first_files(files: np.ndarray, order: np.ndarray) -> list[str]:
    return list(dict.fromkeys(files[order[: 50 * TOP]]))[:TOP]


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("model", "data", "truth"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("names", nargs="+")
    asked = parser.parse_args()
    model = Model(asked.model)
    scores: dict[str, list[float]] = {"32": [], "8": [], "4": []}
    same: dict[str, list[float]] = {"8": [], "4": []}
    sizes, n_chunks = {"8": 0, "4": 0}, 0
    for name in asked.names:
        files, texts = chunks(asked.data / name)
        exact = np.array([model.embed(text) for text in texts])
        cells = {"8": eight_bits(exact), "4": four_bits(exact)}
        forms = {"32": exact} | {bits: unit(rows.astype(np.float32)) for bits, rows in cells.items()}
        n_chunks += len(texts)
        for bits, rows in cells.items():
            sizes[bits] += len(zlib.compress(packed(rows, int(bits)), 9))
        for question in json.loads((asked.truth / f"{name.lower()}.json").read_text()):
            wanted = [one if isinstance(one, str) else one["path"] for one in question["relevant"]]
            right = {path for path in set(files) for one in wanted if path.endswith(one) or one.endswith(path)}
            if not right:
                continue
            query = model.embed(question["query"])
            orders = {bits: np.argsort(-(rows @ query), kind="stable") for bits, rows in forms.items()}
            for bits, order in orders.items():
                scores[bits].append(ndcg(first_files(files, order), right))
                if bits != "32":
                    same[bits].append(len(set(order[:TOP]) & set(orders["32"][:TOP])) / TOP)
    print(f"{n_chunks} chunks, {len(scores['32'])} questions")
    for bits, found in scores.items():
        rest = f", of the first ten chunks the same {np.mean(same[bits]):.3f}, {sizes[bits] / n_chunks:.0f} bytes a chunk, deflated" if bits != "32" else ""
        print(f"{bits} bits: NDCG@10 {np.mean(found):.4f}{rest}")
    rng, less = np.random.default_rng(1), np.array(scores["8"]) - np.array(scores["4"])
    means = [less[rng.integers(0, len(less), len(less))].mean() for _ in range(4000)]
    low, high = np.percentile(means, [2.5, 97.5])
    print(f"8 bits less 4: {less.mean():+.4f} ({low:+.4f} to {high:+.4f}, 95 % of resamples)")


if __name__ == "__main__":
    main()
