//! The root of an index in shards, as bytes: the list of shards, what the index is, its files, its names, the joint, and the table of
//! chunks.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `PTLNROOT` |
//! | 4 | version |
//! | 4 | number of sections |
//! | 24 each | kind (4), bytes packed (4), bytes unpacked (8), XXH3 of the packed ones (8) |
//! | … | sections, one after another, each a Zstandard frame of an archive |
//!
//! A root is data of strangers, as a snapshot is: sizes are compared with limits before memory is taken for them,
//! checksums before bytes are unpacked, and every number with what it counts before a question reads it.

use std::sync::Arc;

use crate::size::shard_name;
use engine::{
    Archive, ArchivedChunkTable, ChunkTable, Each, Error, Joint, Snapshot, SnapshotError, collect,
    in_turn,
};
use graph::ArchivedJoint;
use graph::frozen::Graph;
use rkyv::api::high::{HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Failure;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Deserialize, Portable, Serialize};
use snapshot::{Chunks, ErrorKind, Files, Info, Section, SectionKind, archived_in};
use xxhash_rust::xxh3::xxh3_64;

/// Version of the form of roots. Older ones are refused: the sources are indexed anew.
pub const ROOT_VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"PTLNROOT";
const HEADER: usize = 16;
const ENTRY: usize = 24;
/// Maximum number of sections of a file; a root has six.
const MAX_SECTIONS: usize = 64;
/// Maximum number of bytes of a section in memory.
const MAX_SECTION: u64 = 1 << 31;
/// No section packs better than this.
const MAX_RATIO: u64 = 1 << 14;
/// Effort of packing, as for snapshots.
const LEVEL: i32 = 6;

/// Whether a file begins as a root does.
#[must_use]
pub fn is_root(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// A shard in the list of a root.
#[derive(Debug, Clone, Default, PartialEq, Eq, rkyv::Archive, Serialize, Deserialize)]
pub struct ShardEntry {
    /// BLAKE3 of its files and folders.
    pub sources: [u8; 32],
    /// BLAKE3 of the bytes of its snapshot; zeros where it was not saved.
    pub file: [u8; 32],
    /// Number of its files.
    pub n_files: u32,
    /// Number of bytes of their texts.
    pub n_bytes: u64,
}

impl ShardEntry {
    /// The entry of a snapshot.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where its list of files cannot be read.
    pub fn of(snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        snapshot.read(|view| {
            let files = view.files();
            Ok(Self {
                sources: files.folder_digest("").unwrap_or_default(),
                file: [0; 32],
                n_files: files.len() as u32,
                n_bytes: files.n_bytes.iter().map(|n| u64::from(n.to_native())).sum(),
            })
        })
    }
}

impl ShardEntry {
    /// The name of its file: the start of the digest, in hexadecimal digits.
    #[must_use]
    pub fn name(&self) -> String {
        shard_name(&self.file)
    }
}

/// The sections of a root, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shards = 0,
    Info = 1,
    Files = 2,
    Names = 3,
    Joint = 4,
    Words = 5,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Shards => "shards",
            Kind::Info => "info",
            Kind::Files => "files",
            Kind::Names => "names",
            Kind::Joint => "joint",
            Kind::Words => "words",
        }
    }
}

/// The root of an index in shards.
#[derive(Clone)]
pub struct Root {
    snapshot: Arc<Snapshot>,
    shards: Vec<ShardEntry>,
    joint: Archive,
    chunks: Archive,
}

impl Root {
    pub(crate) fn new(
        snapshot: Arc<Snapshot>,
        joint: Archive,
        chunks: &ChunkTable,
        shards: Vec<ShardEntry>,
    ) -> Result<Self, Error> {
        Ok(Self {
            snapshot,
            shards,
            joint,
            chunks: Arc::new(archive(Kind::Words, chunks, 0)?),
        })
    }

    /// The sections that are of no shard: what the index is, its files and names.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// The shards, by number.
    #[must_use]
    pub fn shards(&self) -> &[ShardEntry] {
        &self.shards
    }

    /// The joint of the graphs.
    #[must_use]
    pub fn joint(&self) -> &ArchivedJoint {
        archived_in::<Joint>(&self.joint)
    }

    /// The chunks of all shards, which searches need to know.
    #[must_use]
    pub fn chunks(&self) -> &ArchivedChunkTable {
        archived_in::<ChunkTable>(&self.chunks)
    }

    /// Bytes that it takes in memory.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let kinds = [SectionKind::Info, SectionKind::Files, SectionKind::Names];
        let held: usize = kinds.iter().map(|kind| self.snapshot.size_of(*kind)).sum();
        let shards = self.shards.len() * size_of::<ShardEntry>();
        held + self.joint.len() + self.chunks.len() + shards
    }

    /// Writes the root.
    ///
    /// # Errors
    ///
    /// `index.too-large` where a section would be too large; `snapshot.…` where one cannot be read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(&mut in_turn)
    }

    /// As [`Root::to_bytes`]; `each` may pack sections side by side.
    ///
    /// # Errors
    ///
    /// As [`Root::to_bytes`].
    pub fn to_bytes_with(&self, each: Each<'_>) -> Result<Vec<u8>, Error> {
        Ok(self.to_pieces(each)?.concat())
    }

    /// The bytes in pieces, one after the other: the table and each section. They are nowhere in one piece.
    ///
    /// # Errors
    ///
    /// As [`Root::to_bytes`].
    pub fn to_pieces(&self, each: Each<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let shards = archive(Kind::Shards, &self.shards, 0)?;
        let of_snapshot = |kind: Kind, of: SectionKind| {
            let archive = self.snapshot.archive(of)?;
            archive.ok_or_else(|| damaged(kind, "it is missing"))
        };
        let sections = [
            (Kind::Shards, shards.as_slice()),
            (Kind::Info, of_snapshot(Kind::Info, SectionKind::Info)?),
            (Kind::Files, of_snapshot(Kind::Files, SectionKind::Files)?),
            (Kind::Names, of_snapshot(Kind::Names, SectionKind::Names)?),
            (Kind::Joint, self.joint.as_slice()),
            (Kind::Words, self.chunks.as_slice()),
        ];
        let mut table = MAGIC.to_vec();
        table.extend_from_slice(&ROOT_VERSION.to_le_bytes());
        table.extend_from_slice(&(sections.len() as u32).to_le_bytes());
        // The largest first, so that the others are packed beside it.
        let frames = collect(each, sections.len(), &|number| {
            let (kind, bytes) = sections[sections.len() - 1 - number];
            pack(kind, bytes)
        });
        let frames = frames.into_iter().rev();
        let frames = frames.collect::<Result<Vec<Vec<u8>>, SnapshotError>>()?;
        for ((kind, bytes), frame) in sections.into_iter().zip(&frames) {
            table.extend_from_slice(&(kind as u32).to_le_bytes());
            table.extend_from_slice(&(frame.len() as u32).to_le_bytes());
            table.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            table.extend_from_slice(&xxh3_64(frame).to_le_bytes());
        }
        Ok(std::iter::once(table).chain(frames).collect())
    }

    /// Reads of a root the list of its shards only.
    ///
    /// # Errors
    ///
    /// As [`Root::from_bytes`].
    pub fn shards_in(bytes: &[u8]) -> Result<Vec<ShardEntry>, SnapshotError> {
        Sections::of(bytes)?.shards()
    }

    /// Reads a root and checks it: no question over it reads outside of it.
    ///
    /// # Errors
    ///
    /// `snapshot.foreign`, `.version`, `.truncated`, `.checksum` or `.damaged`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let sections = Sections::of(bytes)?;
        let shards = sections.shards()?;
        let held = [
            (SectionKind::Info, sections.unpacked::<Info>(Kind::Info)?),
            (SectionKind::Files, sections.unpacked::<Files>(Kind::Files)?),
            (
                SectionKind::Names,
                sections.unpacked::<search::Names>(Kind::Names)?,
            ),
            (SectionKind::Graph, blank(&Graph::default())?),
            (SectionKind::Chunks, blank(&Chunks::default())?),
            (SectionKind::Lexical, blank(&search::Lexical::default())?),
        ];
        let held = held.map(|(kind, bytes)| (kind, Section::of(bytes)));
        let joint = sections.unpacked::<Joint>(Kind::Joint)?;
        let chunks = sections.unpacked::<ChunkTable>(Kind::Words)?;
        let root = Self {
            snapshot: Arc::new(Snapshot::assemble(None, held.into())),
            shards,
            joint: Arc::new(joint),
            chunks: Arc::new(chunks),
        };
        root.check()?;
        Ok(root)
    }

    fn check(&self) -> Result<(), SnapshotError> {
        let joint = self.joint();
        (joint.validate()).map_err(|fault| damaged(Kind::Joint, fault))?;
        for kind in [SectionKind::Files, SectionKind::Names] {
            self.snapshot.check_section(kind)?;
        }
        let n_files = self
            .snapshot
            .read(|view| Ok::<_, SnapshotError>(view.files().len()))?;
        if n_files != joint.part_of_file.len() {
            return Err(damaged(Kind::Joint, "it is of other files"));
        }
        let fault = |_| damaged(Kind::Words, "its chunks are of other files");
        self.chunks().validate(n_files).map_err(fault)?;
        let lengths = (0..).map(|shard| joint.files_of(shard).len());
        let fits = |(entry, n): (&ShardEntry, usize)| entry.n_files as usize == n;
        if self.shards.len() != joint.n_parts() || !self.shards.iter().zip(lengths).all(fits) {
            return Err(damaged(Kind::Shards, "it is of other files"));
        }
        Ok(())
    }
}

/// The sections of a file: each as it is packed, with its unpacked length.
struct Sections<'b>(Vec<(u32, u64, u64, &'b [u8])>);

impl<'b> Sections<'b> {
    fn of(bytes: &'b [u8]) -> Result<Self, SnapshotError> {
        if !is_root(bytes) {
            let message = "this is no root of an index in shards";
            return Err(SnapshotError::new(ErrorKind::Foreign, message)
                .with_help("choose a file that Portolan saved, or index the sources"));
        }
        let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let long = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let (version, n_sections) = (number(8), number(12));
        let version = version.ok_or_else(truncated)?;
        if version != ROOT_VERSION {
            let message = format!("the root has version {version}, this is for {ROOT_VERSION}");
            return Err(
                SnapshotError::new(ErrorKind::Version, message).with_help("index the sources anew")
            );
        }
        let n_sections = n_sections.ok_or_else(truncated)? as usize;
        if n_sections > MAX_SECTIONS {
            return Err(damaged(Kind::Shards, "the table is too long"));
        }
        let mut start = HEADER + n_sections * ENTRY;
        let mut sections = Vec::with_capacity(n_sections);
        for at in (0..n_sections).map(|idx| HEADER + idx * ENTRY) {
            let entry = (|| Some((number(at)?, number(at + 4)?, long(at + 8)?, long(at + 16)?)))();
            let (kind, n_packed, n_bytes, checksum) = entry.ok_or_else(truncated)?;
            let end = start.checked_add(n_packed as usize).ok_or_else(truncated)?;
            let packed = bytes.get(start..end).ok_or_else(truncated)?;
            sections.push((kind, n_bytes, checksum, packed));
            start = end;
        }
        Ok(Self(sections))
    }

    fn shards(&self) -> Result<Vec<ShardEntry>, SnapshotError> {
        let shards = self.unpacked::<Vec<ShardEntry>>(Kind::Shards)?;
        let shards = archived_in::<Vec<ShardEntry>>(&shards);
        rkyv::deserialize::<Vec<ShardEntry>, Failure>(shards)
            .map_err(|_| damaged(Kind::Shards, UNKNOWN))
    }

    /// The archive of a section, which is one of a `T`.
    fn unpacked<T>(&self, kind: Kind) -> Result<AlignedVec<16>, SnapshotError>
    where
        T: rkyv::Archive,
        T::Archived: Portable + for<'a> CheckBytes<HighValidator<'a, Failure>>,
    {
        let found = self.0.iter().find(|(number, ..)| *number == kind as u32);
        let Some((_, n_bytes, checksum, packed)) = found else {
            return Err(damaged(kind, "it is missing"));
        };
        if xxh3_64(packed) != *checksum {
            let message = format!("section {} of the root has been changed", kind.name());
            return Err(SnapshotError::new(ErrorKind::Checksum, message)
                .with_help("copy the file again, or index the sources"));
        }
        let most = (packed.len() as u64).saturating_mul(MAX_RATIO);
        if *n_bytes > MAX_SECTION.min(most.max(1 << 16)) {
            return Err(damaged(kind, "its length cannot be right"));
        }
        let mut room = Vec::with_capacity(*n_bytes as usize);
        match zstd_safe::decompress(&mut room, packed) {
            Ok(length) if length as u64 == *n_bytes => {}
            _ => return Err(damaged(kind, "it cannot be unpacked")),
        }
        let mut archive = AlignedVec::with_capacity(room.len());
        archive.extend_from_slice(&room);
        let checked = rkyv::access::<T::Archived, Failure>(&archive);
        checked.map_err(|_| damaged(kind, UNKNOWN))?;
        Ok(archive)
    }
}

const UNKNOWN: &str = "its contents are not those that this version writes";

fn truncated() -> SnapshotError {
    SnapshotError::new(ErrorKind::Truncated, "the root ends too early")
        .with_help("copy the file again, or index the sources")
}

fn damaged(kind: Kind, fault: &str) -> SnapshotError {
    let message = format!("section {} of the root is damaged: {fault}", kind.name());
    SnapshotError::new(ErrorKind::Damaged, message).with_help("index the sources anew")
}

fn too_large(kind: Kind) -> SnapshotError {
    let message = format!("section {} of the root would pass 2 GiB", kind.name());
    SnapshotError::new(ErrorKind::TooLarge, message).with_help("index parts of the sources apart")
}

fn blank<T>(value: &T) -> Result<AlignedVec<16>, SnapshotError>
where
    T: for<'a> Serialize<HighSerializer<AlignedVec<16>, ArenaHandle<'a>, Failure>>,
{
    archive(Kind::Shards, value, 0)
}

/// The archive of a joint. Its buffer has its size from the start: growing, it would be there twice.
pub(crate) fn joint_archive(joint: &Joint) -> Result<Archive, SnapshotError> {
    archive(Kind::Joint, joint, joint.n_bytes()).map(Arc::new)
}

fn archive<T>(kind: Kind, value: &T, n_bytes: usize) -> Result<AlignedVec<16>, SnapshotError>
where
    T: for<'a> Serialize<HighSerializer<AlignedVec<16>, ArenaHandle<'a>, Failure>>,
{
    let bytes =
        rkyv::api::high::to_bytes_in::<_, Failure>(value, AlignedVec::with_capacity(n_bytes));
    let bytes = bytes.map_err(|_| too_large(kind))?;
    if bytes.len() as u64 > MAX_SECTION {
        return Err(too_large(kind));
    }
    Ok(bytes)
}

fn pack(kind: Kind, bytes: &[u8]) -> Result<Vec<u8>, SnapshotError> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    match zstd_safe::compress(&mut frame, bytes, LEVEL) {
        Ok(_) if u32::try_from(frame.len()).is_ok() => {
            frame.shrink_to_fit();
            Ok(frame)
        }
        _ => Err(too_large(kind)),
    }
}
