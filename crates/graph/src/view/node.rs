//! A node as it is read.

use source::FileId;
use syntax::facts::{Modifiers, Span, SymbolKind};

use crate::kinds::{NodeId, NodeKind};

/// A node with its properties; text is borrowed from the archive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<'a> {
    /// Its number.
    pub id: NodeId,
    /// File, folder, symbol, external package, community or process.
    pub kind: NodeKind,
    /// The kind of definition, for symbols.
    pub symbol_kind: Option<SymbolKind>,
    /// Simple name; of files and folders the last part of the path, of externals the package; else the label.
    pub name: &'a str,
    /// The file that contains it; for a file its own number.
    pub file: Option<FileId>,
    /// The definition, file or folder around it.
    pub parent: Option<NodeId>,
    /// The whole definition.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// The declaration without its body; empty for nodes that are no symbols.
    pub signature: &'a str,
    /// Doc comment.
    pub doc: &'a str,
    /// Its modifiers, such as `pub` or `async`.
    pub modifiers: Modifiers,
    /// McCabe's cyclomatic complexity; 0 for symbols without a body.
    pub complexity: u16,
    /// PageRank over calls, references and imports; the highest node has 1.
    pub centrality: f32,
}

impl Node<'_> {
    /// Whether it can be called and has a body of its own.
    #[must_use]
    pub fn is_function(&self) -> bool {
        matches!(
            self.symbol_kind,
            Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor)
        )
    }
}
