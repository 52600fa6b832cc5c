//! Compresses finished sections on idle workers while the rest is built. They come back before the snapshot is written; the file is
//! the same, byte for byte.

use graph::frozen::Graph;
use rkyv::util::AlignedVec;
use search::{Lexical, Names};

use crate::archive::check;
use crate::columns::Fault;
use crate::frozen::Chunks;
use crate::texts::pack_block;
use crate::{Archive, Error, SECTIONS, Section, SectionKind, Snapshot, TextBlock, damaged};

/// Whether bytes are an archive of some type.
type Check = fn(&[u8]) -> Result<(), Fault>;

/// A section of this name as it is in the file, with those that are made from the same archive. Some 80 MB a second in
/// WebAssembly.
///
/// # Errors
///
/// `snapshot.damaged` where the archive is not that of such a section.
pub fn pack_section(name: &str, archive: &[u8]) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let (kind, check) = packed_ahead(name)?;
    let mut aligned = AlignedVec::with_capacity(archive.len());
    aligned.extend_from_slice(archive);
    check(&aligned).map_err(|fault| damaged(kind, fault))?;
    pack_kind(kind, Section::of(aligned), None)
}

/// As [`pack_section`], of an archive that this process has made itself: it is neither checked nor copied. `like` is a snapshot
/// that has much in common ([`Snapshot::like`]).
///
/// # Errors
///
/// `snapshot.damaged` where no section of this name is packed ahead.
pub fn pack_archive(
    name: &str,
    archive: Archive,
    like: Option<&Snapshot>,
) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let (kind, _) = packed_ahead(name)?;
    pack_kind(kind, Section::Archive(archive), like)
}

fn packed_ahead(name: &str) -> Result<(SectionKind, Check), Error> {
    Ok(match name {
        "chunks" => (SectionKind::Chunks, check::<Chunks>),
        "graph" => (SectionKind::Graph, check::<Graph>),
        "names" => (SectionKind::Names, check::<Names>),
        "lexical" => (SectionKind::Lexical, check::<Lexical>),
        _ => {
            return Err(damaged(
                SectionKind::Info,
                "no such section is packed ahead",
            ));
        }
    })
}

fn pack_kind(
    kind: SectionKind,
    section: Section,
    like: Option<&Snapshot>,
) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let mut snapshot = Snapshot::assemble(None, vec![(kind, section)]);
    if let Some(like) = like {
        snapshot = snapshot.like(like);
    }
    let made: &[SectionKind] = match kind {
        SectionKind::Lexical => &[
            SectionKind::Lexical,
            SectionKind::Postings,
            SectionKind::Rows,
        ],
        _ => &[kind],
    };
    let mut packed = Vec::with_capacity(made.len());
    for kind in made {
        packed.extend(snapshot.pack(*kind)?.map(|bytes| (kind.name(), bytes)));
    }
    Ok(packed)
}

/// Blocks of texts, packed: `ends` says where each ends.
#[must_use]
pub fn pack_texts(blocks: &[u8], ends: &[u32]) -> Vec<Vec<u8>> {
    let starts = std::iter::once(&0).chain(ends);
    let ranges = starts.zip(ends);
    ranges
        .map(|(start, end)| {
            let block = blocks.get(*start as usize..*end as usize);
            pack_block(block.unwrap_or_default())
        })
        .collect()
}

/// As [`pack_texts`], of blocks that are apart.
#[must_use]
pub fn pack_blocks(blocks: &[TextBlock]) -> Vec<Vec<u8>> {
    blocks.iter().map(|block| pack_block(block)).collect()
}

impl Snapshot {
    /// Takes a section that [`pack_section`] made of this snapshot's archive.
    pub fn set_packed(&self, name: &str, packed: Vec<u8>) {
        let kind = SECTIONS.into_iter().find(|kind| kind.name() == name);
        if let Some(kind) = kind.filter(|kind| !self.store.has(*kind)) {
            let _ = self.written.ahead[kind as usize].set(packed);
        }
    }

    /// Takes a block of texts that [`pack_texts`] made of this snapshot's block of this number.
    pub fn set_packed_texts(&self, number: usize, packed: Vec<u8>) {
        if let Ok(Some(texts)) = self.text_store() {
            texts.set_packed(number, packed);
        }
    }
}
