#!/usr/bin/env python3
"""Writes tokens.jsonl: texts and the token numbers that Hugging Face's `tokenizers` gives them. pip install tokenizers==0.23.3

python3 tests/make_tokens.py > tests/tokens.jsonl   (in crates/embed)
"""
import json
import pathlib
import random

from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).resolve().parent
tokenizer = Tokenizer.from_file(str(HERE.parent / "model" / "tokenizer.json"))

texts = [
    "",
    " \t\r\n",
    "HTTPServer getHTTPResponse my_func2 XMLParser aB ABc Ab foo123Bar utf8 i18n parseURLs",
    "Parse ünïcode größe ЗдравствуйМир 日本語 naïveCafé x͏y",
    "x" * 32 + " " + "y" * 33 + " " + "A" * 40 + "b",
    "for i in range(10): foo_bar[i] += 0x1F; // TODO(me): 3.14e-10",
    "[PAD] [UNK] ##ing the##the",
    "a1b2C3D4 ABCdefGHI 9lives QWErty zzzzqqqq xkcdqzj",
    "\u212a \u017f \u00b2 İstanbul ǅ ﬁ",  # letters that lower-casing or folding could turn into ASCII
]
root = HERE.parent.parent.parent
for name in ["crates/embed/src/tokenizer.rs", "crates/embed/src/lib.rs", "crates/embed/model/README.md", "Cargo.toml"]:
    lines = (root / name).read_text().splitlines(keepends=True)
    texts += ["".join(lines[at : at + 40]) for at in range(0, min(len(lines), 120), 40)]
rng = random.Random(1)
alphabet = "abcXYZ019_ -.é"
texts += ["".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 60))) for _ in range(60)]

for text in texts:
    print(json.dumps({"text": text, "ids": tokenizer.encode(text).ids}, ensure_ascii=False))
