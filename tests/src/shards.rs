//! An index in shards answers as one of a single snapshot does: every tool, as JSON, on fixtures, on
//! generated repositories and on this one's own sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::answer::{self, Asked, Json};
use engine::{Engine, EngineConfig, Index, Snapshot, SnapshotError};
use serde_json::{Value, json};
use shards::{Root, Shards, ShardsBuilder};

use crate::support::{parsers, unit};

mod forged;
mod generated;

/// Files with their texts.
type Texts = BTreeMap<String, String>;

fn texts(files: &[(&str, &str)]) -> Texts {
    let files = files.iter();
    files
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

/// An engine with the files that pass.
fn engine(texts: &Texts, passes: impl Fn(&str) -> bool) -> Engine {
    let mut engine = Engine::new(EngineConfig {
        name: "fixture".to_owned(),
        ..EngineConfig::default()
    });
    let mut parsers = parsers();
    for (path, text) in texts.iter().filter(|(path, _)| passes(path)) {
        engine.put(path, text.clone(), unit(&mut parsers, path, text));
    }
    engine
}

fn whole(texts: &Texts) -> Index {
    let snapshot = engine(texts, |_| true).build(0.0).expect("a snapshot");
    Index::new(Arc::new(snapshot)).expect("an index")
}

/// The snapshots of shards as bytes, and the root as bytes.
fn saved(texts: &Texts, shard_of: &BTreeMap<&str, u16>) -> (Vec<Vec<u8>>, Vec<u8>) {
    let n_shards = shard_of.values().max().map_or(0, |most| most + 1);
    let of = |shard: u16| engine(texts, |path| shard_of[path] == shard);
    let config = EngineConfig {
        name: "fixture".to_owned(),
        ..EngineConfig::default()
    };
    let mut first = ShardsBuilder::new(config);
    for shard in 0..n_shards {
        first.add(shard, &of(shard)).expect("files of a shard");
    }
    let mut second = first.resolve();
    let snapshots = (0..n_shards).map(|shard| {
        let snapshot = second.build(shard, &of(shard), 0.0, &mut ());
        snapshot
            .expect("a shard")
            .to_bytes()
            .expect("bytes")
            .to_vec()
    });
    let snapshots = snapshots.collect();
    let root = second.finish(0.0).expect("a root");
    (snapshots, root.to_bytes().expect("bytes"))
}

/// An index in shards, saved and opened again.
fn sharded(texts: &Texts, shard_of: &BTreeMap<&str, u16>) -> (Index, Arc<Shards>) {
    let (snapshots, root) = saved(texts, shard_of);
    let root = Root::from_bytes(&root).expect("what was saved opens");
    let open = move |shard: u16| -> Result<Arc<Snapshot>, SnapshotError> {
        Ok(Arc::new(Snapshot::open(&snapshots[usize::from(shard)])?))
    };
    let shards = Arc::new(Shards::new(root, Box::new(open)));
    (shards.index().expect("an index"), shards)
}

/// Deals files to `n` shards in turn: the worst there is, since nearly every edge leaves its shard.
fn in_turn(texts: &Texts, n: u16) -> BTreeMap<&str, u16> {
    let paths = texts.keys().map(String::as_str);
    (0..)
        .zip(paths)
        .map(|(at, path): (usize, _)| (path, (at % usize::from(n)) as u16))
        .collect()
}

fn ask(index: &Index, tool: &str, request: &Value) -> Value {
    let asked = Asked {
        index,
        embed: &|_| Ok(None),
        clock: None,
    };
    match answer::ask(asked, tool, &Json(&request.to_string())) {
        Ok(answer) => serde_json::from_str(&answer).expect("JSON"),
        Err(error) => json!({ "error": error.code, "message": error.message, "help": error.help }),
    }
}

/// Searches by words, by names and for uses, of every symbol and with every option.
fn searches(symbols: &[String]) -> Vec<(&'static str, Value)> {
    let mut asked = vec![
        ("search", json!({ "query": "add one" })),
        ("search", json!({ "query": "where is helper defined" })),
        ("search", json!({ "query": "Cart", "explain": true })),
        ("search", json!({ "query": "selll", "explain": true })),
        ("search", json!({ "query": "nothing_like_it" })),
        ("search", json!({ "query": "usages of Shop" })),
        (
            "search",
            json!({ "query": "tests of the shop", "ungrouped": true }),
        ),
        ("search", json!({ "query": "helper", "mode": "graph" })),
        (
            "search",
            json!({ "query": "carts", "mode": "all", "offset": 1 }),
        ),
        (
            "search",
            json!({ "query": "return", "kinds": ["class"], "paths": ["*.py"] }),
        ),
        (
            "search",
            json!({ "query": "run", "min_complexity": 1, "limit": 3 }),
        ),
        (
            "search",
            json!({ "query": "run", "node_types": ["class_definition"] }),
        ),
    ];
    for symbol in symbols {
        let name = symbol.rsplit(['#', '.']).next().unwrap_or_default();
        for query in [
            name.to_owned(),
            format!("who calls {name}"),
            format!("definition of {name}"),
            format!("{name} of a file"),
            symbol.clone(),
        ] {
            asked.push(("search", json!({ "query": query, "explain": true })));
        }
    }
    asked
}

/// Texts to locate: about every symbol and file, with names, paths, frames, messages and code.
fn reports(symbols: &[String], files: &[String]) -> Vec<(&'static str, Value)> {
    let mut texts = vec![
        "helper fails".to_owned(),
        "The tests of the shop fail\n\nA test says that one is added twice.".to_owned(),
        "nothing_like_it\n\nzzz qqq".to_owned(),
        "Crash\n\n```\nTraceback (most recent call last):\n  File \"a.py\", line 5, in run\n    return self.sell(helper(2))\n  File \"pkg/b.py\", line 5, in helper\nFileNotFoundError: no such file: 'Adds one of several'\n```\n".to_owned(),
        "Basket.fill adds nothing\n\n`web/d.ts:3` calls `Cart.add`, and `new Basket().fill()` returns one.".to_owned(),
    ];
    for symbol in symbols {
        let name = symbol.rsplit(['#', '.']).next().unwrap_or_default();
        texts.push(format!("{name} returns a wrong number"));
        texts.push(format!("A wrong number\n\nIt is returned by `{name}` where one is added to the shop, as the text of helper says."));
    }
    texts.extend(
        files
            .iter()
            .map(|path| format!("Broken\n\nSee {path}, line 2.")),
    );
    let mut asked: Vec<(&'static str, Value)> = texts
        .iter()
        .map(|text| ("locate", json!({ "text": text })))
        .collect();
    let filters = [
        json!({ "text": texts[3], "paths": ["*.py"], "limit": 2 }),
        json!({ "text": texts[4], "languages": ["typescript"], "function_limit": 3, "max_tokens": 400 }),
        json!({ "text": texts[0], "together": [{ "path": "a.py", "files": [{ "path": "corner.py", "confidence": 0.8 }] }] }),
    ];
    asked.extend(filters.map(|request| ("locate", request)));
    asked
}

/// A selector of every symbol, and the path of every file.
fn selectors_and_paths(index: &Index) -> (Vec<String>, Vec<String>) {
    index
        .ask(|reader| {
            let graph = reader.graph();
            let files: Vec<String> = reader
                .files()
                .map(|file| reader.path(file).to_owned())
                .collect();
            let symbols = reader.files().flat_map(|file| graph.symbols_of(file));
            let symbols: Vec<String> = symbols.map(|symbol| reader.selector_of(symbol)).collect();
            Ok::<_, engine::Error>((symbols, files))
        })
        .expect("lists")
}

/// Questions about every symbol and file of an index.
fn questions(index: &Index) -> Vec<(&'static str, Value)> {
    let (symbols, files) = selectors_and_paths(index);
    let mut asked = vec![
        ("status", json!({})),
        ("files", json!({})),
        ("map", json!({ "max_tokens": 400 })),
        ("atlas", json!({ "limit": 40 })),
        ("processes", json!({ "limit": 50 })),
        ("communities", json!({ "limit": 50 })),
        ("cycles", json!({ "edges": ["CALLS", "IMPORTS"] })),
        ("export", json!({ "format": "json" })),
        ("regex", json!({ "pattern": "\\w+\\(" })),
        (
            "cypher",
            json!({ "query": "MATCH (a)-[r:CALLS]->(b) RETURN a.name, b.name, r.confidence ORDER BY a.name, b.name" }),
        ),
        (
            "cypher",
            json!({ "query": "MATCH (a)-[r]->(b) RETURN type(r), count(*) AS n ORDER BY n, type(r)" }),
        ),
        ("find", json!({ "symbol": "nothing_like_it" })),
        ("find", json!({ "symbol": "hel" })),
        ("callers", json!({ "symbol": "no_such_name" })),
    ];
    asked.extend(searches(&symbols));
    for symbol in &symbols {
        let of = |more: Value| {
            let mut request = json!({ "symbol": symbol });
            for (key, value) in more.as_object().expect("fields") {
                request[key] = value.clone();
            }
            request
        };
        asked.extend([
            ("find", of(json!({}))),
            ("usages", of(json!({}))),
            ("references", of(json!({}))),
            ("callers", of(json!({ "depth": 3 }))),
            ("callees", of(json!({ "depth": 3 }))),
            ("context", of(json!({}))),
            ("impact", of(json!({ "depth": 4 }))),
            (
                "impact",
                of(json!({ "depth": 4, "direction": "downstream" })),
            ),
            ("rename", of(json!({ "new_name": "renamed" }))),
            ("traverse", json!({ "from": symbol, "depth": 3 })),
            ("subgraph", json!({ "from": symbol, "depth": 2 })),
            ("usages", of(json!({}))),
            ("find_chunks_for_symbol", of(json!({}))),
            ("get_callers_as_results", of(json!({}))),
            ("get_callees_as_results", of(json!({}))),
            ("code_intelligence", of(json!({ "command": "refs" }))),
            ("query", json!({ "query": symbol })),
            ("assemble", json!({ "query": symbol })),
        ]);
    }
    asked.extend(reports(&symbols, &files));
    for (from, to) in symbols.iter().zip(symbols.iter().rev()).take(40) {
        asked.push(("trace", json!({ "from": from, "to": to })));
        asked.push(("paths", json!({ "from": from, "to": to })));
    }
    for path in &files {
        asked.push(("outline", json!({ "path": path })));
        asked.push(("file_text", json!({ "path": path })));
        asked.push(("chunks", json!({ "path": path })));
        let after = json!([{ "path": path, "text": "def helper(): pass\n" }]);
        asked.push(("detect_changes", json!({ "after": after })));
        asked.push(("impact", json!({ "symbol": path })));
        for line in 0..6 {
            for character in [0, 4, 9, 14] {
                let place = json!({ "path": path, "line": line, "character": character });
                asked.push(("definition", place.clone()));
                asked.push(("link_lsp_to_chunk", place));
            }
        }
    }
    asked
}

/// Sizes of sections are those of files, which differ.
fn without_sizes(mut answer: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("sections");
        answer.remove("n_shards");
    }
    answer
}

#[track_caller]
fn check(texts: &Texts, shard_of: &BTreeMap<&str, u16>) {
    let whole = whole(texts);
    let (sharded, _) = sharded(texts, shard_of);
    for (tool, request) in questions(&whole) {
        let expected = without_sizes(ask(&whole, tool, &request));
        let found = without_sizes(ask(&sharded, tool, &request));
        assert_eq!(found, expected, "{tool} {request} in {shard_of:?}");
    }
}

const SHOP: [(&str, &str); 8] = [
    ("pkg/__init__.py", "from .b import helper\n"),
    (
        "pkg/b.py",
        "import os\n\ndef helper(n):\n    \"\"\"Adds one.\"\"\"\n    os.remove(n)\n    return n + 1\n",
    ),
    (
        "a.py",
        "from pkg.b import helper\n\nclass Shop:\n    def run(self):\n        return self.sell(helper(2))\n\n    def sell(self, n):\n        return n\n\ndef main():\n    Shop().run()\n",
    ),
    (
        "corner.py",
        "import os\nfrom a import Shop\n\nclass Corner(Shop):\n    def sell(self, n):\n        return helper(n)\n\ndef helper(n): return os.path.join(n)\n\ndef open_all(shops: list[Shop]):\n    for shop in shops:\n        shop.run()\n",
    ),
    (
        "web/c.ts",
        "import fs from 'node:fs';\nexport class Cart {\n  add() { return helper(); }\n}\nfunction helper() { return fs.writeFileSync('a', 'b'); }\n",
    ),
    (
        "web/d.ts",
        "import { Cart } from \"./c\";\nexport class Basket extends Cart {\n  fill() { return this.add(); }\n}\nexport const make = () => new Basket().fill();\n",
    ),
    (
        "tests/test_a.py",
        "from a import Shop, main\n\ndef test_run():\n    assert Shop().run() == 3\n    main()\n",
    ),
    ("README.md", "# Title\n\nText about `helper` and carts.\n"),
];

#[test]
fn every_division_of_a_fixture_answers_as_one_index() {
    let texts = texts(&SHOP);
    for n in 1..=4 {
        check(&texts, &in_turn(&texts, n));
    }
    check(&texts, &in_turn(&texts, 8));
    let (_, shards) = sharded(&texts, &in_turn(&texts, 8));
    let joint = shards.root().joint();
    // Every file is a shard: all uses of other files are between shards.
    assert!(joint.edges.sources.len() > 30 && joint.uses.numbers.len() > 10);
    assert!(
        !joint.hub.processes.kinds.is_empty(),
        "a flow through several shards"
    );
}

const KERNEL: [(&str, &str); 5] = [
    (
        "include/shop.h",
        "struct price { int (*round)(int); int of; };\nstruct cart { struct price *price; int n; };\n#define TWICE(x) ((x) * 2)\nstruct cart *make_cart(int n);\nextern struct cart *all;\n",
    ),
    (
        "cart.c",
        "#include \"include/shop.h\"\nstruct cart *all;\nstatic int helper(int n) { int twice = TWICE(n); return twice; }\nstruct cart *make_cart(int n) {\n  struct cart *cart = all;\n  struct price *price = cart->price;\n  price->of = helper(n);\n  return cart;\n}\nuntyped(n) int n; { struct cart *cart = make_cart(n); return cart->n; }\n",
    ),
    (
        "sell.c",
        "#include \"include/shop.h\"\nint sell(int n) {\n  struct cart *cart = make_cart(n);\n  int of = cart->price->round(cart->n);\n  { struct price *cart = all->price; of += cart->of; }\n  return of + untyped(n) + cart->n;\n}\n",
    ),
    (
        "run.c",
        "#include \"include/shop.h\"\nstatic int helper(struct price *price) { return price->round(price->of); }\nint run(void) {\n  struct price *price = make_cart(1)->price;\n  int sell = helper(price);\n  return sell;\n}\n",
    ),
    (
        "main.c",
        "int sell(int n);\nint run(void);\nint main(void) { int (*each)(int) = sell; return each(2) + run(); }\n",
    ),
];

#[test]
fn functions_of_c_keep_their_variables_in_their_shard() {
    let texts = texts(&KERNEL);
    for n in 1..=5 {
        check(&texts, &in_turn(&texts, n));
    }
    let (index, _) = sharded(&texts, &in_turn(&texts, 5));
    let answer = ask(
        &index,
        "references",
        &json!({ "symbol": "include/shop.h#price.of" }),
    );
    let lines = answer["references"].as_array().expect("references").len();
    assert_eq!(lines, 3, "by variables of three functions: {answer}");
}

#[test]
fn a_shard_is_opened_when_a_question_reaches_it() {
    let texts = texts(&SHOP);
    let (index, shards) = sharded(&texts, &in_turn(&texts, 8));
    ask(&index, "status", &json!({}));
    assert_eq!(shards.n_open(), 0);
    ask(&index, "outline", &json!({ "path": "web/d.ts" }));
    assert_eq!(shards.n_open(), 1);
}

#[test]
fn locate_finds_files_in_several_shards() {
    let texts = texts(&SHOP);
    let (index, _) = sharded(&texts, &in_turn(&texts, 8));
    let text = "helper of the shop fails\n\n`Corner.sell` calls it, and Cart.add another one.";
    let answer = ask(&index, "locate", &json!({ "text": text }));
    let files = answer["files"].as_array().expect("files");
    let paths: Vec<&str> = files
        .iter()
        .filter_map(|file| file["path"].as_str())
        .collect();
    for path in ["corner.py", "pkg/b.py", "web/c.ts"] {
        assert!(paths.contains(&path), "{answer}");
    }
    assert_eq!(ask(&index, "status", &json!({}))["n_shards"], 8);
}
