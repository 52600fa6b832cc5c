//! The nodes and relationships that a step of a pattern looks at.

use rustc_hash::FxHashMap;
use source::FileId;

use super::cost::Context;
use super::error::Fault;
use super::plan::EdgeKinds;
use super::schema::Label;
use super::value::Value;
use graph::{Edge, GraphView};
use graph::{EdgeKind, NodeId, NodeKind};

/// Outgoing relationships of some types. A single type is looked up, several are filtered.
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

/// The range of numbers that contains all nodes with these labels.
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

/// Reads a value, or each item of a list.
pub(super) fn texts<'v, 'a, T>(
    value: &'v Value<'a>,
    read: impl Fn(&'v Value<'a>) -> Option<T>,
) -> Vec<T> {
    match value {
        Value::List(items) => items.iter().filter_map(read).collect(),
        single => read(single).into_iter().collect(),
    }
}

/// The nodes of some names, name by name: symbols from the index of names, then the few others, which are scanned once.
pub(super) fn named(ctx: &Context<'_>, names: &[&str]) -> Result<Vec<NodeId>, Fault> {
    let view = ctx.view;
    let first_symbol = (view.n_files() + view.folders().count()) as u32;
    let end = first_symbol + view.n_symbols() as u32;
    let others = (0..first_symbol).chain(end..view.n_nodes() as u32);
    ctx.items(names.len() + view.n_nodes() - view.n_symbols())?;
    let mut by_name: FxHashMap<&str, Vec<NodeId>> =
        names.iter().map(|name| (*name, Vec::new())).collect();
    for node in others.map(NodeId) {
        if let Some(known) = by_name.get_mut(view.name(node)) {
            known.push(node);
        }
    }
    let mut found = Vec::new();
    for name in names {
        // A name that is given twice is looked up once.
        let Some(others) = by_name.remove(name) else {
            continue;
        };
        ctx.step()?;
        found.extend(view.by_name(name));
        found.extend(others);
    }
    Ok(found)
}

/// The files or folders of some paths, and the symbols of the files, path by path.
pub(super) fn at_paths(ctx: &Context<'_>, paths: &[&str]) -> Result<Vec<NodeId>, Fault> {
    let view = ctx.view;
    ctx.items(paths.len() + view.n_files() + view.folders().count())?;
    let mut by_path: FxHashMap<&str, (Option<FileId>, Option<NodeId>)> =
        paths.iter().map(|path| (*path, (None, None))).collect();
    for file in (0..view.n_files() as u32).map(FileId) {
        if let Some((known, _)) = by_path.get_mut(view.path(file)) {
            known.get_or_insert(file);
        }
    }
    for folder in view.folders() {
        if let Some((_, known)) = by_path.get_mut(view.path_of(folder)) {
            known.get_or_insert(folder);
        }
    }
    let mut found = Vec::new();
    for path in paths {
        // A path that is given twice is looked up once.
        let (file, folder) = by_path.remove(path).unwrap_or_default();
        found.extend(file.map(|file| NodeId(file.0)));
        found.extend(folder);
        found.extend(file.map(|file| view.symbols_of(file)).into_iter().flatten());
    }
    ctx.items(found.len())?;
    Ok(found)
}
