//! The facts of one file, as plain data: independent of every other file.
//!
//! A parsing worker returns its result in this form (an rkyv buffer), unchanged files are kept in it between updates,
//! and `graph` and `search` build from it. Positions are byte offsets into the file's UTF-8 text; lines are 0-based;
//! ranges are half-open.

mod expressions;
mod interface;
mod kept;
mod rare;
mod stored;
mod uses;

use rkyv::{Archive, Deserialize, Serialize};
use thin_vec::ThinVec;

use crate::language::Language;
pub use expressions::{Chain, ChainId, Expressions, Head, Literal, Step, TypeId, TypeRef};
pub(crate) use expressions::{Link, NameId, TypeNode};
pub use rare::{Rare, RareFacts};
pub use uses::{
    Binding, BindingKind, Bound, CallbackParameter, Receiver, Reference, ReferenceForm,
};

/// Index of a symbol within its file's [`FileFacts::symbols`].
pub type LocalSymbol = u32;

/// A half-open range of bytes with the 0-based lines of its first and last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte, 0-based.
    pub start_line: u32,
    /// Line of the last byte, 0-based, inclusive.
    pub end_line: u32,
}

impl Span {
    /// Returns true if `other` is within this span.
    #[must_use]
    pub fn contains(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Everything read from one file.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct FileFacts {
    /// The language the file was read as.
    pub language: Language,
    /// Number of lines; a file without a final newline counts its last line.
    pub n_lines: u32,
    /// Definitions in source order: parents come before their children.
    pub symbols: Vec<Symbol>,
    /// Uses of names, in source order.
    pub references: Vec<Reference>,
    /// Imports and re-exports, in source order.
    pub imports: Vec<Import>,
    /// Facts about the types of variables, fields and parameters.
    pub bindings: Vec<Binding>,
    /// Receivers, bound values and written types as structure.
    pub expressions: Expressions,
    /// Chunks in source order; together they cover every line exactly once.
    pub chunks: Vec<Chunk>,
    /// The namespace the file declares for itself (`package com.acme` in Java, `package chi` in Go); empty where none.
    pub package: String,
    /// Problems, with their places.
    pub problems: Vec<Problem>,
}

/// Kind of a definition, in the field's words; a language uses those that fit it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Archive, Serialize, Deserialize,
)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash))]
#[repr(u8)]
pub enum SymbolKind {
    /// A module, namespace or package declared inside the file.
    Module,
    /// A function that belongs to no type.
    Function,
    /// A function that belongs to a type.
    Method,
    /// A constructor with a syntax of its own (`constructor`, `__init__`, Java constructors).
    Constructor,
    /// A class.
    Class,
    /// A struct, record or union.
    Struct,
    /// An enumeration.
    Enum,
    /// One value of an enumeration.
    Variant,
    /// A trait.
    Trait,
    /// An interface or protocol.
    Interface,
    /// A Rust `impl` block: not a definition of its own but the parent of its methods.
    Impl,
    /// A type alias.
    TypeAlias,
    /// A constant.
    Constant,
    /// A variable at file or class level.
    Variable,
    /// A field or property.
    Field,
    /// A macro.
    Macro,
    /// A heading or key of a document.
    Section,
}

impl SymbolKind {
    /// Returns true for kinds with members.
    pub(crate) fn is_type(self) -> bool {
        use SymbolKind::{Class, Enum, Impl, Interface, Struct, Trait};
        matches!(self, Class | Struct | Enum | Trait | Interface | Impl)
    }
}

bitflags::bitflags! {
    /// Modifiers of a definition.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modifiers: u32 {
        /// Visible outside its file or package (`pub`, `export`, `public`, a capital in Go, no underscore in Python).
        const EXPORTED = 1;
        /// The default export of a module.
        const DEFAULT_EXPORT = 1 << 1;
        /// Belongs to the type, not to an instance.
        const STATIC = 1 << 2;
        /// `async`.
        const ASYNC = 1 << 3;
        /// Has no body: an abstract or trait method, a declaration in a header.
        const DECLARATION = 1 << 4;
        /// A test by attribute, decorator or name.
        const TEST = 1 << 5;
        /// Overrides by its own word (`override`, `@Override`).
        const OVERRIDE = 1 << 6;
        /// Anonymous in the source; the name is derived from its place.
        const ANONYMOUS = 1 << 7;
        /// A getter or setter, or decorated as a property: used like a field.
        const ACCESSOR = 1 << 8;
        /// To be completed by others: `abstract`, pure virtual in C++, `@abstractmethod` and `ABC` in Python.
        const ABSTRACT = 1 << 9;
        /// A type that cannot be extended, a method that cannot be overridden (`final`; `sealed` in C#).
        const FINAL = 1 << 10;
        /// A type that only its own file or module extends (`sealed` in Java, Kotlin, Scala, Dart).
        const SEALED = 1 << 11;
        /// Set once: `readonly`, `final` of a field, `const` of a variable in C, `val` in Kotlin and Scala, `let` in Swift.
        const READONLY = 1 << 12;
        /// Known or callable when compiling: `const` in Rust, C#, Kotlin and Dart, `constexpr`, `comptime`.
        const CONST = 1 << 13;
        /// Seen in its type or file only, by its word or its name (`#x` in JavaScript, `__x` in Python, `defp`, `local` in Lua).
        const PRIVATE = 1 << 14;
        /// Seen in its type and in those that extend it, by its word or its name (`_x` in a class of Python).
        const PROTECTED = 1 << 15;
        /// Seen in its package, crate or assembly: `internal`, `pub(crate)`.
        const INTERNAL = 1 << 16;
        /// `unsafe`.
        const UNSAFE = 1 << 17;
        /// May be overridden, by its own word: `virtual`, `open`.
        const VIRTUAL = 1 << 18;
        /// Defined elsewhere or for others: `extern`, `external`, `native`, `declare`.
        const EXTERN = 1 << 19;
        /// `inline`.
        const INLINE = 1 << 20;
        /// Set when first needed or later: `lazy`, `late`, `lateinit`.
        const LAZY = 1 << 21;
        /// One of several parts of a type (`partial`).
        const PARTIAL = 1 << 22;
        /// May be changed where the language says so by a word: `mut`, `mutable`, `mutating`.
        const MUTABLE = 1 << 23;
        /// Gives values one by one (`function*`).
        const GENERATOR = 1 << 24;
        /// Left out by the default build (Linux, 64-bit x86, no tags): under `#[cfg(windows)]`, `#ifdef _WIN32`, `//go:build`.
        const LEFT_OUT = 1 << 25;
    }
}

/// A definition. While all files of a large repository are resolved there are millions of them, so it takes 88 bytes in
/// WebAssembly and 128 natively: a [`ThinVec`] is a pointer, a boxed string has no spare capacity, and [`Rare`] is a box.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// Simple name (`add`, not `Router.add`). An [`SymbolKind::Impl`] has the name of the type it is for.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The enclosing definition, if any.
    pub parent: Option<LocalSymbol>,
    /// The whole definition, decorators and attributes included, doc comment before it excluded.
    pub span: Span,
    /// Its name only.
    pub name_span: Span,
    /// The declaration without its body, white space folded, at most 300 bytes.
    pub signature: Box<str>,
    /// [`Modifiers`] as bits.
    pub modifiers: u32,
    /// Parameters in order, `self`/`this` excluded.
    pub parameters: ThinVec<Parameter>,
    /// The written type: of a function's result, of a field or variable, or the target of an alias.
    pub type_text: Box<str>,
    /// The same as a type: of several results of a function in Go a tuple; of a struct or variant whose fields have no
    /// names, the type of the first field.
    pub ty: Option<TypeId>,
    /// Cyclomatic complexity (McCabe 1976): one plus the number of branch points; 0 for what has no body.
    pub complexity: u16,
    /// Owner, documentation, type parameters, supertypes and decorators.
    pub rare: Rare,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<Symbol>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Symbol>() == 128);

impl Symbol {
    /// Returns true if all of `modifiers` are set.
    #[must_use]
    pub fn is(&self, modifiers: Modifiers) -> bool {
        Modifiers::from_bits_retain(self.modifiers).contains(modifiers)
    }
}

/// A parameter and its written type, empty where none is written.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name; a destructuring pattern is given as written.
    pub name: String,
    /// Its written type.
    pub type_text: String,
    /// The same as a type.
    pub ty: Option<TypeId>,
}

/// Relation of a type to another that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, Hash))]
#[repr(u8)]
pub enum BaseKind {
    /// `class A extends B`, `class A(B)`, an embedded struct in Go, a supertrait.
    Extends,
    /// `class A implements I`, `impl Trait for A`.
    Implements,
}

/// A supertype, interface or trait.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Base {
    /// As written, type arguments included.
    pub name: String,
    /// The same as a type.
    pub ty: Option<TypeId>,
    /// The relation.
    pub kind: BaseKind,
    /// Its place.
    pub span: Span,
}

bitflags::bitflags! {
    /// Kind of an import.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ImportFlags: u8 {
        /// All names of the module (`*`, Rust glob, Python star, C include).
        const GLOB = 1;
        /// Passes the name on (`export … from`, `pub use`).
        const REEXPORT = 1 << 1;
        /// Types only.
        const TYPE_ONLY = 1 << 2;
        /// Binds no name (`import "x"`).
        const SIDE_EFFECT = 1 << 3;
        /// The local name refers to the module itself (`import a.b`, `import * as a`, Go imports).
        const MODULE = 1 << 4;
        /// A path within angle brackets (C, C++ system include).
        const SYSTEM = 1 << 5;
        /// Declares a child module in another file (Rust `mod a;`).
        const CHILD_MODULE = 1 << 6;
        /// Left out by the default build (`#[cfg(windows)] mod a;`).
        const LEFT_OUT = 1 << 7;
    }
}

/// One imported name.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Import {
    /// The module as written, for a CHILD_MODULE with `#[path]` that path: `./a`, `os.path`, `..models`, `crate::routing`, `net/http`, `java.util`, `stdio.h`.
    pub module: String,
    /// The name within the module; empty for MODULE and SIDE_EFFECT; `default` for a default import. For GLOB the names
    /// that are left out, with commas (`hiding` of Haskell), else empty.
    pub name: String,
    /// The local name; empty if nothing is bound. For REEXPORT: the exported name.
    pub local: String,
    /// [`ImportFlags`] as bits.
    pub flags: u8,
    /// Its place.
    pub span: Span,
    /// The enclosing definition (function, module).
    pub enclosing: Option<LocalSymbol>,
}

impl Import {
    /// Returns true if all of `flags` are set.
    #[must_use]
    pub fn is(&self, flags: ImportFlags) -> bool {
        ImportFlags::from_bits_retain(self.flags).contains(flags)
    }
}

/// A piece of a file that is searched, embedded and shown as one.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Chunk {
    /// Whole lines: `start` is the first byte of `start_line`, `end` one past the line break of `end_line`.
    pub span: Span,
    /// The node kind it was cut at (`function_item`, `class_definition`; `module` for merged siblings, `lines` without a grammar).
    pub node_kind: String,
    /// The definition it mainly consists of.
    pub symbol: Option<LocalSymbol>,
    /// Definitions that start in it, in order.
    pub defines: Vec<LocalSymbol>,
    /// Number of characters that are not white space.
    pub n_chars: u32,
}

/// Why part of a file, or all of it, was not understood.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Problem {
    /// Its kind.
    pub kind: ProblemKind,
    /// Its place.
    pub span: Span,
    /// The problem and its effect, for a person.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, Hash))]
#[repr(u8)]
pub enum ProblemKind {
    /// The parser found text that does not fit the grammar; the rest was read.
    Syntax,
    /// Parsing took longer than allowed; the file is searched as text only.
    Timeout,
    /// No grammar could be loaded for the language; the file is searched as text only.
    NoGrammar,
    /// A limit on depth, lines or number of facts was reached; what is beyond it is left out.
    Limit,
    /// The parser broke on this file and was replaced; the file is searched as text only.
    Crash,
}
