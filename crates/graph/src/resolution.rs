//! Edges and uses as a resolver returns them, before they are sorted into columns.

use syntax::facts::{ReferenceForm, Span};

use crate::kinds::{EdgeKind, Reason};

/// An edge; its nodes are numbers of the [`crate::Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RawEdge {
    /// The node where it starts.
    pub source: u32,
    /// How the nodes are related.
    pub kind: EdgeKind,
    /// The node where it ends.
    pub target: u32,
    /// 0-based line of the text that the edge comes from.
    pub line: u32,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// The rule that found it.
    pub reason: Reason,
}

/// A use of a name that was resolved.
#[derive(Debug, Clone, Copy)]
pub struct RawUse {
    /// The name in the text.
    pub span: Span,
    /// How the name is used.
    pub form: ReferenceForm,
    /// The node that the name means.
    pub target: u32,
    /// The rule that found it.
    pub reason: Reason,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// The innermost symbol around it, or the file.
    pub enclosing: u32,
}

/// Everything that a resolver found in the files of a [`crate::Layout`].
#[derive(Debug, Default)]
pub struct Resolution {
    /// Resolved uses of each file.
    pub uses: Vec<Vec<RawUse>>,
    /// Edges beyond those of structure and uses: imports, supertypes, overrides.
    pub edges: Vec<RawEdge>,
    /// Names of packages outside the repository; their nodes follow the symbols.
    pub externals: Vec<String>,
    /// Whether a limit cut an answer short. Such an answer depends on what was asked before it, so the next resolution must not
    /// reuse it.
    pub was_cut_short: bool,
}
