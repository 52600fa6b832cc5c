//! Local names: each use leads to the binding that the language means, in every language that has a grammar.

use syntax::{Language, LocalKind, ParseConfig, Parsers};

/// Each local name as `line:column name → line:column kind`, 1-based; the module of an import behind it.
fn locals(language: Language, text: &str) -> Vec<String> {
    let place = |at: u32| {
        let before = &text[..at as usize];
        let line = before.matches('\n').count() + 1;
        let column = at as usize - before.rfind('\n').map_or(0, |start| start + 1) + 1;
        format!("{line}:{column}")
    };
    Parsers::new(ParseConfig::default())
        .locals(language, text)
        .into_iter()
        .map(|local| {
            let name = &text[local.range.0 as usize..local.range.1 as usize];
            let module = &text[local.module.0 as usize..local.module.1 as usize];
            let kind = match local.kind {
                LocalKind::Variable => "variable",
                LocalKind::Parameter => "parameter",
                LocalKind::Import => "import",
            };
            let (at, bound) = (place(local.range.0), place(local.bound.0));
            format!("{at} {name} → {bound} {kind} {module}")
                .trim_end()
                .to_owned()
        })
        .collect()
}

#[track_caller]
fn check(language: Language, text: &str, expected: &[&str]) {
    let found = locals(language, text);
    for line in expected {
        assert!(
            found.iter().any(|one| one == line),
            "{language:?}: {line} is not among {found:#?}"
        );
    }
}

#[test]
fn an_inner_binding_hides_an_outer_one() {
    let text = "function f(size) {\n  const size2 = size;\n  if (size) {\n    const size2 = 1;\n    g(size2);\n  }\n  return size2;\n}\n";
    check(
        Language::JavaScript,
        text,
        &[
            "1:12 size → 1:12 parameter",
            "2:17 size → 1:12 parameter",
            "5:7 size2 → 4:11 variable",
            "7:10 size2 → 2:9 variable",
        ],
    );
}

#[test]
fn members_labels_and_strings_are_no_uses() {
    let text =
        "function f(name) {\n  // name\n  g('name', x.name, { name: 1 });\n  return { name };\n}\n";
    let found = locals(Language::JavaScript, text);
    assert_eq!(
        found,
        ["1:12 name → 1:12 parameter", "4:12 name → 1:12 parameter"]
    );
    let python = "def f(size):\n    g(size=size)\n    return self.size\n";
    assert_eq!(
        locals(Language::Python, python),
        ["1:7 size → 1:7 parameter", "2:12 size → 1:7 parameter"]
    );
}

#[test]
fn imported_names_say_where_they_come_from() {
    let text = "import { get as fetch } from 'undici'\nconst path = require('node:path')\nfetch(path.sep)\n";
    check(
        Language::JavaScript,
        text,
        &[
            "3:1 fetch → 1:17 import undici",
            "3:7 path → 2:7 import node:path",
        ],
    );
    let python = "from os.path import join as j\nj('a')\n";
    check(Language::Python, python, &["2:1 j → 1:29 import os.path"]);
    let rust = "use serde::{Deserialize, Serialize};\nfn f(x: Serialize) {}\n";
    check(
        Language::Rust,
        rust,
        &["1:13 Deserialize → 1:13 import serde"],
    );
}

#[test]
fn callbacks_have_their_own_parameters() {
    let text = "function f(item) {\n  all.map((item) => item.id);\n  all.map(x => x + item);\n}\n";
    check(
        Language::TypeScript,
        text,
        &[
            "2:21 item → 2:12 parameter",
            "3:16 x → 3:11 parameter",
            "3:20 item → 1:12 parameter",
        ],
    );
}

#[test]
fn a_name_that_is_bound_anew_means_the_last_binding_before() {
    let text = "fn f(size: u32) -> u32 {\n    let total = size;\n    let total = total + 1;\n    total\n}\n";
    check(
        Language::Rust,
        text,
        &["2:17 size → 1:6 parameter", "4:5 total → 3:9 variable"],
    );
}

#[test]
fn an_assignment_is_a_use_where_there_is_a_declaration() {
    let text =
        "function f() {\n  let made;\n  if (x) {\n    made = new A();\n    made.run();\n  }\n}\n";
    check(
        Language::JavaScript,
        text,
        &["4:5 made → 2:7 variable", "5:5 made → 2:7 variable"],
    );
}

#[test]
fn every_language_binds_parameters_and_variables() {
    let cases: &[(Language, &str, &[&str])] = &[
        (
            Language::Python,
            "def f(a):\n    b = a\n    if a:\n        b = 2\n    return b\n",
            &["2:9 a → 1:7 parameter", "5:12 b → 2:5 variable"],
        ),
        (
            Language::Go,
            "package p\nfunc f(a int) int {\n\tb := a\n\treturn b\n}\n",
            &["3:7 a → 2:8 parameter", "4:9 b → 3:2 variable"],
        ),
        (
            Language::Java,
            "class C {\n  int f(A a) {\n    B b = a.b();\n    return b.c();\n  }\n}\n",
            &["3:11 a → 2:11 parameter", "4:12 b → 3:7 variable"],
        ),
        (
            Language::C,
            "int f(A *a) {\n  B *b = g(a);\n  return h(b);\n}\n",
            &["2:12 a → 1:10 parameter", "3:12 b → 2:6 variable"],
        ),
        (
            Language::CSharp,
            "class C {\n  int F(A a) {\n    var b = a.B();\n    return b.C();\n  }\n}\n",
            &["3:13 a → 2:11 parameter", "4:12 b → 3:9 variable"],
        ),
        (
            Language::Kotlin,
            "fun f(a: A): B {\n  val b = a.b()\n  return b\n}\n",
            &["2:11 a → 1:7 parameter", "3:10 b → 2:7 variable"],
        ),
        (
            Language::Ruby,
            "def f(a)\n  b = a\n  b\nend\n",
            &["2:7 a → 1:7 parameter", "3:3 b → 2:3 variable"],
        ),
        (
            Language::Lua,
            "function f(a)\n  local b = a\n  return b\nend\n",
            &["2:13 a → 1:12 parameter", "3:10 b → 2:9 variable"],
        ),
    ];
    for (language, text, expected) in cases {
        check(*language, text, expected);
    }
}

#[test]
fn many_bindings_of_one_name_and_deep_nesting_stay_quick() {
    let many = format!(
        "function f() {{\n{}}}\n",
        "{ let x = 1; g(x); }\n".repeat(5_000)
    );
    assert_eq!(locals(Language::JavaScript, &many).len(), 10_000);
    let deep = format!(
        "function f(x) {{ {} x {} }}",
        "{".repeat(3_000),
        "}".repeat(3_000)
    );
    assert!(!locals(Language::JavaScript, &deep).is_empty());
    assert!(locals(Language::Markdown, "# x\n").is_empty());
}
