//! The names under which queries and exports show a node's kind.

use syntax::facts::SymbolKind;

use crate::kinds::{NodeId, NodeKind};
use crate::view::GraphView;

/// Returns the label of a kind of definition.
#[must_use]
pub fn symbol_label(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Module => "Module",
        SymbolKind::Function => "Function",
        SymbolKind::Method => "Method",
        SymbolKind::Constructor => "Constructor",
        SymbolKind::Class => "Class",
        SymbolKind::Struct => "Struct",
        SymbolKind::Enum => "Enum",
        SymbolKind::Variant => "Variant",
        SymbolKind::Trait => "Trait",
        SymbolKind::Interface => "Interface",
        SymbolKind::Impl => "Impl",
        SymbolKind::TypeAlias => "TypeAlias",
        SymbolKind::Constant => "Constant",
        SymbolKind::Variable => "Variable",
        SymbolKind::Field => "Field",
        SymbolKind::Macro => "Macro",
        SymbolKind::Section => "Section",
    }
}

/// Returns the most specific label of a node: `Function`, not `Symbol`.
#[must_use]
pub fn label(view: GraphView<'_>, node: NodeId) -> &'static str {
    match view.symbol_kind(node) {
        Some(kind) if view.kind(node) == NodeKind::Symbol => symbol_label(kind),
        _ => view.kind(node).name(),
    }
}
