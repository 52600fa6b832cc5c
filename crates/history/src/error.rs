//! Errors of this crate: what kind, what was wrong, what to do.

use std::fmt;

/// Why a history cannot be read. [`Error::code`] is for programs and never changes; message and help are for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    help: &'static str,
}

/// Every way in which reading a history can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// There is no git repository.
    NoRepository,
    /// The repository has no commit yet.
    NoCommit,
    /// The repository's own files are outside of the folder, and the user did not name them.
    Outside,
    /// Object ids are of another kind than SHA-1.
    ObjectFormat,
    /// References are stored in another way than as files.
    RefStorage,
    /// An object is not in the repository: it is a partial copy.
    Missing,
    /// An object or a file of `.git` has contents that git does not write.
    Damaged,
    /// An object is larger than the limits allow, or would take more work.
    TooLarge,
    /// A file of `.git` cannot be read.
    Unreadable,
    /// The commit has no such file.
    NoFile,
    /// A saved history is damaged.
    State,
    /// A saved history has another format version.
    StateVersion,
}

impl ErrorKind {
    /// Returns a stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NoRepository => "history.no-repository",
            Self::NoCommit => "history.no-commit",
            Self::Outside => "history.outside",
            Self::ObjectFormat => "history.object-format",
            Self::RefStorage => "history.ref-storage",
            Self::Missing => "history.object-missing",
            Self::Damaged => "history.damaged",
            Self::TooLarge => "history.too-large",
            Self::Unreadable => "history.unreadable",
            Self::NoFile => "history.no-file",
            Self::State => "history.state",
            Self::StateVersion => "history.state-version",
        }
    }

    /// Returns what to do about it; empty where nothing can be done.
    fn help(self) -> &'static str {
        match self {
            Self::NoRepository => "give the folder that contains .git",
            Self::NoCommit => "commit something first",
            Self::Outside => "name the folder as one that may be read, too",
            Self::ObjectFormat => "repositories with SHA-256 ids are not supported",
            Self::RefStorage => "run `git refs migrate --ref-format=files`",
            Self::Missing => "run `git fetch --refetch`",
            Self::Damaged => "run `git fsck`",
            Self::State | Self::StateVersion => "read the history anew",
            Self::TooLarge | Self::Unreadable | Self::NoFile => "",
        }
    }
}

impl Error {
    /// Makes an error from its message: lower case, no full stop.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: kind.help(),
        }
    }

    /// Makes the error of a file of `.git` with contents that git does not write.
    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Damaged, message)
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns a stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Says what was wrong, and where.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says what to do about it; empty where nothing can be done.
    #[must_use]
    pub fn help(&self) -> &str {
        self.help
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
