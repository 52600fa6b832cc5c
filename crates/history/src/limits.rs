//! Bounds on what one history may read and keep.

/// How much is read and kept. A limit that is reached shortens the history and adds a note; it is no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of commits (default 20,000), newest first.
    pub commits: usize,
    /// Maximum number of files listed for one commit (default 5,000). A commit that changes more is counted, not listed.
    pub files_per_commit: usize,
    /// Maximum number of changed files in all commits together (default 4,000,000).
    pub changes: usize,
    /// Maximum number of files in the newest commit (default 500,000).
    pub files: usize,
    /// Maximum number of bytes of all different paths together (default 64 MiB).
    pub path_bytes: usize,
    /// Maximum length of one object in bytes (default 16 MiB).
    pub object_bytes: usize,
    /// Maximum number of bytes decompressed and put together from deltas for one question (default 32 GiB); a bound on time that needs no clock.
    pub work_bytes: u64,
    /// Memory for objects that are kept because others are deltas of them, in bytes (default 64 MiB).
    pub cache_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            commits: 20_000,
            files_per_commit: 5_000,
            changes: 4_000_000,
            files: 500_000,
            path_bytes: 64 << 20,
            object_bytes: 16 << 20,
            work_bytes: 32 << 30,
            cache_bytes: 64 << 20,
        }
    }
}

/// Why a history is shorter or knows less than it could.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// There are older commits than [`Limits::commits`].
    OlderCommits,
    /// The copy is shallow or partial: the parents of some commits are not there.
    MissingParents,
    /// The folders of some commits are not there or unreadable, so their changed files are unknown.
    MissingTrees,
    /// One of the other limits ended the walk.
    Limit(&'static str),
    /// The repository borrows objects from this folder, which may not be read.
    RefusedAlternate(String),
    /// This pack was left out, for this reason.
    UnreadablePack(String, String),
}
