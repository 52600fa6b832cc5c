//! Structural search in documents: each has a grammar of its own, for queries and for patterns in its own syntax.
//!
//! `pkg/test/compiled-grammars.test.mjs` asks the same of the WebAssembly files: it reads the cases of this file.

use expect_test::{Expect, expect};
use syntax::Language;

use crate::structural::{check, check_spec, query};

#[track_caller]
fn check_query(language: Language, form: &str, text: &str, expected: Expect) {
    check_spec(language, &query(form), text, expected);
}

#[test]
fn toml_has_a_tree() {
    let text = r#"
[package]
name = "shop"
[dependencies]
serde = { version = "1", features = ["derive"] }
"#;
    check_query(
        Language::Toml,
        r#"(table (bare_key) @table (#eq? @table "package") (pair (bare_key) @key)) @match"#,
        text,
        expect![[r#"
            2: [package]⏎name = "shop"⏎ | match=[package]⏎name = "shop"⏎ | table=package | key=name
        "#]],
    );
    check(
        Language::Toml,
        "name = $VALUE",
        text,
        expect![[r#"
        3: name = "shop" | VALUE="shop"
    "#]],
    );
    check(
        Language::Toml,
        "$NAME = { version = $V, features = $F }",
        text,
        expect![[r#"
            5: serde = { version = "1", features = ["derive"] } | F=["derive"] | NAME=serde | V="1"
        "#]],
    );
}

#[test]
fn json_has_a_tree() {
    let text =
        r#"{"name": "shop", "scripts": {"test": "node --test", "build": "tsc"}, "private": true}"#;
    check_query(
        Language::Json,
        r#"(pair key: (string) @key value: (object)) @match"#,
        text,
        expect![[r#"
            1: "scripts": {"test": "node --test", "build": "tsc"} | match="scripts": {"test": "node --test", "build": "tsc"} | key="scripts"
        "#]],
    );
    check(
        Language::Json,
        r#""name": $NAME"#,
        text,
        expect![[r#"
        1: "name": "shop" | NAME="shop"
    "#]],
    );
    check(
        Language::Json,
        "$KEY: true",
        text,
        expect![[r#"
        1: "private": true | KEY="private"
    "#]],
    );
}

#[test]
fn yaml_has_a_tree() {
    let text = r#"
on: push
jobs:
  test:
    runs-on: ubuntu
    steps:
      - uses: actions/checkout@v4
      - run: npm test
"#;
    check_query(
        Language::Yaml,
        r#"(block_mapping_pair key: (_) @key value: (_) @value (#eq? @key "uses")) @match"#,
        text,
        expect![[r#"
            7: uses: actions/checkout@v4 | match=uses: actions/checkout@v4 | key=uses | value=actions/checkout@v4
        "#]],
    );
    check(
        Language::Yaml,
        "uses: $ACTION",
        text,
        expect![[r#"
        7: uses: actions/checkout@v4 | ACTION=actions/checkout@v4
    "#]],
    );
}

#[test]
fn markdown_has_a_tree() {
    let text = r#"# Shop

Prices *with* tax.

```sh
npm test
```

- one
- two
"#;
    check_query(
        Language::Markdown,
        r#"(fenced_code_block (info_string (language) @language)) @match"#,
        text,
        expect![[r#"
            5: ```sh⏎npm test⏎```⏎ | match=```sh⏎npm test⏎```⏎ | language=sh
        "#]],
    );
    check(
        Language::Markdown,
        "# $TITLE",
        text,
        expect![[r#"
        1: # Shop⏎ | TITLE=Shop
    "#]],
    );
}

#[test]
fn html_has_a_tree() {
    let text = r#"<main><a href="/shop" class="big">Shop</a><br><a href="/cart">Cart</a></main>"#;
    check_query(
        Language::Html,
        r#"(element (start_tag (tag_name) @tag) (#eq? @tag "a")) @match"#,
        text,
        expect![[r#"
            1: <a href="/shop" class="big">Shop</a> | match=<a href="/shop" class="big">Shop</a> | tag=a
            1: <a href="/cart">Cart</a> | match=<a href="/cart">Cart</a> | tag=a
        "#]],
    );
    check(
        Language::Html,
        r#"<a href="$WHERE">$$$</a>"#,
        text,
        expect![[r#"
            1: <a href="/cart">Cart</a> | WHERE=/cart
        "#]],
    );
}

#[test]
fn css_has_a_tree() {
    let text = r#"
a { color: red; margin: 0 }
@media print { b { color: blue !important } }
"#;
    check_query(
        Language::Css,
        r#"(declaration (property_name) @name (important)) @match"#,
        text,
        expect![[r#"
            3: color: blue !important | match=color: blue !important | name=color
        "#]],
    );
    check(
        Language::Css,
        "color: $COLOR",
        text,
        expect![[r#"
        2: color: red; | COLOR=red
        3: color: blue !important | COLOR=blue
    "#]],
    );
}

#[test]
fn sql_has_a_tree() {
    let text = r#"
CREATE TABLE users (id INT PRIMARY KEY, name TEXT NOT NULL);
SELECT name FROM users WHERE id = 1;
DELETE FROM users;
"#;
    check_query(
        Language::Sql,
        r#"(create_table (object_reference) @table) @match"#,
        text,
        expect![[r#"
            2: CREATE TABLE users (id INT PRIMARY KEY, name TEXT NOT NULL) | match=CREATE TABLE users (id INT PRIMARY KEY, name TEXT NOT NULL) | table=users
        "#]],
    );
    check(
        Language::Sql,
        "DELETE FROM $TABLE",
        text,
        expect![[r#"
        4: DELETE FROM users | TABLE=users
    "#]],
    );
    check(
        Language::Sql,
        "SELECT $COLUMN FROM $TABLE WHERE $$$",
        text,
        expect![[r#"
            3: SELECT name FROM users WHERE id = 1 | COLUMN=name | TABLE=users
        "#]],
    );
}
