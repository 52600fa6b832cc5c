//! The matcher by itself, and beside tree-sitter's own.

use expect_test::{Expect, expect};

use super::run::MAX_MATCHES_OF_NODE;
use super::{FlatTree, Matcher};
use crate::ParseConfig;
use crate::deadline::Deadline;
use crate::node::text_of;

/// Each match on a line: its number, then captures with their texts.
fn matches(query: &str, source: &str) -> String {
    let language = tree_sitter_javascript::LANGUAGE.into();
    let matcher = match Matcher::new(&language, query) {
        Ok(matcher) => matcher,
        Err(error) => return format!("{error}\n"),
    };
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language).unwrap();
    let tree = parser.parse(source, None).unwrap();
    let deadline = Deadline::start(&ParseConfig::default(), "javascript", source.len());
    let flat = FlatTree::new(tree.root_node(), &matcher, 100, &deadline);
    let mut out = String::new();
    let is_whole = matcher.run(&flat, source, &deadline, |found| {
        out += &found.pattern.to_string();
        for (capture, node) in found.captures {
            let name = &matcher.capture_names()[*capture as usize];
            out += &format!(" {name}={}", text_of(*node, source));
        }
        out.push('\n');
    });
    assert!(is_whole, "the deadline ended it");
    out
}

fn check(query: &str, source: &str, expected: Expect) {
    expected.assert_eq(&matches(query, source));
}

#[test]
fn kinds_fields_and_alternatives() {
    check(
        "(call_expression function: [(identifier) @f (member_expression property: (_) @m)])",
        "f(); a.g(h());",
        expect![[r#"
            0 f=f
            0 m=g
            0 f=h
        "#]],
    );
    check(
        "(function_declaration !body) @f",
        "function f() {}",
        expect![""],
    );
    check(
        "(binary_expression operator: [\"&&\" \"||\"]) @b",
        "a && b + c",
        expect![[r#"
            0 b=a && b + c
        "#]],
    );
}

#[test]
fn anchors_keep_siblings_together() {
    check(
        "(array . (number) @first)",
        "[1, 2, 3]",
        expect![[r#"
        0 first=1
    "#]],
    );
    check(
        "(array (number) @last .)",
        "[1, 2, 3]",
        expect![[r#"
        0 last=3
    "#]],
    );
    check(
        "(array (number) . (number) @b)",
        "[1, 2, 3]",
        expect![[r#"
            0 b=2
            0 b=3
        "#]],
    );
    check(
        "(array (number) @a . (number) @b)",
        "[1, 2, 3]",
        expect![[r#"
        0 a=1 b=2
        0 a=2 b=3
    "#]],
    );
}

#[test]
fn what_may_lack_and_what_repeats() {
    check(
        "(return_statement (_)? @value) @r",
        "function f() { return; return 1 }",
        expect![[r#"
            0 r=return;
            0 r=return 1 value=1
        "#]],
    );
    check(
        "(array (number)* @n (string) @s)",
        "[1, 2, 'x']",
        expect![[r#"
        0 n=1 n=2 s='x'
    "#]],
    );
    check("(array (number)+ @n)", "['x']", expect![""]);
}

#[test]
fn predicates_look_at_the_text() {
    let source = "alpha; beta; ALPHA;";
    check(
        "((identifier) @i (#match? @i \"^[a-z]+$\") (#not-eq? @i \"beta\"))",
        source,
        expect![[r#"
        0 i=alpha
    "#]],
    );
    check(
        "((identifier) @i (#any-of? @i \"beta\" \"ALPHA\"))",
        source,
        expect![[r#"
        0 i=beta
        0 i=ALPHA
    "#]],
    );
}

#[test]
fn faults_name_their_place() {
    check(
        "(identifier) @a\n  (nothing)",
        "",
        expect![[r#"
        line 2, column 3: the grammar has no node "nothing"
    "#]],
    );
    check(
        "(array wrong: (_))",
        "",
        expect![[r#"
        line 1, column 15: the grammar has no field "wrong"
    "#]],
    );
    check(
        "((identifier) (identifier))",
        "",
        expect![[r#"
            line 1, column 28: a group of siblings is not supported
        "#]],
    );
    check(
        "((identifier) @i (#is? @i \"x\"))",
        "",
        expect![[r#"
        line 1, column 18: the predicate #is? is not known or has other arguments
    "#]],
    );
    check(
        "(identifier",
        "",
        expect![[r#"
        line 1, column 12: a bracket is not closed
    "#]],
    );
}

#[test]
fn many_ways_to_match_end() {
    let source = format!("[{}]", "1,".repeat(3000));
    let n_lines = matches("(array (number) @a (number) @b)", &source)
        .lines()
        .count();
    assert_eq!(n_lines as u32, MAX_MATCHES_OF_NODE);
    let all = matches("(array (number)* @n)", &source);
    assert_eq!(all.lines().count(), 1);
}

/// Every match of every pattern, ours beside tree-sitter's own.
#[test]
fn equals_the_engine_of_tree_sitter() {
    use streaming_iterator::StreamingIterator;
    let source = include_str!("../../tests/suite/typescript.rs");
    for (name, language) in [
        (
            crate::Language::JavaScript,
            tree_sitter_javascript::LANGUAGE,
        ),
        (crate::Language::Rust, tree_sitter_rust::LANGUAGE),
        (crate::Language::Cpp, tree_sitter_cpp::LANGUAGE),
    ] {
        let (language, query) = (
            language.into(),
            crate::languages::rules(name).unwrap().queries.concat(),
        );
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language).unwrap();
        let tree = parser.parse(source, None).unwrap();
        let matcher = Matcher::new(&language, &query).unwrap();
        let deadline = Deadline::start(&ParseConfig::default(), "rust", source.len());
        let flat = FlatTree::new(tree.root_node(), &matcher, 10_000, &deadline);
        let mut ours = std::collections::BTreeSet::new();
        matcher.run(&flat, source, &deadline, |found| {
            let captures = found.captures.iter();
            let mut captures: Vec<_> = captures
                .map(|(at, node)| {
                    (
                        matcher.capture_names()[*at as usize].clone(),
                        node.byte_range(),
                    )
                })
                .map(|(name, range)| (name, range.start, range.end))
                .collect();
            captures.sort();
            ours.insert((found.pattern, captures));
        });
        let query = tree_sitter::Query::new(&language, &query).unwrap();
        let mut theirs = std::collections::BTreeSet::new();
        let mut cursor = tree_sitter::QueryCursor::new();
        let mut found = cursor.matches(&query, tree.root_node(), source.as_bytes());
        while let Some(one) = found.next() {
            let mut captures: Vec<_> = one
                .captures()
                .iter()
                .map(|capture| {
                    (
                        query.capture_names()[capture.index as usize].to_owned(),
                        capture.node.start_byte(),
                        capture.node.end_byte(),
                    )
                })
                .collect();
            captures.sort();
            theirs.insert((one.pattern_index, captures));
        }
        let missing: Vec<_> = theirs.difference(&ours).take(3).collect();
        let more: Vec<_> = ours.difference(&theirs).take(3).collect();
        assert!(
            missing.is_empty() && more.is_empty(),
            "{name:?}: missing {missing:?}, more {more:?}"
        );
        assert!(ours.len() > 100, "{name:?} matches");
    }
}

#[test]
fn siblings_without_a_match_end_by_their_steps() {
    let source = format!("[{}]", "a,".repeat(20_000));
    let language = tree_sitter_javascript::LANGUAGE.into();
    let query = "(array (identifier) @a (number) @b)";
    let matcher = Matcher::new(&language, query).unwrap();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language).unwrap();
    let tree = parser.parse(&source, None).unwrap();
    let run = || {
        let deadline = Deadline::start(&ParseConfig::default(), "javascript", source.len());
        let flat = FlatTree::new(tree.root_node(), &matcher, 100, &deadline);
        let is_whole = matcher.run(&flat, &source, &deadline, |_| {});
        (is_whole, deadline.budget().n_steps())
    };
    // Each of 20,000 names would look through all behind it.
    let (is_whole, n_steps) = run();
    assert!(!is_whole && n_steps < 4_000_000, "{n_steps} steps");
    assert_eq!((is_whole, n_steps), run());
}
