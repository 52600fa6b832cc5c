//! Imported documents in a snapshot: packed, read again only when the index changes.

use std::collections::BTreeMap;

use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// The document of a file in a compiler's index; one entry a name in every column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct ScipDocument {
    /// BLAKE3 of the text that it is of.
    pub digest: [u8; 32],
    /// First byte of each name.
    pub starts: Vec<u32>,
    /// One past its last byte.
    pub ends: Vec<u32>,
    /// 0-based.
    pub lines: Vec<u32>,
    /// Hash of its symbol.
    pub symbols: Vec<u64>,
    /// Whether it is defined there.
    pub is_definition: Vec<bool>,
    /// Which symbols implement which.
    pub relations: Vec<(u64, u64)>,
}

impl ScipDocument {
    /// Span and symbol of each definition.
    pub fn definitions(&self) -> impl Iterator<Item = ((u32, u32), u64)> + '_ {
        let defined = self.is_definition.iter();
        self.names()
            .zip(defined)
            .filter(|(_, is_definition)| **is_definition)
            .map(|((span, symbol, _), _)| (span, symbol))
    }

    /// Span, symbol and line of every name.
    pub fn names(&self) -> impl Iterator<Item = ((u32, u32), u64, u32)> + '_ {
        let spans = self.starts.iter().copied().zip(self.ends.iter().copied());
        let symbols = self.symbols.iter().copied().zip(self.lines.iter().copied());
        spans
            .zip(symbols)
            .map(|(span, (symbol, line))| (span, symbol, line))
    }
}

/// Documents by path.
pub type ScipDocuments = BTreeMap<String, ScipDocument>;

/// The section of a snapshot: an LZ4 block of an archive, with its length before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct ScipStore {
    /// The block.
    pub packed: Vec<u8>,
    /// Bytes of the archive.
    pub length: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
struct Documents {
    paths: Vec<String>,
    documents: Vec<ScipDocument>,
}

/// LZ4 packs no more than this many bytes into one.
const MAX_RATIO: usize = 255;

impl ScipStore {
    /// Packs documents.
    pub fn pack(documents: &BTreeMap<String, ScipDocument>) -> Result<Self, Error> {
        let all = Documents {
            paths: documents.keys().cloned().collect(),
            documents: documents.values().cloned().collect(),
        };
        let too_large = || Error::new(ErrorKind::TooLarge, "section scip has more than 2 GiB");
        let archive = rkyv::to_bytes::<rancor::Error>(&all).map_err(|_| too_large())?;
        let length = u32::try_from(archive.len()).map_err(|_| too_large())?;
        Ok(ScipStore {
            packed: lz4_flex::block::compress(&archive),
            length,
        })
    }
}

impl ArchivedScipStore {
    /// Unpacks documents, checked.
    pub fn unpack(&self) -> Result<BTreeMap<String, ScipDocument>, Error> {
        let damaged = || {
            Error::new(
                ErrorKind::Damaged,
                "the snapshot's section scip is damaged: its documents cannot be read",
            )
            .with_help("import the SCIP index again")
        };
        let length = self.length.to_native() as usize;
        // A wrong length must not cost its memory.
        if length > self.packed.len().saturating_mul(MAX_RATIO) {
            return Err(damaged());
        }
        let mut archive = AlignedVec::<16>::with_capacity(length);
        archive.resize(length, 0);
        let unpacked = lz4_flex::block::decompress_into(&self.packed, &mut archive);
        if unpacked.ok() != Some(length) {
            return Err(damaged());
        }
        let all = rkyv::from_bytes::<Documents, rancor::Error>(&archive).map_err(|_| damaged())?;
        Ok(all.paths.into_iter().zip(all.documents).collect())
    }
}
