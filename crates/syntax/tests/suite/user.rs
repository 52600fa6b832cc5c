//! A user's language, with the queries of its own grammar package.

use expect_test::{Expect, expect};
use syntax::structural::{StructuralSpec, Wanted};
use syntax::{GrammarError, Language, ParseConfig, Parsers, UserLanguage, UserQueries};

use crate::render;

fn r() -> UserLanguage {
    UserLanguage {
        name: "r".to_owned(),
        extensions: vec!["r".to_owned()],
    }
}

/// The tags of the package, and comments.
fn queries() -> UserQueries {
    UserQueries {
        symbols: format!("{}\n(comment) @comment\n", tree_sitter_r::TAGS_QUERY),
        references: "(call function: (identifier) @name arguments: (_) @arguments) @reference.call"
            .to_owned(),
        highlights: tree_sitter_r::HIGHLIGHTS_QUERY.to_owned(),
    }
}

fn with(queries: UserQueries) -> Result<(Parsers, Language), GrammarError> {
    let mut parsers = Parsers::new(ParseConfig::default());
    let language = parsers.add_language(r(), queries)?;
    parsers.add_grammar(
        language.grammar().unwrap_or_default(),
        tree_sitter_r::LANGUAGE.into(),
    )?;
    parsers.compile(language)?;
    Ok((parsers, language))
}

const TEXT: &str = "# Adds tax.\nadd_tax <- function(net, rate = 0.19) {\n  round(net * (1 + rate), 2)\n}\n\ntotal = function(cart) sum(add_tax(cart))\n";

#[test]
fn definitions_and_uses() {
    let (mut parsers, language) = with(queries()).unwrap();
    assert_eq!(parsers.language_of("R/tax.R", TEXT), language);
    let facts = parsers.read(language, TEXT);
    expect![[r#"
        Function add_tax 2-4 `add_tax <- function(net, rate = 0.19) { round(net * (1 + rate), 2) }`
        Function total 6-6 `total = function(cart) sum(add_tax(cart))`
        Call round in add_tax line 3
        Call sum in total line 6
        Call add_tax in total line 6
        add_tax "Adds tax." []
        total "" []
    "#]]
    .assert_eq(
        &(render::symbols(&facts)
            + &render::references(&facts, TEXT)
            + &render::docs(&facts)
            + &render::problems(&facts)),
    );
    assert!(!facts.chunks.is_empty());
}

#[test]
fn colours() {
    let (mut parsers, language) = with(queries()).unwrap();
    let piece = |one: &syntax::Highlight| {
        format!(
            "{} {}\n",
            one.class.name(),
            &TEXT[one.start as usize..one.end as usize]
        )
    };
    let all: String = parsers
        .highlights(language, TEXT)
        .iter()
        .take(6)
        .map(piece)
        .collect();
    expect![[r#"
        comment # Adds tax.
        operator <-
        function function
        operator =
        number 0.19
        operator *
    "#]]
    .assert_eq(&all);
}

#[test]
fn structural_search() {
    let (mut parsers, language) = with(queries()).unwrap();
    let spec = StructuralSpec::new(Wanted::Code("$F <- function($$$) $BODY".to_owned()));
    let structural = parsers
        .structural(language, &spec)
        .unwrap_or_else(|error| panic!("{error}"));
    let found = parsers.find_structural(&structural, TEXT, 10, 1e9);
    assert_eq!(found.matches.len(), 1);
    let spec = StructuralSpec::new(Wanted::Code("round($X, $N)".to_owned()));
    let structural = parsers
        .structural(language, &spec)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(structural.words(), ["round"]);
}

#[test]
fn what_cannot_be_brought_is_named() {
    let check = |result: Result<(Parsers, Language), GrammarError>, expected: Expect| {
        expected.assert_eq(
            &result
                .err()
                .map_or_else(String::new, |error| error.to_string()),
        );
    };
    check(
        with(UserQueries {
            symbols: "(function) @definition.function".into(),
            ..UserQueries::default()
        }),
        expect![[
            r#"the facts query does not fit the grammar "r": line 1, column 1: the grammar has no node "function""#
        ]],
    );
    check(
        with(UserQueries {
            highlights: "(comment".into(),
            ..UserQueries::default()
        }),
        expect![[r#"
            the highlights query does not fit the grammar "r": Query error at 2:1. Invalid syntax:
            Unexpected EOF"#]],
    );
    let mut parsers = Parsers::new(ParseConfig::default());
    let taken = UserLanguage {
        name: "rust".into(),
        ..r()
    };
    let error = parsers.add_language(taken, queries()).unwrap_err();
    expect![[r#"the name "rust" is taken: there is a language of that name"#]]
        .assert_eq(&error.to_string());
    assert!(
        parsers
            .add_grammar("r", tree_sitter_r::LANGUAGE.into())
            .is_err()
    );
}
