//! The language-specific parts: queries, and rules for cases that queries cannot express.
//!
//! A language is a folder: `symbols.scm` (definitions, decorators, comments, branches), `references.scm` (uses, imports,
//! bindings) and `mod.rs`, which holds its [`Rules`]. Capture names:
//!
//! | capture | meaning |
//! |---|---|
//! | `@definition.KIND` with `@name` | a definition; KIND is a [`SymbolKind`] in lower case (`type`: alias) or `anonymous` |
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
mod user;

pub(crate) use c::without_class_macros;
pub use user::UserQueries;
pub(crate) use user::UserRules;
mod zig;

use tree_sitter::Node;

use crate::Language;
use crate::extract::{Draft, Words};
use crate::facts::{BindingKind, Import, Parameter, SymbolKind};

/// Language-specific rules of the extraction.
pub(crate) struct Rules {
    /// Query texts, in order of precedence.
    pub(crate) queries: &'static [&'static str],
    /// Query texts of colours, in order of precedence.
    pub(crate) highlights: &'static [&'static str],
    /// Reads one `@import` node.
    pub(crate) imports: fn(Node, &str, &mut Vec<Import>),
    /// Words before a definition that say something of it; `static`, `async` and `override` are known.
    pub(crate) words: Words,
    /// Corrects a symbol before it is kept: visibility, kinds that depend on names. False drops it.
    pub(crate) refine: fn(&mut Draft) -> bool,
    /// Finds the name inside a declarator (C, C++); elsewhere a `@name` is the name.
    pub(crate) declarator: Option<fn(Node) -> Option<Declared>>,
    /// Returns true for comments that document the definition after them.
    pub(crate) is_doc: fn(&str) -> bool,
    /// Reads the parts of a definition where the grammar does not name them by the fields that the others share
    /// (`body`, `parameters`, `type`, `return_type`, `type_parameters`).
    pub(crate) parts: Option<fn(Node, SymbolKind, &str) -> Parts>,
    /// Resolves a name that a query only marks as local: the source of its type, and the value that determines it.
    pub(crate) bound: Option<Bound>,
}

/// Reads the binding of a name; with the enclosing nodes, nearest last.
pub(crate) type Bound = fn(Node, &[Node], &str) -> Option<(BindingKind, String)>;

/// Parts of a definition.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Start of the body, if there is one.
    pub(crate) body: Option<usize>,
    pub(crate) parameters: Vec<Parameter>,
    /// See [`Symbol::type_text`](crate::facts::Symbol::type_text).
    pub(crate) type_text: String,
    pub(crate) type_parameters: Vec<Parameter>,
}

/// The name that a declarator declares.
pub(crate) struct Declared<'t> {
    /// The simple name.
    pub(crate) name: Node<'t>,
    /// Bytes of the qualifier before it (`a::B` of `a::B::c`).
    pub(crate) owner: Option<(usize, usize)>,
    /// It declares a function.
    pub(crate) is_function: bool,
}

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

/// The text of a node; empty where the node reaches beyond the text.
pub(crate) fn text_of<'a>(node: Node, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// Byte offsets of a node as spans hold them; lines come from the tree.
pub(crate) fn span_of(node: Node) -> crate::facts::Span {
    let (start, end) = (node.start_position(), node.end_position());
    let end_line = if end.column == 0 && end.row > start.row {
        end.row - 1
    } else {
        end.row
    };
    crate::facts::Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        start_line: start.row as u32,
        end_line: end_line as u32,
    }
}
