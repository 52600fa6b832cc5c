//! Where definitions are: what uses and edges are expected to say follows from it.

use std::borrow::Cow;

use graph::frozen::{ArchivedGraph, Graph};
use syntax::facts::{Modifiers, SymbolKind};

use super::{at, natives};

/// Columns of nodes.
pub(super) struct Scene<'a> {
    pub symbol_offsets: Cow<'a, [u32]>,
    pub symbol_kind: &'a [u8],
    pub parent: Cow<'a, [u32]>,
    pub start: Cow<'a, [u32]>,
    pub end: Cow<'a, [u32]>,
    pub start_line: Cow<'a, [u32]>,
    pub name_line: Cow<'a, [u32]>,
    pub modifiers: Cow<'a, [u32]>,
}

impl<'a> Scene<'a> {
    /// Of a graph in an archive.
    pub fn archived(graph: &'a ArchivedGraph) -> Self {
        let nodes = &graph.nodes;
        Self {
            symbol_offsets: natives(&graph.symbol_offsets).into(),
            symbol_kind: &nodes.symbol_kind,
            parent: natives(&nodes.parent).into(),
            start: natives(&nodes.start).into(),
            end: natives(&nodes.end).into(),
            start_line: natives(&nodes.start_line).into(),
            name_line: natives(&nodes.name_line).into(),
            modifiers: natives(&nodes.modifiers).into(),
        }
    }

    /// Of a graph that is being read, up to its nodes.
    pub fn of(graph: &'a Graph) -> Self {
        let nodes = &graph.nodes;
        Self {
            symbol_offsets: graph.symbol_offsets.as_slice().into(),
            symbol_kind: &nodes.symbol_kind,
            parent: nodes.parent.as_slice().into(),
            start: nodes.start.as_slice().into(),
            end: nodes.end.as_slice().into(),
            start_line: nodes.start_line.as_slice().into(),
            name_line: nodes.name_line.as_slice().into(),
            modifiers: nodes.modifiers.as_slice().into(),
        }
    }

    /// For each node the innermost named function around it, itself included, or its file: the source of edges of uses in it.
    pub fn users(&self) -> Vec<u32> {
        use SymbolKind::{Constructor, Function, Macro, Method};
        let is_user = [Function, Method, Constructor, Macro].map(|kind| kind as u8);
        let anonymous = Modifiers::ANONYMOUS.bits();
        let mut users: Vec<u32> = (0..self.parent.len() as u32).collect();
        for (file, range) in (0..).zip(self.symbol_offsets.windows(2)) {
            for node in range[0]..range[1].min(users.len() as u32) {
                let idx = node as usize;
                let kind = self.symbol_kind.get(idx);
                let is_named = at(&self.modifiers, idx) & anonymous == 0;
                if is_named && kind.is_some_and(|kind| is_user.contains(kind)) {
                    continue;
                }
                let parent = at(&self.parent, idx);
                let is_inside = (range[0]..node).contains(&parent);
                users[idx] = if is_inside {
                    users[parent as usize]
                } else {
                    file
                };
            }
        }
        users
    }
}

/// Goes through a file and knows which definition is around.
pub(super) struct Descent<'a> {
    scene: &'a Scene<'a>,
    file: u32,
    next: u32,
    past: u32,
    around: Vec<u32>,
}

impl<'a> Descent<'a> {
    /// From the start of a file.
    pub fn new(scene: &'a Scene<'a>, file: u32) -> Self {
        let offset = |file: u32| at(&scene.symbol_offsets, file as usize);
        Self {
            scene,
            file,
            next: offset(file),
            past: offset(file + 1).min(scene.start.len() as u32),
            around: Vec::new(),
        }
    }

    /// The innermost definition around a byte, or the file, if bytes are asked for in rising order.
    pub fn to(&mut self, offset: u32) -> u32 {
        let Scene { start, end, .. } = self.scene;
        while self.next < self.past && at(start, self.next as usize) <= offset {
            if offset < at(end, self.next as usize) {
                self.around.push(self.next);
            }
            self.next += 1;
        }
        while let Some(inner) = self.around.last() {
            if offset < at(end, *inner as usize) {
                return *inner;
            }
            self.around.pop();
        }
        self.file
    }
}
