//! The rules of single languages, a folder for each. A language is a type that implements [`LanguageRules`]; this table
//! maps languages to rules. Nothing outside this folder knows a language by name, except the search for modules
//! (`modules/`).

mod cpp;
mod csharp;
mod dart;
mod ecma;
mod elixir;
mod go;
mod haskell;
mod jvm;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod shell;
mod swift;
mod zig;

use syntax::Language;

use crate::program::Family;
use crate::resolver::{LanguageRules, Languages, Rules};
use cpp::Cpp;
use csharp::CSharp;
use dart::Dart;
use ecma::Ecma;
use elixir::Elixir;
use go::Go;
use haskell::Haskell;
use jvm::Jvm;
use lua::Lua;
use php::Php;
use python::Python;
use ruby::Ruby;
use rust::Rust;
use shell::{EVERYWHERE, SHELL, STYLE};
use swift::Swift;
use zig::Zig;

/// Documents and text: nothing to resolve.
struct Plain;

impl LanguageRules for Plain {}

/// Every language of the resolver.
pub(crate) const LANGUAGES: Languages = Languages {
    of: |language| match language {
        Language::Kotlin => &Jvm(Language::Kotlin),
        Language::Scala => &Jvm(Language::Scala),
        language => of_family(Family::of(language)),
    },
    of_family,
    all: &[&Python, &Go, &Ruby],
};

fn of_family(family: Family) -> Rules {
    match family {
        Family::Rust => &Rust,
        Family::Python => &Python,
        Family::Ecma => &Ecma,
        Family::Go => &Go,
        Family::Java => &Jvm(Language::Java),
        Family::C => &Cpp,
        Family::CSharp => &CSharp,
        Family::Php => &Php,
        Family::Swift => &Swift,
        Family::Dart => &Dart,
        Family::Ruby => &Ruby,
        Family::Lua => &Lua,
        Family::Shell => &SHELL,
        Family::Elixir => &Elixir,
        Family::Haskell => &Haskell,
        Family::Zig => &Zig,
        Family::Style => &STYLE,
        Family::Sql | Family::User(_) => &EVERYWHERE,
        Family::None => &Plain,
    }
}
