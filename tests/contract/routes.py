"""Asks every operation of docs/openapi.json through the generated client: good input must give an answer that the client can read, bad input
an error of the documented form. The variable CONTRACT says where, and with which tokens."""

import hashlib
import importlib
import inspect
import json
import os
import re
import typing

from portolan_client import AuthenticatedClient
from portolan_client.models import ErrorBody, GetSearchLanguageItem
from portolan_client.types import UNSET, File

GIVEN = json.loads(os.environ["CONTRACT"])
INDEX = open(GIVEN["index"], "rb").read()
DOCUMENT = json.load(open(GIVEN["openapi"]))
REPOSITORY = GIVEN["repository"]
COMMIT = "1" * 40
TREE = "2" * 40
PIECE = b"a piece"
DIGEST = hashlib.sha256(PIECE).hexdigest()

SYMBOL = {"symbol": "addTax"}
PLACE = {"path": "src/cart.ts", "line": 5, "character": 12}
# A good request of each tool, and one that it must refuse.
TOOLS = {
    "assemble": ({"query": "tax"}, {"query": 7}),
    "atlas": ({}, {"level": "nowhere"}),
    "callees": ({"symbol": "checkout"}, {}),
    "callers": (SYMBOL, {"symbol": "thereisnosuchsymbol"}),
    "chunks": ({"path": "src/cart.ts"}, {"path": "nowhere.ts"}),
    "code_intelligence": ({"command": "callers", **SYMBOL}, {"command": "gossip", **SYMBOL}),
    "communities": ({}, {"limit": "many"}),
    "community": (None, {"community": "nowhere"}),
    "context": (SYMBOL, {}),
    "cycles": ({}, {"limit": -1}),
    "cypher": ({"query": "MATCH (f:Function) RETURN f.name"}, {"query": "MATCH (f RETURN f"}),
    "definition": ({"path": "src/cart.ts", "line": 5, "character": 13}, {"path": "nowhere.ts", "line": 0, "character": 0}),
    "detect_changes": ({"diff": ""}, {"diff": 7}),
    "export": ({"format": "graphml"}, {"format": "pictures"}),
    "file_text": ({"path": "src/tax.ts"}, {"path": "../etc/passwd"}),
    "files": ({}, {"limit": []}),
    "find": (SYMBOL, {}),
    "find_chunks_for_symbol": (SYMBOL, {"symbol": ""}),
    "get_callees_as_results": ({"symbol": "checkout"}, {}),
    "get_callers_as_results": (SYMBOL, {}),
    "impact": (SYMBOL, {"symbol": "addTax", "direction": "sideways"}),
    "link_lsp_to_chunk": ({"path": "src/cart.ts", "line": 5}, {"path": "nowhere.ts", "line": 5}),
    "locate": ({"text": "Tax is added twice\n\nsrc/tax.ts:2 in addTax"}, {}),
    "map": ({}, {"order": "backwards"}),
    "outline": ({"path": "src/cart.ts"}, {"path": "nowhere.ts"}),
    "paths": ({"from": "checkout", "to": "addTax"}, {"from": "checkout"}),
    "process": (None, {"process": "nowhere"}),
    "processes": ({}, {"limit": 1.5}),
    "query": ({"query": "tax"}, {}),
    "references": (SYMBOL, {"symbol": 7}),
    "regex": ({"pattern": "add\\w+"}, {"pattern": "("}),
    "rename": ({"symbol": "addTax", "new_name": "withTax"}, {"symbol": "addTax"}),
    "search": ({"query": "value added tax"}, {"query": "tax", "mode": "telepathy"}),
    "status": ({}, {"limit": None, "x": 1}),
    "subgraph": ({"from": "checkout"}, {}),
    "trace": ({"from": "checkout", "to": "addTax"}, {}),
    "traverse": ({"from": "checkout"}, {"from": "thereisnosuchsymbol"}),
    "usages": (SYMBOL, {}),
}


class Asking:
    """Calls operations by name, and remembers which were asked."""

    def __init__(self):
        self.asked = set()
        self.clients = {}

    def client(self, token):
        """One for each token: making one takes longer than a request."""
        if token not in self.clients:
            secret = GIVEN["tokens"].get(token, token)
            self.clients[token] = AuthenticatedClient(base_url=GIVEN["url"], token=secret)
        return self.clients[token]

    def call(self, operation, token="admin", **arguments):
        self.asked.add(operation)
        module = importlib.import_module(f"portolan_client.api.default.{snake(operation)}")
        return module.sync_detailed(client=self.client(token), **arguments)

    def tool(self, name, body, repo=REPOSITORY, token="read"):
        """A tool by POST, its request made by the model of the client."""
        return self.call(name, token, body=body_of(name, body), repo=repo)

    def raw(self, name, body, token="read"):
        """As a client sends that does not keep to the types."""
        return self.client(token).get_httpx_client().post(f"/v1/{name}?repo={REPOSITORY}", content=json.dumps(body))


def snake(name):
    return f"{name}_" if name in ("map",) else name


def body_of(operation, body):
    module = importlib.import_module(f"portolan_client.api.default.{snake(operation)}")
    hints = typing.get_type_hints(module.sync_detailed)
    models = [one for one in (typing.get_args(hints["body"]) or [hints["body"]]) if hasattr(one, "from_dict")]
    return models[0].from_dict(body)


def good(response, status=200):
    assert response.status_code == status, (response.status_code, response.content[:500])
    assert not isinstance(response.parsed, ErrorBody), response.content[:500]
    return response.parsed


def bad(response, *statuses):
    assert response.status_code in statuses, (response.status_code, statuses, response.content[:500])
    error = json.loads(response.content)
    assert set(error) == {"code", "message", "help"}, error
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", error["code"]) and error["message"], error
    return error["code"]


def tools(asking):
    for name, (request, refused) in TOOLS.items():
        if request is not None:
            good(asking.tool(name, request))
        if name == "status":
            continue
        bad(asking.raw(name, refused), 400, 404)
        bad(asking.raw(name, "no object"), 400)
    # Names that an answer gives are good input of other tools.
    listed = json.loads(asking.tool("communities", {}).content)
    first = next(iter(listed.get("communities", [])), None)
    if first:
        good(asking.tool("community", {"community": str(first.get("name", first.get("id")))}))
    listed = json.loads(asking.tool("processes", {}).content)
    first = next(iter(listed.get("processes", [])), None)
    if first:
        good(asking.tool("process", {"process": str(first.get("name", first.get("id")))}))
    for name in ("community", "process"):
        asking.asked.add(name)
    bad(asking.tool("status", {}, repo="acme/nothing"), 404)
    bad(asking.tool("status", {}, token="ptl_wrong"), 401)


def commands(asking):
    """Every command of code_intelligence, and a table of Cypher with every kind of value."""
    for command in ("find", "refs", "callers", "callees", "similar", "graph", "query"):
        answer = good(asking.tool("code_intelligence", {"command": command, **SYMBOL}))
        assert answer.command == command, answer
    query = "MATCH p = (a:Function {name: 'addTax'})<-[r:CALLS]-(b) RETURN a, r, p, [a.name, 1, null], {name: a.name}, $x, true ORDER BY b.name LIMIT 1"
    table = good(asking.tool("cypher", {"query": query, "parameters": {"x": ["text", {"deep": [1.5]}]}}))
    (node, relationship, path, listed, mapped, given, yes) = table.rows[0]
    assert (node["name"], relationship["type"], len(path["nodes"])) == ("addTax", "CALLS", 2), table
    assert (listed, mapped, given, yes) == (["addTax", 1, None], {"name": "addTax"}, ["text", {"deep": [1.5]}], True), table


def gets(asking):
    found = good(asking.call("get_search", "read", q="value added tax", repo=REPOSITORY, limit=3, language=[GetSearchLanguageItem.TYPESCRIPT]))
    assert found.hits[0].path == "src/tax.ts", found
    bad(asking.call("get_search", "read", q="tax", repo=REPOSITORY, limit=100_000), 400)
    good(asking.call("get_usages", "read", name="addTax", repo=REPOSITORY))
    bad(asking.call("get_usages", "read", name="", repo=REPOSITORY), 400, 404)
    good(asking.call("get_status", "read", repo=REPOSITORY, version="seed"))
    bad(asking.call("get_status", "read", repo=REPOSITORY, version="nothing"), 404)
    assert good(asking.call("health")).status == "ok"
    assert len(good(asking.call("list_tools"))) > 30
    assert asking.call("openapi").content
    assert b"portolan_requests_total" in asking.call("metrics", "read").content
    bad(asking.call("metrics", "ptl_wrong"), 401)


def versions(asking):
    name = "acme/added"
    listed = good(asking.call("list_repositories", "read"))
    assert REPOSITORY in [one.name for one in listed.repositories], listed
    asking.call("delete_repository", name=name)
    put = lambda **more: asking.call("put_index", "write", name=name, body=File(payload=INDEX), **more)
    first = good(put(commit=COMMIT, tree=TREE, parent=["3" * 40], tag=["v1"]), 201)
    bad(put(commit="main"), 422)
    bad(asking.call("put_index", "read", name=name, body=File(payload=INDEX)), 403)
    bad(asking.call("put_index", "write", name=name, body=File(payload=b"no index")), 422)
    second = good(put(commit="4" * 40, switch=True), 201)
    content = asking.call("get_index", "read", name=name, version="v1").content
    assert content == INDEX
    bad(asking.call("get_index", "read", name=name, version="v2"), 404)
    assert good(asking.call("list_versions", "read", name=name)).current == second.version.id
    bad(asking.call("list_versions", "read", name="acme/nothing"), 404)
    manifest = good(asking.call("get_version", "read", name=name, version=first.version.id))
    bad(asking.call("get_version", "read", name=name, version="0000000"), 404)
    asking_for = {"n_bytes": manifest.n_bytes, "sections": [one.to_dict() for one in manifest.sections]}
    source = {"source": {"commit": "5" * 40}, "switch": False}
    good(asking.call("add_version", "write", name=name, body=body_of("add_version", {**asking_for, **source})), 201)
    lacking = {"n_bytes": 7, "sections": [{"name": "sealed", "n_bytes": 7, "pieces": [{"digest": DIGEST, "n_bytes": 7}]}]}
    offer = good(asking.call("add_version", "write", name=name, body=body_of("add_version", lacking)), 202)
    assert offer.missing == [DIGEST], offer
    bad(asking.call("add_version", "write", name=name, body=body_of("add_version", {"n_bytes": -1, "sections": []})), 400, 422)
    good(asking.call("put_piece", "write", name=name, digest=DIGEST, body=File(payload=PIECE)), 204)
    bad(asking.call("put_piece", "write", name=name, digest=DIGEST, body=File(payload=b"other")), 422)
    bad(asking.call("put_piece", "write", name=name, digest="abc", body=File(payload=PIECE)), 404)
    nearest = {"commits": [{"commit": "9" * 40, "tree": "8" * 40}, {"commit": "7" * 40, "tree": TREE}]}
    near = good(asking.call("nearest_version", "read", name=name, body=body_of("nearest_version", nearest)))
    assert near.version.id == first.version.id and near.n_commits == 1, near
    wrong = {"commits": [{"commit": "main", "tree": "main"}]}
    bad(asking.call("nearest_version", "read", name=name, body=body_of("nearest_version", wrong)), 422)
    switch = lambda version, token="admin": asking.call(
        "switch_version", token, name=name, body=body_of("switch_version", {"version": version})
    )
    assert good(switch("previous")).id == first.version.id
    bad(switch("nowhere"), 404)
    bad(switch("previous", "write"), 403)
    dry = good(asking.call("prune_versions", name=name, body=body_of("prune_versions", {"keep": 1, "days": 0, "dry_run": True})))
    assert dry.n_kept >= 1, dry
    bad(asking.call("prune_versions", name=name, body=body_of("prune_versions", {"keep": -1})), 400)
    bad(asking.call("delete_version", name=name, version=first.version.id), 409)
    good(asking.call("delete_version", name=name, version=second.version.id))
    bad(asking.call("delete_repository", "write", name=name), 403)
    good(asking.call("delete_repository", name=name), 204)
    bad(asking.call("delete_repository", name="%2e%2e"), 400, 404)
    bad(asking.call("get_index", "read", name=name), 404)


def main():
    asking = Asking()
    tools(asking)
    commands(asking)
    gets(asking)
    versions(asking)
    known = {operation["operationId"] for path in DOCUMENT["paths"].values() for operation in path.values()}
    assert asking.asked == known, asking.asked ^ known
    print(f"asked {len(asking.asked)} operations")


main()
