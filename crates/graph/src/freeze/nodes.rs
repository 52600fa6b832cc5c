//! Writes nodes as columns: files, folders, symbols, external packages.

use std::borrow::Cow;

use syntax::facts::{Span, SymbolKind};

use super::strings::StringTable;
use crate::frozen::{NONE, Nodes};
use crate::kinds::NodeKind;
use crate::layout::Layout;

pub(super) struct NewNode<'a> {
    kind: NodeKind,
    symbol_kind: Option<SymbolKind>,
    name: &'a str,
    parent: u32,
    file: u32,
    span: Span,
    name_span: Span,
    signature: &'a str,
    doc: &'a str,
    modifiers: u32,
    complexity: u16,
}

impl<'a> NewNode<'a> {
    pub fn plain(kind: NodeKind, path: &'a str, parent: u32, file: u32) -> Self {
        let name = match kind {
            NodeKind::File | NodeKind::Folder => path.rsplit('/').next().unwrap_or(path),
            _ => path,
        };
        NewNode {
            kind,
            symbol_kind: None,
            name,
            parent,
            file,
            span: Span::default(),
            name_span: Span::default(),
            signature: path,
            doc: "",
            modifiers: 0,
            complexity: 0,
        }
    }

    fn push_to(self, nodes: &mut Nodes, strings: &mut StringTable<'a>) {
        self.push_with(nodes, |text| strings.add(Cow::Borrowed(text)));
    }

    /// As [`Self::push_to`], for names that do not live as long as the table.
    pub fn push_owned(self, nodes: &mut Nodes, strings: &mut StringTable<'_>) {
        self.push_with(nodes, |text| strings.add(Cow::Owned(text.to_owned())));
    }

    fn push_with(self, nodes: &mut Nodes, mut add: impl FnMut(&'a str) -> u32) {
        nodes.kind.push(self.kind as u8);
        nodes
            .symbol_kind
            .push(self.symbol_kind.map_or(u8::MAX, |kind| kind as u8));
        nodes.name.push(add(self.name));
        nodes.parent.push(self.parent);
        nodes.file.push(self.file);
        nodes.start.push(self.span.start);
        nodes.end.push(self.span.end);
        nodes.start_line.push(self.span.start_line);
        nodes.end_line.push(self.span.end_line);
        nodes.name_start.push(self.name_span.start);
        nodes.name_end.push(self.name_span.end);
        nodes.name_line.push(self.name_span.start_line);
        nodes.signature.push(add(self.signature));
        nodes.doc.push(add(self.doc));
        nodes.modifiers.push(self.modifiers);
        nodes.complexity.push(self.complexity);
    }
}

/// The nodes of a layout, and external packages.
pub(super) fn nodes<'a>(
    layout: &Layout<'a>,
    externals: &'a [String],
    strings: &mut StringTable<'a>,
) -> Nodes {
    let mut nodes = Nodes::default();
    push_places(layout, &mut nodes, strings);
    for (file, symbol) in layout.symbols() {
        NewNode {
            kind: NodeKind::Symbol,
            symbol_kind: Some(symbol.kind),
            name: &symbol.name,
            parent: symbol
                .parent
                .map_or(file, |parent| layout.node(file, parent)),
            file,
            span: symbol.span,
            name_span: symbol.name_span,
            signature: &symbol.signature,
            doc: &symbol.rare.doc,
            modifiers: symbol.modifiers,
            complexity: symbol.complexity,
        }
        .push_to(&mut nodes, strings);
    }
    push_externals(externals, &mut nodes, strings);
    nodes
}

/// The nodes that are no symbols.
pub(super) fn plain_nodes<'a>(
    layout: &Layout<'a>,
    externals: &'a [String],
    strings: &mut StringTable<'a>,
) -> Nodes {
    let mut nodes = Nodes::default();
    push_places(layout, &mut nodes, strings);
    push_externals(externals, &mut nodes, strings);
    nodes
}

/// Files and folders.
fn push_places<'a>(layout: &Layout<'a>, nodes: &mut Nodes, strings: &mut StringTable<'a>) {
    for (index, file) in layout.files.iter().enumerate() {
        let mut node = NewNode::plain(
            NodeKind::File,
            file.path,
            layout.folder_of_file[index],
            index as u32,
        );
        node.span.end_line = file.facts.n_lines.saturating_sub(1);
        node.push_to(nodes, strings);
    }
    for (path, &parent) in layout.folders.iter().zip(&layout.folder_of_folder) {
        NewNode::plain(NodeKind::Folder, path, parent, NONE).push_to(nodes, strings);
    }
}

fn push_externals<'a>(externals: &'a [String], nodes: &mut Nodes, strings: &mut StringTable<'a>) {
    for name in externals {
        NewNode::plain(NodeKind::External, name, NONE, NONE).push_to(nodes, strings);
    }
}
