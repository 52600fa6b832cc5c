//! What one file gives to an index, worked out without any other file: in a parsing worker, or here.

use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};
use search::ChunkTerms;
use syntax::facts::FileFacts;

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
        if unit.terms.len() != unit.facts.chunks.len() {
            return Err(damaged("chunks and terms differ in number"));
        }
        Ok(unit)
    }
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
