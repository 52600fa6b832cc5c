"""Which packages a model was trained on: archive, licence, how many records they gave and how many pairs were made of them."""

import csv
from collections import Counter
from pathlib import Path

import numpy as np

from fetch import archive_of, packages


def write(cache: Path, names: list[str], package_of_pair: np.ndarray, out: Path) -> None:
    """`names` are the packages that the pairs' numbers mean."""
    with open(cache / "records.tsv") as lines:
        records = dict(csv.reader(lines, delimiter="\t"))
    pairs = Counter({names[number]: count for number, count in enumerate(np.bincount(package_of_pair, minlength=len(names)))})
    with open(out, "w", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(["package", "archive", "licence", "records", "pairs"])
        for package in packages():
            name, archive = f"{package['registry']}:{package['name']}", archive_of(cache, package)
            if archive and pairs[name]:
                rows.writerow([name, archive.name, package["licence"], records[name], pairs[name]])
