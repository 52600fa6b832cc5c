//! The sources of the index, and the questions that are asked of it.

pub const FILES: [(&str, &str); 6] = [
    (
        "shop/cart.py",
        "from shop.tax import add_tax\n\nclass Cart:\n    \"\"\"Holds items.\"\"\"\n    def total(self, net):\n        return add_tax(net)\n",
    ),
    (
        "shop/tax.py",
        "RATE = 1.2\n\ndef add_tax(net):\n    \"\"\"Adds tax to a net price.\"\"\"\n    return net * RATE\n",
    ),
    (
        "shop/corner.py",
        "from shop.cart import Cart\n\nclass Corner(Cart):\n    def run(self):\n        return self.total(2)\n\ndef main():\n    Corner().run()\n",
    ),
    (
        "tests/test_tax.py",
        "from shop.tax import add_tax\n\ndef test_tax():\n    assert add_tax(1) == 1.2\n",
    ),
    (
        "web/cart.ts",
        "export class Basket {\n  // where tax is added\n  fill() { return this.add(); }\n  add() { return 1; }\n}\n",
    ),
    ("README.md", "# Shop\n\nTax is added by `add_tax`.\n"),
];

pub const TARGETS: [&str; 14] = [
    "/v1/search?q=where+is+tax+added",
    "/v1/search?q=add_tax&explain=1",
    "/v1/search?q=who+calls+add_tax",
    "/v1/search?q=definition+of+Cart",
    "/v1/search?q=add_taxx",
    "/v1/search?q=nothing_like_it",
    "/v1/search?q=tax&language=python&limit=2&offset=1",
    "/v1/search?q=tax&path=!tests/**&ungrouped=1",
    "/v1/search?q=tax&kind=function",
    "/v1/search?q=tax&path=%5B",
    "/v1/status",
    "/v1/symbol?name=add_tax",
    "/v1/symbol?name=add_tax&view=callers&depth=4",
    "/v1/symbol?name=nothing&view=callers",
];

pub const POSTED: [(&str, &str); 23] = [
    ("map", "{}"),
    ("impact", r#"{"symbol": "add_tax", "depth": 4}"#),
    ("trace", r#"{"from": "main", "to": "add_tax"}"#),
    ("context", r#"{"symbol": "Cart.total"}"#),
    (
        "cypher",
        r#"{"query": "MATCH (a)-[r:CALLS]->(b) RETURN a.name, b.name ORDER BY a.name, b.name"}"#,
    ),
    ("regex", r#"{"pattern": "tax"}"#),
    ("outline", r#"{"path": "shop/cart.py"}"#),
    (
        "rename",
        r#"{"symbol": "Cart.total", "new_name": "sum_up"}"#,
    ),
    // Tools that search within, with conditions that are not those of the request: kinds, numbers, layers, vectors.
    ("query", r#"{"query": "who adds tax"}"#),
    (
        "query",
        r#"{"query": "tax of a cart", "languages": ["python"], "paths": ["!tests/**"], "max_definitions": 2}"#,
    ),
    ("query", r#"{"query": "tax", "paths": ["[", "a"]}"#),
    ("assemble", r#"{"query": "who adds tax"}"#),
    (
        "assemble",
        r#"{"query": "cart", "paths": ["*.ts"], "max_tokens": 90, "min_share": 0}"#,
    ),
    ("assemble", r#"{"query": " "}"#),
    (
        "assemble",
        r#"{"query": "where tax is added", "similarity_threshold": 0.4}"#,
    ),
    (
        "code_intelligence",
        r#"{"command": "similar", "symbol": "add_tax"}"#,
    ),
    (
        "code_intelligence",
        r#"{"command": "similar", "symbol": "Cart.total", "limit": 2}"#,
    ),
    (
        "code_intelligence",
        r#"{"command": "similar", "symbol": "a basket of items"}"#,
    ),
    // Words of all files, weighed in the front.
    ("locate", r#"{"text": "add_tax adds no tax"}"#),
    (
        "locate",
        r#"{"text": "Wrong total\n\n`Cart.total` in shop/cart.py:6 adds tax twice: Holds items of a net price", "limit": 2}"#,
    ),
    (
        "locate",
        r#"{"text": "tests of tax", "paths": ["*.py"], "code": false}"#,
    ),
    (
        "search",
        r#"{"query": "tax", "weights": {"joined_words": 3, "candidates": 2}, "min_complexity": 1}"#,
    ),
    (
        "search",
        r#"{"query": "tax", "node_types": ["function_definition"], "max_complexity": 3}"#,
    ),
];
