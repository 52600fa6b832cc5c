"""A trained table as the files that ship: an ONNX graph with eight bits a number and one scale a row, and a tokenizer.json."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from words import MAX_LENGTH

BORDERS = "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"


def tokenizer(tokens: list[str]) -> Tokenizer:
    numbers = {token: number for number, token in enumerate(tokens)}
    made = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=MAX_LENGTH))
    splits = [normalizers.Replace(Regex("[^A-Za-z0-9]+"), " "), normalizers.Replace(Regex(BORDERS), " ")]
    made.normalizer = normalizers.Sequence([*splits, normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made


def quantised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of eight bits, and what 1 stands for in each: a token's learned weight."""
    scales = np.maximum(np.abs(table).max(1, keepdims=True) / 127, 1e-12).astype(np.float32)
    return np.round(table / scales).astype(np.int8), scales


def counted_less(power: float) -> tuple[list, dict[str, np.ndarray]]:
    """Nodes that make of `used` the `weights` with which tokens are summed: a token that stands n times counts n to the `power`, not n."""
    node = helper.make_node
    nodes = [
        node("Unsqueeze", ["input_ids", "last"], ["ids_down"]),
        node("Unsqueeze", ["input_ids", "tokens"], ["ids_across"]),
        node("Equal", ["ids_down", "ids_across"], ["alike"]),
        node("Cast", ["alike"], ["alike_numbers"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["used", "tokens"], ["used_across"]),
        node("Mul", ["alike_numbers", "used_across"], ["alike_used"]),
        node("ReduceSum", ["alike_used", "last"], ["times"], keepdims=0),
        node("Max", ["times", "once"], ["at_least_once"]),
        node("Pow", ["at_least_once", "power"], ["share"]),
        node("Mul", ["used", "share"], ["weights"]),
    ]
    return nodes, {"once": np.array(1, np.float32), "power": np.array(power - 1, np.float32)}


def graph(table: np.ndarray, power: float = 1.0) -> onnx.ModelProto:
    """normalize(sum(table[ids] * scale[ids] * mask * count ^ (power - 1)) / sum(mask))"""
    rows, scales = quantised(table)
    constants = {
        "table": rows, "scale": scales, "tokens": np.array([1]), "last": np.array([2]),
        "least_count": np.array(1e-9, np.float32), "least_norm": np.array(1e-12, np.float32),
    }
    node = helper.make_node
    before, more = counted_less(power) if power != 1 else ([], {})
    constants |= more
    nodes = [
        node("Gather", ["table", "input_ids"], ["cells"], axis=0),
        node("Cast", ["cells"], ["numbers"], to=TensorProto.FLOAT),
        node("Gather", ["scale", "input_ids"], ["scales"], axis=0),
        node("Mul", ["numbers", "scales"], ["vectors"]),
        node("Cast", ["attention_mask"], ["used"], to=TensorProto.FLOAT),
        *before,
        node("Unsqueeze", ["weights" if before else "used", "last"], ["used_rows"]),
        node("Mul", ["vectors", "used_rows"], ["masked"]),
        node("ReduceSum", ["masked", "tokens"], ["sum"], keepdims=0),
        node("ReduceSum", ["used", "tokens"], ["counted"], keepdims=1),
        node("Max", ["counted", "least_count"], ["count"]),
        node("Div", ["sum", "count"], ["mean"]),
        node("ReduceL2", ["mean"], ["length"], axes=[1], keepdims=1),
        node("Max", ["length", "least_norm"], ["norm"]),
        node("Div", ["mean", "norm"], ["sentence_embedding"]),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "seq"]) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", table.shape[1]])
    made = helper.make_graph(nodes, "static_code_embedding", inputs, [output], [numpy_helper.from_array(value, name) for name, value in constants.items()])
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def check(model: Path, tokens: Tokenizer, table: np.ndarray, texts: list[str], power: float) -> float:
    """The least cosine between the file, run by onnxruntime, and the table."""
    session, least = onnxruntime.InferenceSession(model), 1.0
    for text in texts:
        ids = np.array([tokens.encode(text).ids])
        (vector,) = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        numbers, counts = np.unique(ids[0], return_counts=True)
        expected = (table[numbers] * (counts**power)[:, None]).sum(0)
        least = min(least, float(vector[0] @ expected / np.linalg.norm(expected)))
    return least


def export(table: np.ndarray, tokens: list[str], out: Path, power: float) -> None:
    out.mkdir(parents=True, exist_ok=True)
    table = np.ascontiguousarray(table, np.float32)
    table[:2] = 0
    made, model = tokenizer(tokens), out / f"code-embed-{table.shape[1]}.int8.onnx"
    made.save(str(out / "tokenizer.json"), pretty=False)
    model.write_bytes(graph(table, power).SerializeToString())
    least = check(model, made, table, ["parse an http request", "def parse_url(s): return urlparse(s)", "HTTPServer getHTTPResponse my_func2 my my"], power)
    print(f"{model.name}: {model.stat().st_size / 1e6:.1f} MB, least cosine to the table {least:.5f}")
