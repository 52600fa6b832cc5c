//! A saved index as one file: packed on disk, flat in memory.
//!
//! A file is a table of named sections with checksums. A section is compared with its checksum, unpacked into the flat archive that
//! queries read, and compared with the sections that it belongs to: all sections at once ([`Snapshot::open`]), or each when a question
//! asks for it first ([`Snapshot::open_lazily`]). After that every access is a pointer. Texts and postings are unpacked in blocks when
//! they are asked for, facts when the index is about to change.
//!
//! ```
//! use portolan_snapshot::{Error, ErrorKind, Snapshot};
//!
//! let error = Snapshot::open(b"<html>").err().unwrap();
//! assert_eq!(error.kind(), ErrorKind::Foreign);
//! assert_eq!(error.code(), "snapshot.foreign");
//!
//! // A question owns the place for faults: no answer gets out of a section that cannot be read.
//! fn n_files(snapshot: &Snapshot) -> Result<usize, Error> {
//!     snapshot.read(|view| Ok(view.files().len()))
//! }
//! ```
//!
//! Invariants: it knows the frozen forms of the crates `graph` and `search`, but neither resolves nor ranks nor answers; the same
//! sections give the same bytes; every codec has golden bytes in `tests/golden`.

mod bytes;
mod container;
mod error;
mod kind;

mod snapshot;
mod view;

mod budget;
mod cache;
mod check;
mod fault;
mod open;
mod store;

mod compress;
mod frames;
mod packed_ahead;
mod packers;
mod pieces;
mod write;

mod hide;
mod incoming;
mod partial;

mod archive;
mod blocks;
mod columns;
mod facts;
mod pack;
mod planes;
mod postings;
mod scip;
mod texts;

mod counts;
mod frozen;

use std::sync::Arc;

use rkyv::util::AlignedVec;

pub use archive::archived_in;
pub use bytes::{Source, unreadable};
pub use container::{FORMAT_VERSION, table};
pub use counts::{ArchivedCounts, Counts, by_number, symbol_kind};
pub use error::{Error, ErrorKind};
pub use facts::{Beside, FactStore, Facts, check_facts};
pub use fault::FaultSlot;
pub use frozen::{
    ArchivedChunks, ArchivedFiles, ArchivedInfo, ArchivedLanguageEntry, Chunks, Files, Info,
    LanguageEntry, ProblemEntry, SkippedEntry, Strings,
};
pub use hide::{Hidden, closed_originals, hide_paths, restore_paths};
pub use incoming::Incoming;
pub use kind::{SECTIONS, SectionKind};
pub use packed_ahead::{pack_archive, pack_blocks, pack_section, pack_texts};
pub use packers::Packers;
pub use partial::{N_START, Partial, Wanted};
pub use pieces::Give;
pub use postings::PostingStore;
pub use scip::{ScipDocument, ScipDocuments, ScipStore};
pub use snapshot::Snapshot;
pub use texts::{Text, TextBlock, TextStore};
pub use view::{Texts, View};

/// The bytes of an archive, shared.
pub type Archive = Arc<AlignedVec<16>>;

/// A section in memory.
#[derive(Clone)]
pub enum Section {
    /// An archive that queries read.
    Archive(Archive),
    /// Postings in blocks.
    Postings(Arc<PostingStore>),
    /// Texts in blocks.
    Texts(Arc<TextStore>),
    /// Facts in blocks.
    Facts(Arc<FactStore>),
}

impl Section {
    /// A section that is an archive.
    #[must_use]
    pub fn of(archive: AlignedVec<16>) -> Self {
        Self::Archive(Arc::new(archive))
    }
}

/// Makes the error of a section that holds what no engine writes.
pub(crate) fn damaged(kind: SectionKind, what: &str) -> Error {
    let message = format!("the snapshot's section {} is damaged: {what}", kind.name());
    Error::new(ErrorKind::Damaged, message).with_help("index the sources anew")
}
