//! The errors of a snapshot's file: what kind, what was wrong, what to do.

use std::fmt;

/// Why a snapshot cannot be written or read. [`Error::code`] is for programs and never changes; `message` and `help` are for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    help: String,
}

/// Every way in which a snapshot can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The file ends too early.
    Truncated,
    /// The bytes are no snapshot.
    Foreign,
    /// The file has another format version.
    Version,
    /// The bytes were changed after they were written.
    Checksum,
    /// A section holds what no engine writes.
    Damaged,
    /// The file cannot be read on.
    Unreadable,
    /// A section would be larger than the format allows.
    TooLarge,
}

impl ErrorKind {
    /// A stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Truncated => "snapshot.truncated",
            Self::Foreign => "snapshot.foreign",
            Self::Version => "snapshot.version",
            Self::Checksum => "snapshot.checksum",
            Self::Damaged => "snapshot.damaged",
            Self::Unreadable => "snapshot.unreadable",
            Self::TooLarge => "index.too-large",
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
            help: String::new(),
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
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
        &self.help
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
