//! Nodes: spans relative to where they are expected.

use graph::frozen::{ArchivedNodes, Nodes, Strings};
use rkyv::rend::u32_le;

use super::super::super::columns::{Fault, Reader, Writer};
use super::{at, native};

pub(super) fn write(nodes: &ArchivedNodes, offsets: &[u32_le], writer: &mut Writer) {
    writer.bytes(&nodes.kind);
    writer.bytes(&nodes.symbol_kind);
    let mut fresh = Fresh::default();
    let strings = native(&nodes.name)
        .zip(native(&nodes.signature))
        .zip(native(&nodes.doc));
    let coded: Vec<[u32; 3]> = strings
        .map(|((name, signature), doc)| [name, signature, doc].map(|id| fresh.code(id)))
        .collect();
    for column in 0..3 {
        writer.numbers(coded.iter().map(|codes| codes[column]));
    }
    // None is the largest number there is: one more is 0.
    writer.numbers(native(&nodes.parent).map(|parent| parent.wrapping_add(1)));
    writer.numbers(native(&nodes.file).map(|file| file.wrapping_add(1)));
    writer.archived(&nodes.start);
    writer.differences(native(&nodes.end).zip(native(&nodes.start)));
    writer.archived(&nodes.start_line);
    writer.differences(native(&nodes.end_line).zip(native(&nodes.start_line)));
    writer.differences(native(&nodes.name_start).zip(native(&nodes.start)));
    let lengths = native(&nodes.name).zip(native(&nodes.name_start));
    let name_ends = lengths.map(|(name, start)| start.wrapping_add(length_of(offsets, name)));
    writer.differences(native(&nodes.name_end).zip(name_ends));
    writer.differences(native(&nodes.name_line).zip(native(&nodes.start_line)));
    writer.archived(&nodes.modifiers);
    writer.archived_short(&nodes.complexity);
    writer.archived_float(&nodes.centrality);
}

fn length_of(offsets: &[u32_le], string: u32) -> u32 {
    let at = |idx: usize| offsets.get(idx).map_or(0, |at| at.to_native());
    at(string as usize + 1).wrapping_sub(at(string as usize))
}

/// Numbers of strings that were given in the order in which they turned up: the empty one is 0, a new one 1, others are how far
/// back or ahead they are.
struct Fresh {
    next: u32,
}

impl Default for Fresh {
    fn default() -> Self {
        // String 0 is empty.
        Self { next: 1 }
    }
}

impl Fresh {
    fn code(&mut self, id: u32) -> u32 {
        if id == 0 {
            0
        } else if id == self.next {
            self.next += 1;
            1
        } else if id < self.next {
            (self.next - id) << 1
        } else {
            (id - self.next) << 1 | 1
        }
    }

    fn id(&mut self, code: u32) -> u32 {
        match code {
            0 => 0,
            1 => {
                self.next = self.next.wrapping_add(1);
                self.next.wrapping_sub(1)
            }
            ahead if ahead & 1 == 1 => self.next.wrapping_add(ahead >> 1),
            back => self.next.wrapping_sub(back >> 1),
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, strings: &Strings) -> Result<Nodes, Fault> {
    let mut nodes = Nodes {
        kind: reader.bytes()?.to_vec(),
        symbol_kind: reader.bytes()?.to_vec(),
        name: reader.numbers()?,
        signature: reader.numbers()?,
        doc: reader.numbers()?,
        ..Nodes::default()
    };
    let mut fresh = Fresh::default();
    let columns = nodes
        .name
        .iter_mut()
        .zip(&mut nodes.signature)
        .zip(&mut nodes.doc);
    for ((name, signature), doc) in columns {
        for id in [name, signature, doc] {
            *id = fresh.id(*id);
        }
    }
    let less_one = |column: Vec<u32>| column.into_iter().map(|id| id.wrapping_sub(1)).collect();
    nodes.parent = less_one(reader.numbers()?);
    nodes.file = less_one(reader.numbers()?);
    nodes.start = reader.numbers()?;
    nodes.end = reader.differences(|idx| at(&nodes.start, idx))?;
    nodes.start_line = reader.numbers()?;
    nodes.end_line = reader.differences(|idx| at(&nodes.start_line, idx))?;
    nodes.name_start = reader.differences(|idx| at(&nodes.start, idx))?;
    let length = |string: u32| {
        let start = at(&strings.offsets, string as usize);
        at(&strings.offsets, (string as usize).wrapping_add(1)).wrapping_sub(start)
    };
    nodes.name_end = reader
        .differences(|idx| at(&nodes.name_start, idx).wrapping_add(length(at(&nodes.name, idx))))?;
    nodes.name_line = reader.differences(|idx| at(&nodes.start_line, idx))?;
    nodes.modifiers = reader.numbers()?;
    nodes.complexity = reader.shorts()?;
    nodes.centrality = reader.floats()?;
    Ok(nodes)
}
