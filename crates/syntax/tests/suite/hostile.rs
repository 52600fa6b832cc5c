//! Input that is meant to hurt, or just unlucky: it costs time in proportion and loses nothing else.

use std::sync::atomic::{AtomicU64, Ordering};

use syntax::facts::{FileFacts, Head, ProblemKind};
use syntax::{Language, ParseConfig, Parsers};

use crate::read;

fn code() -> impl Iterator<Item = Language> {
    Language::ALL
        .into_iter()
        .filter(|language| language.grammar().is_some())
}

#[test]
fn brackets_nested_100_000_deep() {
    for (language, open, close) in [
        (Language::JavaScript, "[", "]"),
        (Language::Rust, "(", ")"),
        (Language::Python, "(", ")"),
        (Language::C, "{", "}"),
        (Language::Json, "[", "]"),
    ] {
        let text = format!("{}1{}\n", open.repeat(100_000), close.repeat(100_000));
        let facts = read(language, &text);
        assert_eq!(facts.chunks.len(), 1, "{language:?}");
    }
}

#[test]
fn functions_nested_deeper_than_the_limit() {
    let depth = 3_000;
    let text = format!(
        "{}{}\n",
        "function f() {\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let facts = read(Language::JavaScript, &text);
    assert!(facts.symbols.len() > 500 && facts.symbols.len() < depth);
    assert!(
        facts
            .problems
            .iter()
            .any(|problem| problem.kind == ProblemKind::Limit),
        "{:?}",
        facts.problems
    );
}

#[test]
fn a_chain_of_10_000_calls() {
    let text = format!("fn f() {{ x{}; }}\n", ".a()".repeat(10_000));
    let facts = read(Language::Rust, &text);
    let last = facts.references.last().and_then(|last| last.receiver);
    let chain = facts.expressions.chain(last.unwrap().chain);
    assert_eq!((chain.head, chain.steps.len()), (Head::Name("x"), 19_998));
}

#[test]
fn a_line_of_ten_megabytes_as_text() {
    let facts = read(Language::Text, &"word ".repeat(2_000_000));
    assert_eq!((facts.n_lines, facts.chunks.len()), (1, 1));
}

#[test]
fn empty_and_blank_files() {
    for language in Language::ALL {
        assert_eq!(read(language, "").chunks.len(), 0);
        assert_eq!(read(language, "\n").chunks.len(), 1);
        assert_eq!(read(language, "\r\n\r\n  ").n_lines, 3);
    }
}

#[test]
fn without_a_grammar_the_file_is_text() {
    let mut parsers = Parsers::new(ParseConfig::default());
    assert!(
        parsers
            .add_grammar("klingon", tree_sitter_rust::LANGUAGE.into())
            .is_err()
    );
    for language in code() {
        assert!(parsers.has_grammar(language));
        parsers.compile(language).unwrap();
    }
    // A grammar whose queries do not fit: the wrong one under a name.
    parsers
        .add_grammar("python", tree_sitter_c::LANGUAGE.into())
        .unwrap();
    let error = parsers.compile(Language::Python).unwrap_err().to_string();
    assert!(
        error.contains("query does not fit the grammar \"python\""),
        "{error}"
    );
    let facts = parsers.read(Language::Python, "def f():\n    pass\n");
    assert_eq!(facts.problems[0].kind, ProblemKind::NoGrammar);
    assert_eq!((facts.symbols.len(), facts.chunks.len()), (0, 1));
}

/// A clock that jumps by a second at each look.
fn fast_clock() -> f64 {
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    SECONDS.fetch_add(1, Ordering::Relaxed) as f64 * 1000.0
}

#[test]
fn a_slow_file_is_given_up_and_the_next_one_read() {
    let text = "fn f() { g(); }\n".repeat(5_000);
    let mut parsers = Parsers::new(ParseConfig {
        clock: Some(fast_clock),
        max_parse_millis: 1.0,
        ..ParseConfig::default()
    });
    let facts = parsers.read(Language::Rust, &text);
    assert_eq!(limit_of(&facts), Some("longer than 1564 ms"));
    assert!(!facts.chunks.is_empty());
    let mut few_steps = Parsers::new(ParseConfig {
        max_parse_steps: 1_000,
        ..ParseConfig::default()
    });
    let facts = few_steps.read(Language::Rust, &text);
    assert_eq!(limit_of(&facts), Some("more than 1000 steps"));
    let mut patient = Parsers::new(ParseConfig {
        clock: Some(fast_clock),
        max_parse_millis: 1e12,
        ..ParseConfig::default()
    });
    assert_eq!(patient.read(Language::Rust, &text).symbols.len(), 5_000);
}

/// The limit that reading a file reached, as its problem says.
fn limit_of(facts: &FileFacts) -> Option<&str> {
    let problem = facts
        .problems
        .iter()
        .find(|problem| problem.kind == ProblemKind::Timeout)?;
    let (limit, _) = problem
        .message
        .strip_prefix("reading took ")?
        .split_once(';')?;
    Some(limit)
}

#[test]
fn two_thousand_item_macros() {
    let text: String = (0..2_000)
        .map(|number| format!("cfg_x! {{ pub fn f{number}() {{ g() }} }}\n"))
        .collect();
    let facts = read(Language::Rust, &text);
    assert_eq!(facts.symbols.len(), 2_000);
    let calls = facts
        .references
        .iter()
        .filter(|reference| reference.name == "g");
    assert!(
        calls
            .enumerate()
            .all(|(number, call)| call.enclosing == Some(number as u32))
    );
}
