//! The graph in the formats of other tools: written, read back by NetworkX, compared with what Cypher says of the index.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::ExportRequest;
use api::answer::{self, Asked, Json};
use engine::Reader;
use expect_test::expect;
use fixture::Fixture;
use serde_json::{Value, json};

use crate::support::{files_of, reader};

const NETWORKX: &str = "networkx==3.4.2";

const SHOP: &str = "
//- /docs/shop.md
# The <shop> & \"more\"; #1

Text.
//- /src/main.py
from src.shop import Basket, total

def main():
    basket = Basket()
    basket.add(\"a, b\")
    return total(basket)
//- /src/shop.py
import json

class Basket:
    def add(self, item, note='a \"b\", c'):
        return self.count()

    def count(self):
        return 1

def total(basket):
    return basket.count() + 1
";

fn shop() -> Reader {
    reader(files_of(&Fixture::parse(SHOP)))
}

fn ask(reader: &Reader, tool: &str, request: &Value) -> Result<Value, api::ErrorBody> {
    let asked = Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = answer::ask(asked, tool, &Json(&request.to_string()))?;
    Ok(serde_json::from_str(&answer).expect("an answer is JSON"))
}

fn write(reader: &Reader, format: &str, folder: &Path) {
    let request = ExportRequest {
        format: format.to_owned(),
        ..ExportRequest::default()
    };
    let exported = answer::export(reader, &request).expect("it is small");
    for file in exported.files {
        fs::write(folder.join(file.name), file.text).expect("a file");
    }
}

/// NetworkX in the project's cache, installed at the first run; none where there is no Python.
fn networkx() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/portolan"));
    let cache = std::env::var_os("PORTOLAN_CACHE")
        .map(PathBuf::from)
        .or_else(home)?;
    let folder = cache.join("python").join(NETWORKX.replace("==", "-"));
    if !folder.join("networkx").is_dir() {
        let pip = Command::new("python3")
            .args(["-m", "pip", "install", "--quiet", "--target"])
            .arg(&folder)
            .arg(NETWORKX)
            .status();
        if !pip.is_ok_and(|status| status.success()) {
            return None;
        }
    }
    Some(folder)
}

#[test]
fn networkx_reads_what_was_written() {
    let Some(packages) = networkx() else {
        eprintln!("neither python3 with pip nor NetworkX is here: not compared");
        return;
    };
    let reader = shop();
    let folder = tempfile();
    for format in ["graphml", "json", "csv"] {
        write(&reader, format, &folder);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("exports/check.py");
    let run = Command::new("python3")
        .env("PYTHONPATH", packages)
        .arg(script)
        .arg(&folder)
        .output()
        .expect("python3 runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let seen: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(seen["graphml"], seen["json"]);
    assert_eq!(seen["graphml"], seen["csv"]);
    assert_eq!(seen["odd"], json!(["The <shop> & \"more\"; #1"]));
    let count = |query: &str| {
        let table = ask(&reader, "cypher", &json!({ "query": query })).expect("a table");
        table["rows"][0][0].clone()
    };
    assert_eq!(seen["graphml"]["nodes"], count("MATCH (n) RETURN count(n)"));
    assert_eq!(
        seen["graphml"]["edges"],
        count("MATCH ()-[r]->() RETURN count(r)")
    );
    assert_eq!(
        seen["graphml"]["types"]["CALLS"],
        count("MATCH ()-[r:CALLS]->() RETURN count(r)")
    );
    expect![[r#"
        [
          [
            "Basket.add",
            "Basket.count",
            0.99,
            5
          ],
          [
            "main",
            "Basket",
            0.99,
            4
          ],
          [
            "main",
            "Basket.add",
            0.99,
            5
          ],
          [
            "main",
            "total",
            0.99,
            6
          ]
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&seen["graphml"]["calls"]).expect("JSON"));
}

fn tempfile() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("portolan-exports-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[track_caller]
fn check(request: Value, expected: expect_test::Expect) {
    let shown = match ask(&shop(), "export", &request) {
        Ok(answer) => {
            let files = answer["files"].as_array().expect("files").iter();
            let texts = files.map(|file| file["text"].as_str().unwrap_or_default());
            texts.collect::<Vec<_>>().join("\n").replace('\r', "")
        }
        Err(error) => format!("{}: {} [{}]", error.code, error.message, error.help),
    };
    expected.assert_eq(&shown);
}

#[test]
fn around_a_symbol() {
    check(
        json!({"format": "mermaid", "from": "main", "depth": 2, "edges": ["CALLS"]}),
        expect![[r#"
            flowchart LR
              subgraph f6["src/main.py"]
                n6["main"]
              end
              subgraph f7["src/shop.py"]
                n7["Basket"]
                n8["Basket.add"]
                n9["Basket.count"]
                n10["total"]
              end
              n6 --> n7
              n6 --> n8
              n6 --> n10
              n8 --> n9
        "#]],
    );
    check(
        json!({"format": "dot", "from": "total", "direction": "both", "depth": 1}),
        expect![[r#"
            digraph "fixture" {
              rankdir=LR;
              node [shape=box, style=rounded, fontname="sans-serif"];
              n1 [label="src/main.py", shape=note];
              subgraph cluster_6 {
                label="src/main.py";
                n6 [label="main"];
              }
              subgraph cluster_10 {
                label="src/shop.py";
                n10 [label="total"];
              }
              n1 -> n10 [label="references", style=dashed];
              n1 -> n10 [label="imports", style=dashed];
              n6 -> n10;
            }
        "#]],
    );
}

#[test]
fn some_files_and_kinds() {
    check(
        json!({"format": "csv", "paths": ["src/shop.py"], "nodes": ["class", "method"]}),
        expect![[r#"
            Id,Label,kind,qualified_name,path,line,end_line,signature,exported,test,complexity,centrality,community
            7,Basket,Class,Basket,src/shop.py,3,8,class Basket,true,false,,0.57142866,Shop: Basket
            8,add,Method,Basket.add,src/shop.py,4,5,"def add(self, item, note='a ""b"", c')",true,false,1,0.2597403,Shop: Basket
            9,count,Method,Basket.count,src/shop.py,7,8,def count(self),true,false,1,1,Shop: Basket

            Source,Target,Type,kind,confidence,reason,line,step
            7,8,Directed,DEFINES,1,structure,4,
            7,9,Directed,DEFINES,1,structure,7,
            7,8,Directed,HAS_METHOD,1,structure,4,
            7,9,Directed,HAS_METHOD,1,structure,7,
            8,9,Directed,CALLS,0.99,self-type,5,
        "#]],
    );
    check(
        json!({"format": "mermaid", "paths": ["docs/**"]}),
        expect![[r#"
            flowchart LR
              n0[/"docs/shop.md"/]
              subgraph f5["docs/shop.md"]
                n5["The #lt;shop#gt; #amp; #quot;more#quot;; #35;1"]
              end
              n0 -. defines .-> n5
        "#]],
    );
}

#[test]
fn what_cannot_be_written() {
    check(
        json!({"format": "pdf"}),
        expect![[
            r#"query.invalid: there is no format "pdf" [one of graphml, json, csv, dot, mermaid, svg]"#
        ]],
    );
    check(
        json!({"format": "graphml", "max_nodes": 3}),
        expect![
            "export.too-large: 14 nodes and 29 relationships are more than 3 and 5000000, the most for graphml [choose a symbol with a depth, kinds of nodes or relationships, or paths; or graphml, json, csv]"
        ],
    );
    check(
        json!({"format": "dot", "from": "main", "max_nodes": 2}),
        expect![
            "export.too-large: at least 3 nodes and 2 relationships are more than 2 and 20000, the most for dot [choose a symbol with a depth, kinds of nodes or relationships, or paths; or graphml, json, csv]"
        ],
    );
    check(
        json!({"format": "dot", "nodes": ["banana"]}),
        expect![[
            r#"query.invalid: there is no kind of node "banana" [one of file, folder, symbol, external, community, process, or a kind of symbol such as function, method, class]"#
        ]],
    );
    check(
        json!({"format": "dot", "from": "nowhere"}),
        expect![[r#"symbol.not-found: the index has no symbol "nowhere" []"#]],
    );
}
