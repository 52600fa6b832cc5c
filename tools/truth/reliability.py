#!/usr/bin/env python3
"""How often edges are right, by the rule that made them and by the confidence they carry. Standard library only.

    python3 reliability.py EDGES TRUTH...

EDGES holds NAME.jsonl as `portolan-measure graph` writes them; each TRUTH the tables NAME.tsv.gz and NAME.files.tsv, and
perhaps NAME.unseen.tsv: lines about which the compiler says nothing (code for other platforms, calls that a template
leaves open). Edges from such lines are taken out of NAME.jsonl, but for those that the compiler confirms: an edge has the line of
its first use only. An edge is right if its callee is referenced within its
caller, or within whatever stands around that.
"""

import csv
import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path

CONSTRUCTORS = ("__init__", "constructor", "__new__")
BUCKETS = ((90, 101), (70, 90), (50, 70))


def rows(file):
    return csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def unseen_lines(path):
    found = defaultdict(set)
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            for row in rows(file):
                found[row["file"]].update(range(int(row["first_line"]), int(row["last_line"]) + 1))
    return found


def right_edges(truth, name):
    """Every (caller file, caller, callee file, callee) that the compiler confirms."""
    right = set()
    with gzip.open(truth / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in rows(file):
            callees = [row["callee_name"]]
            if row["callee_kind"] in ("type", "constructor"):
                callees.extend(CONSTRUCTORS)
            callers = {row["caller_name"], "<file>", *filter(None, row["enclosing"].split(";"))}
            right.update((row["caller_file"], caller, row["callee_file"], callee) for caller in callers for callee in callees)
    return right


def seen_calls(path, covered, unseen, right):
    """Distinct calls between covered files; what the compiler neither sees nor confirms is taken out of the file."""
    kept, calls = [], {}
    for line in path.read_text("utf-8").splitlines():
        edge = json.loads(line)
        key = (edge["caller_file"], edge["caller_name"], edge["callee_file"], edge["callee_name"])
        if edge.get("line") in unseen.get(edge["caller_file"], ()) and key not in right:
            continue
        kept.append(line)
        if edge["kind"] == "CALLS" and edge["caller_file"] in covered and edge["callee_file"] in covered:
            calls.setdefault(key, edge)
    path.write_text("".join(line + "\n" for line in kept), "utf-8")
    return calls


def share(counts):
    right, total = counts
    return f"{100 * right / total:.0f} ({total})" if total else "–"


def calibration_error(counts, names):
    """Expected calibration error: how far the confidence of edges is from the share that is right, by each value of it."""
    by_percent = defaultdict(lambda: [0, 0])
    for (percent, name), (right, total) in counts.items():
        if name in names:
            by_percent[percent][0] += right
            by_percent[percent][1] += total
    every = sum(total for _, total in by_percent.values())
    distance = sum(abs(percent / 100 * total - right) for percent, (right, total) in by_percent.items())
    return f"{distance / every:.3f}" if every else "–"


def table(title, names, counts, order):
    print(f"| {title} | all | {' | '.join(names)} |")
    print("|---|--:|" + "--:|" * len(names))
    for key in order:
        every = [sum(counts[key, name][n] for name in names) for n in (0, 1)]
        print(f"| {key} | {share(every)} | {' | '.join(share(counts[key, name]) for name in names)} |")
    print()


def main():
    edges, truths = Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]]
    by_reason, by_bucket = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    by_percent = defaultdict(lambda: [0, 0])
    names, totals = [], defaultdict(int)
    for truth in truths:
        for path in sorted(truth.glob("*.files.tsv")):
            name = path.name.removesuffix(".files.tsv")
            found = edges / f"{name}.jsonl"
            if not found.is_file():
                continue
            names.append(name)
            with path.open(encoding="utf-8", newline="") as file:
                covered = {row["file"] for row in rows(file)}
            right = right_edges(truth, name)
            for key, edge in seen_calls(found, covered, unseen_lines(truth / f"{name}.unseen.tsv"), right).items():
                percent = round(100 * edge["confidence"])
                bucket = next((f"{low / 100:.1f}–{min(high, 100) / 100:.1f}" for low, high in BUCKETS if low <= percent < high), "below 0.5")
                for counts in (by_reason[edge["reason"], name], by_bucket[bucket, name], by_percent[percent, name]):
                    counts[0] += key in right
                    counts[1] += 1
                totals[edge["reason"]] += 1
    print("Share of call edges that the compiler confirms, in percent (edges), tests included:\n")
    table("confidence", names, by_bucket, sorted({bucket for bucket, _ in by_bucket}, reverse=True))
    table("reason", names, by_reason, sorted(totals, key=lambda reason: (-totals[reason], reason)))
    errors = ", ".join(f"{name} {calibration_error(by_percent, [name])}" for name in names)
    print(f"Expected calibration error: {calibration_error(by_percent, names)} ({errors})")


if __name__ == "__main__":
    main()
