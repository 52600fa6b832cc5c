//! A function for each question: read the request, make one call to the engine, convert the result.
//!
//! Hosts (JavaScript bindings, the Worker, tests) call these, so that all of them give the same answers and the same
//! errors.

mod ask;
mod assemble;
mod atlas;
mod budget;
mod calls;
mod changes;
mod chunks;
mod context;
mod cypher;
mod export;
mod files;
mod flows;
mod impact;
mod intelligence;
mod link;
mod locate;
mod map;
mod query;
mod rename;
mod search;
mod structural;
mod symbols;
mod tokens;
mod trace;
mod walk;

pub use ask::{Asked, Embed, Exchange, Json, TOOLS, Tool, ask, sections_of, wants_vector};
pub use assemble::assemble;
pub use atlas::atlas;
pub use calls::{callees, callers, edges, references};
pub use changes::detect_changes;
pub use chunks::chunks;
pub use context::context;
pub use cypher::cypher;
pub use export::export;
pub use files::{file_text, files, regex, status};
pub use flows::{communities, community, process, processes};
pub use impact::impact;
pub use intelligence::code_intelligence;
pub use link::{callees_as_results, callers_as_results, chunks_for_symbol, link};
pub use locate::locate;
pub use map::map;
pub use query::query;
pub use rename::rename;
pub use search::search;
pub use structural::structural_files;
#[cfg(feature = "ingest")]
pub use structural::{structural, structural_found, structural_plan};
pub use symbols::{definition, find, outline, usages};
pub use trace::trace;
pub use walk::{cycles, paths, subgraph, traverse};

use engine::FileId;
use engine::Modifiers;
use engine::NodeId;
use engine::{Error, ErrorKind, Reader};

use crate::{ErrorBody, Position, ProcessPlace, Range, Symbol, SymbolRef};

impl From<Error> for ErrorBody {
    fn from(error: Error) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            help: error.help().to_owned(),
        }
    }
}

/// The definition in the words of the wire.
fn symbol(reader: &Reader, id: NodeId) -> Symbol {
    let graph = reader.graph();
    let node = graph.node(id);
    let file = node.file.unwrap_or(FileId(u32::MAX));
    Symbol {
        id: id.0,
        name: node.name.to_owned(),
        qualified_name: graph.qualified_name(id),
        kind: kind_of(&node),
        language: reader.language_name(file).to_owned(),
        path: path_of(reader, &node),
        line: node.name_span.start_line.saturating_add(1),
        start_line: node.span.start_line.saturating_add(1),
        end_line: node.span.end_line.saturating_add(1),
        name_range: range(
            reader,
            file,
            node.name_span.start,
            node.name_span.end,
            node.name_span.start_line,
        ),
        signature: node.signature.to_owned(),
        doc: node.doc.to_owned(),
        exported: node.modifiers.contains(Modifiers::EXPORTED),
    }
}

/// The definition, file or package in one line of a list.
fn symbol_ref(reader: &Reader, id: NodeId) -> SymbolRef {
    let graph = reader.graph();
    let node = graph.node(id);
    SymbolRef {
        id: id.0,
        name: node.name.to_owned(),
        qualified_name: graph.qualified_name(id),
        kind: kind_of(&node),
        path: path_of(reader, &node),
        line: node.name_span.start_line.saturating_add(1),
    }
}

/// `function`, `class`, …; `file`, `folder`, `external` for nodes that are no definition.
fn kind_of(node: &engine::Node<'_>) -> String {
    match node.symbol_kind {
        Some(kind) => engine::kind_name(kind).to_owned(),
        None => node.kind.name().to_lowercase(),
    }
}

fn path_of(reader: &Reader, node: &engine::Node<'_>) -> String {
    match node.file {
        Some(file) => reader.path(file).to_owned(),
        None => reader.graph().path_of(node.id).to_owned(),
    }
}

/// A step of an execution flow.
fn process_place(reader: &Reader, process: NodeId, step: u32) -> ProcessPlace {
    let graph = reader.graph();
    let known = graph.process(process);
    ProcessPlace {
        id: process.0,
        label: graph.name(process).to_owned(),
        process_type: known.map_or("", |process| process.kind.name()).to_owned(),
        step,
        n_steps: known.map_or(0, |process| process.n_steps),
    }
}

fn symbols(reader: &Reader, ids: &[NodeId]) -> Vec<Symbol> {
    ids.iter().map(|id| symbol(reader, *id)).collect()
}

/// A name on a known line, in UTF-16 code units. Without texts: the start of the line.
fn range(reader: &Reader, file: FileId, start: u32, end: u32, line: u32) -> Range {
    let position = |offset: u32| Position {
        line,
        character: reader.character_at(file, offset),
    };
    Range {
        start: position(start),
        end: position(end),
    }
}

/// A kind of definition by its name.
fn kind(name: Option<&str>) -> Result<Option<engine::SymbolKind>, Error> {
    name.map(engine::kind_from_name).transpose()
}

/// A share of 1 as the percentage that the engine counts in.
fn percent(share: Option<f32>) -> Result<u8, Error> {
    let share = share.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::new(
            ErrorKind::QueryInvalid,
            format!("min_confidence is {share}; it can be 0 to 1"),
        ));
    }
    Ok((share * 100.0).round() as u8)
}

fn share(percent: u8) -> f32 {
    f32::from(percent) / 100.0
}

/// A limit of the request, or what holds without one.
fn limit(given: Option<u32>, otherwise: u32, most: u32) -> Result<usize, Error> {
    let limit = given.unwrap_or(otherwise);
    if !(1..=most).contains(&limit) {
        return Err(Error::new(
            ErrorKind::QueryInvalid,
            format!("limit is {limit}; it can be 1 to {most}"),
        ));
    }
    Ok(limit as usize)
}
