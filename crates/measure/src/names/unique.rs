//! The names of a repository that only one definition has.

use std::collections::BTreeMap;

use engine::{NodeId, Reader};
use source::FileId;
use syntax::facts::{Modifiers, SymbolKind};

/// A name and its only definition.
pub(crate) struct Unique {
    pub(crate) name: String,
    pub(crate) symbol: NodeId,
    pub(crate) file: FileId,
}

/// Names that one definition outside tests has and no other definition, in the order of the names. A constructor that
/// is called like its type is no other definition. Headings of documents, impl blocks and definitions without a name in
/// the source do not count.
pub(crate) fn names(reader: &Reader) -> Vec<Unique> {
    let mut by_name: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    let graph = reader.graph();
    let all = reader.files().flat_map(|file| graph.symbols_of(file));
    for symbol in all.filter(|symbol| has_name(reader, *symbol)) {
        by_name.entry(graph.name(symbol)).or_default().push(symbol);
    }
    let only = by_name.into_iter().filter_map(|(name, symbols)| {
        let symbol = only_definition(reader, &symbols)?;
        let file = graph.file_of(symbol)?;
        (!reader.is_test(symbol)).then(|| Unique {
            name: name.to_owned(),
            symbol,
            file,
        })
    });
    only.collect()
}

fn has_name(reader: &Reader, symbol: NodeId) -> bool {
    let graph = reader.graph();
    let is_document = matches!(
        graph.symbol_kind(symbol),
        Some(SymbolKind::Section | SymbolKind::Impl) | None
    );
    let is_anonymous = graph.modifiers(symbol).contains(Modifiers::ANONYMOUS);
    let is_word = graph.name(symbol).chars().any(char::is_alphanumeric);
    !is_document && !is_anonymous && is_word
}

/// The one definition among `symbols`, its constructors left out.
fn only_definition(reader: &Reader, symbols: &[NodeId]) -> Option<NodeId> {
    let kind = |symbol: &NodeId| reader.graph().symbol_kind(*symbol);
    let mut others = symbols
        .iter()
        .filter(|symbol| kind(symbol) != Some(SymbolKind::Constructor));
    match (others.next(), others.next()) {
        (Some(only), None) => Some(*only),
        (None, _) if symbols.len() == 1 => symbols.first().copied(),
        _ => None,
    }
}
