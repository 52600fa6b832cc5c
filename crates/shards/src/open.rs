//! Opens an index in shards: the root at once, a shard when a question reaches it first.

use std::sync::{Arc, OnceLock};

use engine::{
    ArchivedChunkTable, ArchivedJoint, Error, Index, ShardSource, Snapshot, SnapshotError,
};
use snapshot::ErrorKind;

use crate::root::{Root, ShardEntry};

/// Opens the snapshot of a shard by its number: from memory, from a file, over a network.
pub type OpenShard = Box<dyn Fn(u16) -> Result<Arc<Snapshot>, SnapshotError> + Send + Sync>;

/// The shards of an index. Each is opened once and kept; a host that must free memory drops the index and opens its root
/// again.
pub struct Shards {
    root: Root,
    open: OpenShard,
    opened: Vec<OnceLock<Result<Arc<Snapshot>, SnapshotError>>>,
    indexes: Vec<OnceLock<Result<Index, Error>>>,
}

impl Shards {
    /// Opens the shards of a root.
    #[must_use]
    pub fn new(root: Root, open: OpenShard) -> Self {
        let n_shards = root.shards().len();
        Self {
            root,
            open,
            opened: (0..n_shards).map(|_| OnceLock::new()).collect(),
            indexes: (0..n_shards).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Opens the index: its questions about symbols are answered over all shards.
    ///
    /// # Errors
    ///
    /// As [`Index::new`].
    pub fn index(self: &Arc<Self>) -> Result<Index, Error> {
        let shards = Arc::clone(self);
        Index::over_shards(Arc::clone(self.root.snapshot()), shards)
    }

    /// Returns the root.
    #[must_use]
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Number of shards.
    #[must_use]
    pub fn len(&self) -> usize {
        self.opened.len()
    }

    /// Whether there is none, as in an index without files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.opened.is_empty()
    }

    /// Number of shards that are open.
    #[must_use]
    pub fn n_open(&self) -> usize {
        let opened = self.opened.iter();
        opened.filter(|shard| shard.get().is_some()).count()
    }

    /// The snapshot of a shard, opened now if it has not been.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read, or is not the one that the root was made with.
    pub fn snapshot(&self, shard: u16) -> Result<&Arc<Snapshot>, SnapshotError> {
        let place = self.opened.get(usize::from(shard));
        let place = place.ok_or_else(|| not_of_root(shard, "the root has no such shard"))?;
        let opened = place.get_or_init(|| {
            let snapshot = (self.open)(shard)?;
            self.root.check_shard(shard, &snapshot)?;
            Ok(snapshot)
        });
        opened.as_ref().map_err(Clone::clone)
    }

    /// The number in the whole index of each file of a shard, in the order of the shard.
    pub fn files_of(&self, shard: u16) -> impl ExactSizeIterator<Item = u32> + '_ {
        let files = self.root.joint().files_of(shard);
        files.iter().map(|file| file.to_native())
    }
}

impl Root {
    /// Checks that a snapshot is the shard of this number: one of other files or of another time would answer with symbols of
    /// other places.
    ///
    /// # Errors
    ///
    /// `snapshot.damaged`, or the fault of a section.
    pub fn check_shard(&self, shard: u16, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let entry = self.shards().get(usize::from(shard));
        let entry = entry.ok_or_else(|| not_of_root(shard, "the root has no such shard"))?;
        let found = ShardEntry::of(snapshot)?;
        if found.sources != entry.sources {
            return Err(not_of_root(shard, "it is of other sources"));
        }
        let joint = self.joint();
        snapshot.read(|view| {
            let offsets = &view.graph().symbol_offsets;
            let n_symbols = |offsets: &[rkyv::rend::u32_le], file: usize| {
                let start = offsets.get(file)?.to_native();
                offsets.get(file + 1)?.to_native().checked_sub(start)
            };
            let files = joint.files_of(shard).iter().enumerate();
            let mut pairs = files.map(|(own, file)| {
                let whole = n_symbols(&joint.symbol_offsets, file.to_native() as usize);
                whole.is_some() && whole == n_symbols(offsets, own)
            });
            if view.files().len() == joint.files_of(shard).len() && pairs.all(|fits| fits) {
                Ok(())
            } else {
                Err(not_of_root(shard, "its symbols are others"))
            }
        })
    }
}

fn not_of_root(shard: u16, what: &str) -> SnapshotError {
    let message = format!("shard {shard} does not belong to this root: {what}");
    SnapshotError::new(ErrorKind::Damaged, message).with_help("index the sources anew")
}

impl ShardSource for Shards {
    fn joint(&self) -> &ArchivedJoint {
        self.root.joint()
    }

    fn shard(&self, part: u16) -> Result<&Snapshot, SnapshotError> {
        self.snapshot(part).map(|snapshot| &**snapshot)
    }

    fn index(&self, part: u16) -> Result<&Index, Error> {
        let snapshot = self.snapshot(part)?;
        let place = self.indexes.get(usize::from(part));
        let place = place.ok_or_else(|| not_of_root(part, "the root has no such shard"))?;
        let opened = place.get_or_init(|| {
            let index = Index::new(Arc::clone(snapshot))?;
            Ok(index.among(self.root.chunks().lengths()))
        });
        opened.as_ref().map_err(Clone::clone)
    }

    fn chunks(&self) -> &ArchivedChunkTable {
        self.root.chunks()
    }
}
