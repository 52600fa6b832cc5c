//! The language-specific parts: queries, and rules for cases that queries cannot express.
//!
//! A language is a folder: `symbols.scm` (definitions, decorators, comments, branches), `references.scm` (uses, imports,
//! bindings) and `mod.rs`, which holds its [`Rules`]. Capture names:
//!
//! | capture | meaning |
//! |---|---|
//! | `@definition.KIND` with `@name` | a definition; KIND is a [`SymbolKind`](crate::facts::SymbolKind) in lower case (`type`: alias) or `anonymous` |
//! | `@function` | the node with parameters and body where that is not the definition (`const f = () => …`) |
//! | `@owner` | the type or object a definition belongs to written outside of it (`app` of `app.handle = …`) |
//! | `@default` | the default export; without a name it is called `default` |
//! | `@wrapper`, `@wrapped` | the span of the wrapped definition is the wrapper's (`export`, decorated definitions) |
//! | `@decorator`, `@comment`, `@doc`, `@branch` | attribute or annotation; comment; doc string; one decision point |
//! | `@reference.FORM` with `@name`, `@receiver`, `@arguments` | a use; FORM is `call`, `method`, `path`, `new`, `macro`, `jsx`, `decorator`, `type`, `value` or `member` |
//! | `@base.extends`, `@base.implements` | a supertype of the definition around it |
//! | `@section.public`, `@section.protected`, `@section.private` | visibility of the following members of a class |
//! | `@import`, `@package` | passed to [`Rules::imports`]; the file's own namespace |
//! | `@tokens`, `@region`, `@quoted` | a macro's arguments, re-read for calls; tokens that may be items, parsed once more; code that is data |
//! | `@binding.KIND` with `@name`, `@value` | a fact about a variable's type; `@binding.local`: none |
//!
//! Where two patterns name the same place, the one written first counts.

mod bash;
mod c;
mod csharp;
mod dart;
mod ecmascript;
mod elixir;
mod go;
mod haskell;
mod java;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod zig;

use std::borrow::Cow;

use crate::Language;
use crate::rules::Rules;

/// The rules of a language that is read with a grammar.
pub(crate) fn rules(language: Language) -> Option<&'static Rules> {
    Some(match language {
        Language::Rust => &rust::RULES,
        Language::Python => &python::RULES,
        Language::JavaScript => &ecmascript::JAVASCRIPT,
        Language::TypeScript => &ecmascript::TYPESCRIPT,
        Language::Tsx => &ecmascript::TSX,
        Language::Go => &go::RULES,
        Language::Java => &java::RULES,
        Language::C => &c::C,
        Language::Cpp => &c::CPP,
        Language::CSharp => &csharp::RULES,
        Language::Php => &php::RULES,
        Language::Kotlin => &kotlin::RULES,
        Language::Swift => &swift::RULES,
        Language::Scala => &scala::RULES,
        Language::Dart => &dart::RULES,
        Language::Ruby => &ruby::RULES,
        Language::Lua => &lua::RULES,
        Language::Zig => &zig::RULES,
        Language::Haskell => &haskell::RULES,
        Language::Elixir => &elixir::RULES,
        Language::Bash => &bash::RULES,
        _ => return None,
    })
}

/// The text as a grammar reads it: as long as the text, without what the grammar would misread.
pub(crate) fn readable<'t>(grammar: &str, text: &'t str) -> Cow<'t, str> {
    match grammar {
        "c" | "cpp" => c::without_class_macros(text),
        "kotlin" => kotlin::with_joined_constructors(text),
        _ => Cow::Borrowed(text),
    }
}
