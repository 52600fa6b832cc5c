"""Opens exports with NetworkX and prints what it sees, for the test to compare with what was written.

usage: check.py FOLDER, with graph.graphml, graph.json, nodes.csv, edges.csv in it
"""

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import networkx as nx

folder = Path(sys.argv[1])


def summary(graph):
    kinds = Counter(data["kind"] for _, data in graph.nodes(data=True))
    types = Counter(data["type"] for _, _, data in graph.edges(data=True))
    calls = sorted(
        (graph.nodes[a]["qualified_name"], graph.nodes[b]["qualified_name"], round(data["confidence"], 2), data["line"])
        for a, b, data in graph.edges(data=True)
        if data["type"] == "CALLS"
    )
    return {
        "directed": graph.is_directed(),
        "nodes": graph.number_of_nodes(),
        "edges": graph.number_of_edges(),
        "kinds": dict(sorted(kinds.items())),
        "types": dict(sorted(types.items())),
        "calls": calls,
    }


def of_tables():
    graph = nx.MultiDiGraph()
    with open(folder / "nodes.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            graph.add_node(row["Id"], **row)
    with open(folder / "edges.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            line = int(row["line"]) if row["line"] else None
            data = {"type": row["kind"], "confidence": float(row["confidence"]), "line": line}
            graph.add_edge(row["Source"], row["Target"], **data)
    return graph


graphml = nx.read_graphml(folder / "graph.graphml", force_multigraph=True)
node_link = nx.node_link_graph(json.loads((folder / "graph.json").read_text("utf-8")), edges="edges")
found = {"graphml": summary(graphml), "json": summary(node_link), "csv": summary(of_tables())}
# An algorithm runs on what was read.
found["components"] = nx.number_weakly_connected_components(graphml)
found["odd"] = sorted(data["label"] for _, data in graphml.nodes(data=True) if data["kind"] == "Section")
print(json.dumps(found, ensure_ascii=False, sort_keys=True))
