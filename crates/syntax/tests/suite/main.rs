//! The facts of each language. Every language has the same cases: functions, methods, nested, imports, inheritance,
//! calls, bindings, docs, broken; a case that a language cannot have is marked `not in this language: why`.
//! `UPDATE_EXPECT=1 cargo test -p portolan-syntax` rewrites the expected facts.
#![cfg(feature = "all-languages")]

extern crate portolan_syntax as syntax;

mod bash;
mod borders;
mod budget;
mod c;
mod cases;
mod chunks;
mod colours;
mod cpp;
mod csharp;
mod dart;
mod documents;
mod elixir;
mod go;
mod haskell;
mod hostile;
mod java;
mod javascript;
mod kotlin;
mod locals;
mod lua;
mod page;
mod php;
mod python;
mod regions;
mod render;
mod ruby;
mod rust;
mod scala;
mod structural;
mod structural_documents;
mod structural_languages;
mod swift;
mod typescript;
mod user;
mod zig;

use expect_test::Expect;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

fn read(language: Language, text: &str) -> FileFacts {
    Parsers::new(ParseConfig::default()).read(language, text)
}

/// Definitions with their properties.
fn check_symbols(language: Language, text: &str, expected: Expect) {
    expected.assert_eq(&render::symbols(&read(language, text)));
}

/// Uses of names.
fn check_references(language: Language, text: &str, expected: Expect) {
    expected.assert_eq(&render::references(&read(language, text), text));
}

fn check_imports(language: Language, text: &str, expected: Expect) {
    expected.assert_eq(&render::imports(&read(language, text)));
}

fn check_bindings(language: Language, text: &str, expected: Expect) {
    expected.assert_eq(&render::bindings(&read(language, text)));
}

/// Doc comments, first line, and decorators.
fn check_docs(language: Language, text: &str, expected: Expect) {
    expected.assert_eq(&render::docs(&read(language, text)));
}

/// Symbols and problems of a broken file.
fn check_broken(language: Language, text: &str, expected: Expect) {
    let facts = read(language, text);
    expected.assert_eq(&(render::symbols(&facts) + &render::problems(&facts)));
}
