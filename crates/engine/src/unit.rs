//! What one file gives to an index, worked out without any other file: in a parsing worker, or here.

use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};
use search::ChunkTerms;
use syntax::facts::{FileFacts, Symbol};

use crate::{Error, ErrorKind};

/// Facts and terms of one file.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct FileUnit {
    /// What the file says.
    pub facts: FileFacts,
    /// Terms of each of its chunks.
    pub terms: Vec<ChunkTerms>,
}

impl FileUnit {
    /// As bytes, to hand over between workers and to keep in a snapshot.
    #[must_use]
    pub fn to_bytes(&self) -> AlignedVec<16> {
        match rkyv::to_bytes::<rancor::Error>(self).map(realigned) {
            Ok(bytes) => bytes,
            Err(error) => unreachable!("facts hold nothing that cannot be archived: {error}"),
        }
    }

    /// From bytes, checked; copies them if they are not aligned.
    ///
    /// # Errors
    ///
    /// `unit.damaged` for bytes that [`FileUnit::to_bytes`] of this version did not write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut aligned = AlignedVec::<16>::with_capacity(bytes.len());
        aligned.extend_from_slice(bytes);
        let unit = rkyv::from_bytes::<Self, rancor::Error>(&aligned)
            .map_err(|error| damaged(&error.to_string()))?;
        check(&unit).map_err(damaged)?;
        Ok(unit)
    }
}

/// What the parts that build an index rely on: every number of a symbol is one that is there, parents come first,
/// chunks follow each other.
fn check(unit: &FileUnit) -> Result<(), &'static str> {
    let facts = &unit.facts;
    let n_symbols = facts.symbols.len();
    let known = |symbol: &u32| (*symbol as usize) < n_symbols;
    let is_before = |(idx, symbol): (usize, &Symbol)| {
        symbol.parent.is_none_or(|parent| (parent as usize) < idx)
    };
    if unit.terms.len() != facts.chunks.len() {
        return Err("chunks and terms differ in number");
    }
    if !unit
        .terms
        .iter()
        .all(|terms| terms.terms.len() == terms.counts.len())
    {
        return Err("terms and their counts differ in number");
    }
    if !facts.symbols.iter().enumerate().all(is_before) {
        return Err("a symbol stands before its parent");
    }
    let enclosing = facts.references.iter().map(|reference| reference.enclosing);
    let enclosing = enclosing.chain(facts.imports.iter().map(|import| import.enclosing));
    let mut enclosing = enclosing
        .chain(facts.bindings.iter().map(|binding| binding.enclosing))
        .flatten();
    if !enclosing.all(|symbol| known(&symbol)) {
        return Err("a fact names a symbol that is not there");
    }
    let chunks = facts.chunks.iter();
    if !chunks
        .clone()
        .all(|chunk| chunk.symbol.iter().chain(&chunk.defines).all(known))
    {
        return Err("a chunk names a symbol that is not there");
    }
    if !chunks.clone().all(|chunk| {
        chunk.span.start <= chunk.span.end && chunk.span.start_line <= chunk.span.end_line
    }) {
        return Err("a chunk ends before it starts");
    }
    Ok(())
}

/// Only the type changes: rkyv's own buffers are aligned to 16 as well.
fn realigned(bytes: AlignedVec) -> AlignedVec<16> {
    bytes
}

fn damaged(what: &str) -> Error {
    Error::new(
        ErrorKind::UnitDamaged,
        format!("the facts of the file cannot be read: {what}"),
    )
}
