//! Structural search: patterns and queries in several languages, errors with their place, and limits that hold.

use expect_test::{Expect, expect};
use syntax::structural::{
    Constraint, Strictness, StructuralErrorKind, StructuralFound, StructuralSpec, Wanted,
};
use syntax::{Language, ParseConfig, Parsers};

pub(crate) fn code(pattern: &str) -> StructuralSpec {
    StructuralSpec::new(Wanted::Code(pattern.to_owned()))
}

pub(crate) fn query(query: &str) -> StructuralSpec {
    StructuralSpec::new(Wanted::Query(query.to_owned()))
}

pub(crate) fn find(language: Language, spec: &StructuralSpec, text: &str) -> StructuralFound {
    let mut parsers = Parsers::new(ParseConfig::default());
    match parsers.structural(language, spec) {
        Ok(structural) => parsers.find_structural(&structural, text, 100, 1e9),
        Err(error) => panic!("{error}"),
    }
}

/// `line: match | NAME=capture`, one per line.
fn render(found: &StructuralFound, text: &str) -> String {
    let piece = |start: u32, end: u32| text[start as usize..end as usize].replace('\n', "⏎");
    let line = |one: &syntax::structural::StructuralMatch| {
        let captures = one
            .captures
            .iter()
            .map(|c| format!(" | {}={}", c.name, piece(c.span.start, c.span.end)));
        let found = piece(one.span.start, one.span.end);
        format!(
            "{}: {found}{}\n",
            one.span.start_line + 1,
            captures.collect::<String>()
        )
    };
    found.matches.iter().map(line).collect()
}

#[track_caller]
pub(crate) fn check(language: Language, pattern: &str, text: &str, expected: Expect) {
    check_spec(language, &code(pattern), text, expected);
}

#[track_caller]
pub(crate) fn check_spec(language: Language, spec: &StructuralSpec, text: &str, expected: Expect) {
    expected.assert_eq(&render(&find(language, spec, text), text));
}

fn check_error(language: Language, spec: &StructuralSpec, expected: Expect) {
    let mut parsers = Parsers::new(ParseConfig::default());
    match parsers.structural(language, spec) {
        Ok(_) => panic!("{spec:?} can be read"),
        Err(error) => expected.assert_eq(&format!("{:?}: {error}\n", error.kind)),
    }
}

#[test]
fn metavariables() {
    check(
        Language::JavaScript,
        "$A && $A()",
        "a && a();\na && b();\na.b && a.b();\n",
        expect![[r#"
            1: a && a() | A=a
            3: a.b && a.b() | A=a.b
        "#]],
    );
    check(
        Language::JavaScript,
        "$_ + $_",
        "a + b;",
        expect![[r#"
            1: a + b
        "#]],
    );
    check(
        Language::Rust,
        "fn $NAME($$$ARGS) -> $RET { $$$BODY }",
        "impl A {\n    fn f(&self, a: u8) -> u8 {\n        g();\n        a\n    }\n    fn h() {}\n}\n",
        expect![[r#"
            2: fn f(&self, a: u8) -> u8 {⏎        g();⏎        a⏎    } | ARGS=&self, a: u8 | BODY=g();⏎        a | NAME=f | RET=u8
        "#]],
    );
    check(
        Language::Rust,
        "match $X { $$$ARMS }",
        "fn f() { match a { 1 => 2, _ => 3 } }",
        expect![[r#"
            1: match a { 1 => 2, _ => 3 } | ARMS=1 => 2, _ => 3 | X=a
        "#]],
    );
}

#[test]
fn statements_and_members() {
    check(
        Language::TypeScript,
        "async $METHOD($$$) { $$$ }",
        "class A {\n  async a() { return 1 }\n  b() {}\n}",
        expect![[r#"
            2: async a() { return 1 } | METHOD=a
        "#]],
    );
    check(
        Language::Rust,
        "let $X = $Y.unwrap();",
        "fn f() {\n    let a = b.unwrap();\n    let c = d;\n    let e = f.g().unwrap();\n}",
        expect![[r#"
            2: let a = b.unwrap(); | X=a | Y=b
            4: let e = f.g().unwrap(); | X=e | Y=f.g()
        "#]],
    );
    check(
        Language::Go,
        "if err != nil { return $$$R }",
        "package p\nfunc f() (int, error) {\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn 1, nil\n}",
        expect![[r#"
            3: if err != nil {⏎		return 0, err⏎	} | R=0, err
        "#]],
    );
    check(
        Language::Python,
        "$X = $X or $D",
        "def f(a=None):\n    a = a or []\n    b = a or []\n",
        expect![[r#"
            2: a = a or [] | D=[] | X=a
        "#]],
    );
    check(
        Language::Java,
        "@Override public String $NAME() { $$$ }",
        "class A {\n  @Override public String a() { return null; }\n  public String b() { return null; }\n}",
        expect![[r#"
            2: @Override public String a() { return null; } | NAME=a
        "#]],
    );
}

#[test]
fn constraints_and_strictness() {
    let mut spec = code("$OBJ.$NAME($$$)");
    spec.constraints = vec![
        Constraint {
            name: "$NAME".into(),
            regex: Some("^(get|set)".into()),
            not_regex: Some("All$".into()),
            ..Constraint::default()
        },
        Constraint {
            name: "OBJ".into(),
            kinds: vec!["identifier".into()],
            ..Constraint::default()
        },
    ];
    let text = "a.getOne();\na.getAll();\na.put(1);\na.b.set(2);\nc.set(3);\n";
    check_spec(
        Language::JavaScript,
        &spec,
        text,
        expect![[r#"
            1: a.getOne() | NAME=getOne | OBJ=a
            5: c.set(3) | NAME=set | OBJ=c
        "#]],
    );
    let mut spec = code("f($$$ALL)");
    spec.constraints = vec![Constraint {
        name: "ALL".into(),
        regex: Some("^[0-9]$".into()),
        ..Constraint::default()
    }];
    check_spec(
        Language::JavaScript,
        &spec,
        "f(1, 2); f(1, a); f();",
        expect![[r#"
            1: f(1, 2) | ALL=1, 2
            1: f()
        "#]],
    );
    let mut spec = code("foo(bar)");
    spec.strictness = Strictness::Signature;
    check_spec(
        Language::JavaScript,
        &spec,
        "foo(bar); baz(qux); foo(1);",
        expect![[r#"
            1: foo(bar)
            1: baz(qux)
        "#]],
    );
}

#[test]
fn queries() {
    check_spec(
        Language::Rust,
        &query("(call_expression function: (identifier) @f (#eq? @f \"g\")) @match"),
        "fn f() { g(1); h(2); g(3) }",
        expect![[r#"
            1: g(1) | match=g(1) | f=g
            1: g(3) | match=g(3) | f=g
        "#]],
    );
    check_spec(
        Language::Python,
        &query("(function_definition name: (identifier) @name (#match? @name \"^_\"))"),
        "def _a(): pass\ndef b(): pass\n",
        expect![[r#"
            1: _a | name=_a
        "#]],
    );
}

#[test]
fn words_are_what_every_match_has() {
    let words = |language, pattern| {
        let mut parsers = Parsers::new(ParseConfig::default());
        let structural = parsers.structural(language, &code(pattern)).ok();
        structural.map(|structural| structural.words())
    };
    assert_eq!(
        words(Language::Rust, "router.add($PATH, \"get\")"),
        Some(vec![
            "add".to_owned(),
            "get".to_owned(),
            "router".to_owned()
        ])
    );
    assert_eq!(words(Language::Rust, "$A + $B"), Some(vec![]));
}

#[test]
fn errors_show_the_place() {
    check_error(
        Language::Rust,
        &code("foo($A"),
        expect![[r#"
            Syntax: the pattern cannot be read as rust: this bracket has no partner (line 1, column 4)
                foo($A
                   ^
        "#]],
    );
    check_error(
        Language::C,
        &code("free($P); $P = NULL"),
        expect![[r#"
            Syntax: the pattern cannot be read as c: one piece of code is looked for, and here a second begins (line 1, column 11)
                free($P); $P = NULL
                          ^
        "#]],
    );
    check_error(
        Language::JavaScript,
        &code("a;\nb;"),
        expect![[r#"
            Syntax: the pattern cannot be read as javascript: one piece of code is looked for, and here a second begins (line 2, column 1)
                b;
                ^
        "#]],
    );
    check_error(
        Language::Go,
        &query("(call_expression\n  function: (name) @f)"),
        expect![[r#"
            Syntax: go has no node named "name" (line 2, column 14)
                  function: (name) @f)
                             ^
        "#]],
    );
    check_error(
        Language::Go,
        &query("(call_expression"),
        expect![[r#"
            Syntax: the query cannot be read from here on (line 1, column 17)
                (call_expression
                                ^
        "#]],
    );
    check_error(
        Language::Go,
        &query("((call_expression) @a (#near? @a))"),
        expect![[r#"
            Syntax: the predicate #near? is not known; #eq?, #match?, #any-of? and their opposites with not- are (line 1, column 25)
                ((call_expression) @a (#near? @a))
                                        ^
        "#]],
    );
    check_error(
        Language::Go,
        &query("(identifier) @a (#eq? @a \"x\")"),
        expect![[r#"
            Syntax: this predicate is outside of a pattern: put it into the brackets of the one it is about (line 1, column 17)
                (identifier) @a (#eq? @a "x")
                                ^
        "#]],
    );
    check_error(
        Language::Go,
        &query("(call_expression)"),
        expect![[r#"
        Syntax: the query captures nothing: write @match behind what is to be found (line 1, column 1)
            (call_expression)
            ^
    "#]],
    );
    check_error(
        Language::Go,
        &code("  "),
        expect![[r#"
        Empty: the pattern is empty
    "#]],
    );
    check_error(
        Language::Go,
        &code("$$$A"),
        expect![[r#"
        Syntax: `$$$` stands for several pieces of code: write what is around them (line 1, column 1)
            $$$A
            ^
    "#]],
    );
    check_error(
        Language::Text,
        &code("a"),
        expect![[r#"
        NoGrammar: there is no grammar for text
    "#]],
    );
    let mut spec = code("foo($A)");
    spec.constraints = vec![Constraint {
        name: "B".into(),
        ..Constraint::default()
    }];
    check_error(
        Language::Go,
        &spec,
        expect![[r#"
        Constraint: the pattern has no metavariable $B
    "#]],
    );
}

/// None of these may run away, overflow the stack or panic, whatever they find.
#[test]
fn hostile_patterns_and_texts_end() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let deep = format!("f({}{});", "(".repeat(20_000), ")".repeat(20_000));
    let wide = format!("[{}];", "f(1, 2, 3), ".repeat(20_000));
    let nested = format!("{}1{}", "f($$$A, ".repeat(40), ", $$$B)".repeat(40));
    let patterns = [
        "$A".to_owned(),
        "f($A, $A)".to_owned(),
        nested,
        "[$$$A, $$$B, $$$C, f($$$D, 9)]".to_owned(),
        "(".repeat(3_000),
        format!("{}a{}", "(".repeat(3_000), ")".repeat(3_000)),
        "$".repeat(5_000),
        "µµµ".to_owned(),
        "🦀($A)".to_owned(),
        "\0".to_owned(),
    ];
    for pattern in &patterns {
        for wanted in [
            Wanted::Code(pattern.clone()),
            Wanted::Query(pattern.clone()),
        ] {
            if let Ok(structural) =
                parsers.structural(Language::JavaScript, &StructuralSpec::new(wanted))
            {
                for text in [&deep, &wide] {
                    let found = parsers.find_structural(&structural, text, 10, 1e9);
                    assert!(found.matches.len() <= 10);
                }
            }
        }
    }
    let big = query(r#"((identifier) @a (#match? @a "(\\w{200}){200}"))"#);
    let error = parsers.structural(Language::Go, &big).err().unwrap();
    assert_eq!(error.kind, StructuralErrorKind::Size);
}

#[test]
fn time_ends_a_search() {
    use std::cell::Cell;
    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });
    fn clock() -> f64 {
        NOW.with(|now| {
            now.set(now.get() + 1.0);
            now.get()
        })
    }
    let mut parsers = Parsers::new(ParseConfig {
        clock: Some(clock),
        ..ParseConfig::default()
    });
    let structural = parsers
        .structural(Language::JavaScript, &code("$A + $B"))
        .ok()
        .unwrap();
    let text = "a + b;\n".repeat(50_000);
    let found = parsers.find_structural(&structural, &text, usize::MAX, 1e9);
    assert_eq!((found.matches.len(), found.timed_out), (50_000, false));
    let found = parsers.find_structural(&structural, &text, usize::MAX, 5.0);
    assert!(found.timed_out);
}
