//! The interface between extraction and the languages: the rules that a language gives, and the parts that both sides read in the same way.

mod callee;
mod definition;
mod doc;
mod draft;
mod words;

use tree_sitter::Node;

use crate::facts::{BindingKind, Import, Parameter, SymbolKind};

pub(crate) use callee::{callee, expression};
pub(crate) use definition::{
    MAX_TYPE, by_fields, is_function, is_value, parameters_in, parts, type_parameter_list,
};
pub(crate) use doc::{clean_doc_string, cut_doc};
pub(crate) use draft::Draft;
pub(crate) use words::{USUAL, Words};

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
    /// Reads what the nodes around a name say of it.
    pub(crate) bound: Option<Bound>,
}

/// Readers of the nodes around the name of a variable; they come nearest last.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    /// Resolves a name that a query only marks as local: the source of its type, and the value that determines it.
    pub(crate) value: ReadValue,
    /// Finds the node at whose end the name means again what it meant before, in a language whose blocks have scopes of their own;
    /// none for a name that holds to the end of its function.
    pub(crate) extent: Option<Extent>,
}

pub(crate) type ReadValue = fn(Node, &[Node], &str) -> Option<(BindingKind, String)>;
pub(crate) type Extent = for<'t> fn(&[Node<'t>]) -> Option<Node<'t>>;

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
