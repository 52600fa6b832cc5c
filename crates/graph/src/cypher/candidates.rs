//! The nodes and relationships that a step of a pattern looks at.

use super::plan::EdgeKinds;
use super::schema::Label;
use super::value::Value;
use crate::kinds::{EdgeKind, NodeId, NodeKind};
use crate::view::{Edge, GraphView};

/// Outgoing relationships of some types. One type is looked up, not filtered for.
pub(super) fn out(
    view: GraphView<'_>,
    node: NodeId,
    kinds: EdgeKinds,
) -> Box<dyn Iterator<Item = Edge> + '_> {
    if kinds.0.count_ones() == 1
        && let Some(kind) = EdgeKind::from_byte(kinds.0.trailing_zeros() as u8)
    {
        return Box::new(view.out_of_kind(node, kind));
    }
    Box::new(view.out(node).filter(move |edge| kinds.has(edge.kind)))
}

/// The numbers of nodes among which all of these labels lie.
pub(super) fn range_of(view: GraphView<'_>, labels: &[Label]) -> std::ops::Range<u32> {
    let n_files = view.n_files() as u32;
    let first_symbol = n_files + view.folders().count() as u32;
    let end = first_symbol + view.n_symbols() as u32;
    let range = |label: &Label| match label {
        Label::Node(NodeKind::File) => 0..n_files,
        Label::Node(NodeKind::Folder) => n_files..first_symbol,
        Label::Node(NodeKind::Symbol) | Label::Symbol(_) => first_symbol..end,
        Label::Node(_) => end..view.n_nodes() as u32,
    };
    let ranges = || labels.iter().map(range);
    let start = ranges().map(|range| range.start).min().unwrap_or(0);
    start..ranges().map(|range| range.end).max().unwrap_or(0)
}

pub(super) fn as_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::Text(text) => Some(text.as_ref()),
        _ => None,
    }
}

/// What a value, or each item of a list, is read as.
pub(super) fn texts<'v, 'a, T>(
    value: &'v Value<'a>,
    read: impl Fn(&'v Value<'a>) -> Option<T>,
) -> Vec<T> {
    match value {
        Value::List(items) => items.iter().filter_map(read).collect(),
        single => read(single).into_iter().collect(),
    }
}

/// The nodes of a name: symbols by their index, the few others one by one.
pub(super) fn named(view: GraphView<'_>, name: &str) -> Vec<NodeId> {
    let first_symbol = (view.n_files() + view.folders().count()) as u32;
    let end = first_symbol + view.n_symbols() as u32;
    let others = (0..first_symbol)
        .chain(end..view.n_nodes() as u32)
        .map(NodeId);
    view.by_name(name)
        .chain(others.filter(|node| view.name(*node) == name))
        .collect()
}

/// The file or folder of a path, and the symbols of the file.
pub(super) fn at_path(view: GraphView<'_>, path: &str) -> Vec<NodeId> {
    let files = (0..view.n_files() as u32).map(source::FileId);
    let file = files.clone().find(|file| view.path(*file) == path);
    let folder = view.folders().find(|folder| view.path_of(*folder) == path);
    let symbols = file.map(|file| view.symbols_of(file)).into_iter().flatten();
    file.map(|file| NodeId(file.0))
        .into_iter()
        .chain(folder)
        .chain(symbols)
        .collect()
}
