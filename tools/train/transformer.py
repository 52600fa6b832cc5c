"""The weights of a BERT as an ONNX graph, without a deep-learning framework: for the teacher, and for tests of models that users bring.

The graph has the inputs and outputs of the usual exports: `input_ids`, `attention_mask`, `token_type_ids` (int64, batch × tokens)
in, `last_hidden_state` (batch × tokens × width) out; with `classifier.weight` and `bert.pooler` among the weights it is a cross-encoder
and gives `logits`.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17


class Graph:
    """Nodes and constants as they are added; each call gives the name of its result."""

    def __init__(self) -> None:
        self.nodes, self.constants = [], {}

    def op(self, kind: str, *inputs: str, **attributes) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def number(self, value: float) -> str:
        return self.constant(f"number_{value}", np.array(value, np.float32))

    def shape(self, *sizes: int) -> str:
        return self.constant("shape_" + "_".join(map(str, sizes)), np.array(sizes, np.int64))


def bert(weights: dict[str, np.ndarray], n_heads: int, epsilon: float = 1e-12, name: str = "bert") -> onnx.ModelProto:
    """The graph of an encoder, or of a cross-encoder. `weights` are named as in Hugging Face's checkpoints."""
    weights = {key.removeprefix("bert."): value.astype(np.float32) for key, value in weights.items() if value.dtype.kind == "f"}
    graph = Graph()
    width = weights["embeddings.word_embeddings.weight"].shape[1]

    def linear(layer: str, x: str) -> str:
        matrix = graph.constant(f"{layer}.weight", weights[f"{layer}.weight"].T)
        return graph.op("Add", graph.op("MatMul", x, matrix), graph.constant(f"{layer}.bias", weights[f"{layer}.bias"]))

    def normal(layer: str, x: str) -> str:
        scale, bias = (graph.constant(f"{layer}.{part}", weights[f"{layer}.{part}"]) for part in ("weight", "bias"))
        return graph.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=epsilon)

    def rows(part: str, ids: str) -> str:
        return graph.op("Gather", graph.constant(f"embeddings.{part}.weight", weights[f"embeddings.{part}.weight"]), ids)

    def heads(x: str, order: list[int]) -> str:
        return graph.op("Transpose", graph.op("Reshape", x, graph.shape(0, 0, n_heads, width // n_heads)), perm=order)

    def attention(layer: str, x: str, mask: str) -> str:
        query = heads(linear(f"{layer}.self.query", x), [0, 2, 1, 3])
        key = heads(linear(f"{layer}.self.key", x), [0, 2, 3, 1])
        value = heads(linear(f"{layer}.self.value", x), [0, 2, 1, 3])
        scores = graph.op("Mul", graph.op("MatMul", query, key), graph.number((width // n_heads) ** -0.5))
        mixed = graph.op("MatMul", graph.op("Softmax", graph.op("Add", scores, mask), axis=-1), value)
        mixed = graph.op("Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), graph.shape(0, 0, width))
        return normal(f"{layer}.output.LayerNorm", graph.op("Add", x, linear(f"{layer}.output.dense", mixed)))

    def gelu(x: str) -> str:
        bell = graph.op("Erf", graph.op("Mul", x, graph.number(2**-0.5)))
        return graph.op("Mul", graph.op("Mul", x, graph.op("Add", bell, graph.number(1.0))), graph.number(0.5))

    n_tokens = graph.op("Gather", graph.op("Shape", "input_ids"), graph.shape(1))
    table = graph.constant("embeddings.position_embeddings.weight", weights["embeddings.position_embeddings.weight"])
    places = graph.op("Slice", table, graph.shape(0), n_tokens, graph.shape(0))
    x = graph.op("Add", rows("word_embeddings", "input_ids"), rows("token_type_embeddings", "token_type_ids"))
    x = normal("embeddings.LayerNorm", graph.op("Add", x, places))
    used = graph.op("Unsqueeze", graph.op("Cast", "attention_mask", to=TensorProto.FLOAT), graph.shape(1, 2))
    mask = graph.op("Mul", graph.op("Sub", graph.number(1.0), used), graph.number(-10000.0))
    n_layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))
    for idx in range(n_layers):
        layer = f"encoder.layer.{idx}"
        x = attention(f"{layer}.attention", x, mask)
        inner = gelu(linear(f"{layer}.intermediate.dense", x))
        x = normal(f"{layer}.output.LayerNorm", graph.op("Add", x, linear(f"{layer}.output.dense", inner)))
    output, sizes = "last_hidden_state", ["batch", "tokens", width]
    if "classifier.weight" in weights:
        first = graph.op("Gather", x, graph.constant("first", np.array(0, np.int64)), axis=1)
        x = linear("classifier", graph.op("Tanh", linear("pooler.dense", first)))
        output, sizes = "logits", ["batch", weights["classifier.weight"].shape[0]]
    graph.nodes.append(helper.make_node("Identity", [x], [output], name=output))
    inputs = [helper.make_tensor_value_info(text, TensorProto.INT64, ["batch", "tokens"]) for text in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, sizes)]
    made = helper.make_graph(graph.nodes, name, inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="portolan")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model
