//! The form of sections in a file: columns, packed. A column that follows from others is left out and worked out again
//! where a file is opened.

mod graph;
mod lexical;
mod vectors;

use search::{ArchivedNames, Names};

use super::columns::{Fault, Reader, Writer};
use crate::frozen::{ArchivedChunks, ArchivedFiles, Chunks};
use ::graph::frozen::ArchivedGraph;
pub(super) use graph::{pack_graph, unpack_graph};
pub(super) use lexical::{pack_lexical, read_row, unpack_lexical, write_row};
pub(super) use vectors::{pack_vectors, unpack_vectors};

/// "None" in a column of numbers.
const NONE: u32 = u32::MAX;

pub(super) fn pack_chunks(chunks: &ArchivedChunks) -> Vec<u8> {
    let mut writer = Writer::default();
    let mut last = 0;
    let symbols = chunks.symbols.iter().map(|symbol| symbol.to_native());
    // 0 where there is none, else the step from the last one.
    let steps = symbols.map(|symbol| {
        if symbol == NONE {
            return 0;
        }
        let step = i64::from(symbol) - i64::from(last);
        last = symbol;
        (step << 1 ^ step >> 63) as u64 + 1
    });
    writer.column(&steps.collect::<Vec<u64>>());
    writer.archived(&chunks.kinds);
    writer.number(chunks.keys.to_native());
    writer.pack()
}

pub(super) fn unpack_chunks(bytes: &[u8]) -> Result<Chunks, Fault> {
    let mut reader = Reader::new(bytes);
    let mut last = 0_i64;
    let symbol = |coded: u64| {
        let Some(coded) = coded.checked_sub(1) else {
            return NONE;
        };
        last = last.wrapping_add((coded >> 1) as i64 ^ -((coded & 1) as i64));
        last as u32
    };
    let chunks = Chunks {
        symbols: reader.longs()?.into_iter().map(symbol).collect(),
        kinds: reader.numbers()?,
        keys: reader.number()?,
    };
    reader.end()?;
    Ok(chunks)
}

/// Names follow from the definitions that have them; only their order is stored.
pub(super) fn pack_names(names: &ArchivedNames) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.archived(&names.payload_starts);
    writer.archived(&names.payloads);
    writer.pack()
}

pub(super) fn unpack_names(bytes: &[u8], graph: &ArchivedGraph) -> Result<Names, Fault> {
    let mut reader = Reader::new(bytes);
    let payload_starts = reader.numbers()?;
    let payloads = reader.numbers()?;
    reader.end()?;
    let view = ::graph::GraphView::new(graph);
    let n_nodes = graph.nodes.kind.len();
    let name = |start: &u32| {
        let node = *payloads.get(*start as usize).ok_or(UNNAMED)?;
        if node as usize >= n_nodes {
            return Err(UNNAMED);
        }
        Ok(view.name(::graph::NodeId(node)))
    };
    let starts = payload_starts
        .split_last()
        .map_or(&[][..], |(_, starts)| starts);
    let spelt = starts
        .iter()
        .map(name)
        .collect::<Result<Vec<&str>, Fault>>()?;
    Ok(Names::of(&spelt, payload_starts, payloads))
}

const UNNAMED: Fault = "a name is that of no definition";
