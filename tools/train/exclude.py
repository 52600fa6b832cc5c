"""What the model must not be trained on: the repositories that its quality is measured with, by name and by content.

`exclude/repositories.tsv` names them. Of their contents only fingerprints are kept: 32 bits of the BLAKE2b of each source
line of 18 characters or more, and of each query and doc sentence of four words or more; sorted, as differences, packed.
"""

import hashlib
import lzma
import re
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent / "exclude"
MIN_LINE = 18
MIN_TEXT_WORDS = 4
MAX_KNOWN_SHARE = 0.34
"""A text with more known lines than this, and at least two, is taken for a copy."""


def fingerprint(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little")


def normal(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def pack(fingerprints: np.ndarray, path: Path) -> None:
    """Writes sorted fingerprints as varints of their differences, compressed."""
    differences = np.diff(np.unique(fingerprints.astype(np.int64)), prepend=0)
    out = bytearray()
    for difference in differences.tolist():
        while difference >= 128:
            out.append(difference & 127 | 128)
            difference >>= 7
        out.append(difference)
    path.write_bytes(lzma.compress(bytes(out), preset=9))


def unpack(path: Path) -> set[int]:
    found, number, value, shift = set(), 0, 0, 0
    for byte in lzma.decompress(path.read_bytes()):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            number += value
            found.add(number)
            value = shift = 0
    return found


class Excluded:
    """The lists, loaded."""

    def __init__(self) -> None:
        self.lines = unpack(FOLDER / "lines.xz")
        self.texts = unpack(FOLDER / "texts.xz")
        rows = (FOLDER / "repositories.tsv").read_text().splitlines()
        self.names = {row.split("\t")[0].lower() for row in rows} | set((FOLDER / "relatives.txt").read_text().split())

    def is_copy(self, code: str) -> bool:
        lines = [line for raw in code.split("\n") if len(line := raw.strip()) >= MIN_LINE]
        known = sum(fingerprint(line) in self.lines for line in lines)
        return known == 1 if len(lines) == 1 else known >= 2 and known > MAX_KNOWN_SHARE * len(lines)

    def is_known_text(self, text: str) -> bool:
        text = normal(text)
        return text.count(" ") + 1 >= MIN_TEXT_WORDS and fingerprint(text) in self.texts

    def is_named(self, path: str) -> bool:
        """Whether a folder or file of the path bears the name of an excluded repository."""
        parts = path.lower().split("/")
        stems = [re.sub(r"[-_]v?\d+(\.\d+)*.*$", "", part) for part in parts[:-1]] + [parts[-1].rsplit(".", 1)[0]]
        return any(part in self.names for part in [*parts[:-1], *stems])


if __name__ == "__main__":
    import sys

    for name in ("lines", "texts"):
        pack(np.load(Path(sys.argv[1]) / f"{name}.u32.npy"), FOLDER / f"{name}.xz")
