//! The errors of this crate: those of the engine, and those of files and folders.

use std::path::PathBuf;

use api::ErrorBody;

/// An error. [`Error::code`] is for programs and never changes; the message and [`Error::help`] are for people.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A folder or a file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// An index cannot be saved.
    #[error("the index cannot be saved to {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// There is no earlier index to start from, or it was made by another version.
    #[error("the earlier index cannot be used")]
    Previous,
    /// A language that is to be indexed is none.
    #[error("there is no language \"{name}\"")]
    UnknownLanguage {
        /// The name that was given.
        name: String,
    },
    /// An archive cannot be read.
    #[error(transparent)]
    Archive(#[from] source::ArchiveError),
    /// The engine refuses: a snapshot is damaged, an index is too large, indexing was cancelled.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The git history of a folder cannot be read.
    #[error(transparent)]
    History(#[from] history::Error),
    /// A tool refuses a question.
    #[error("{}", .0.message)]
    Question(ErrorBody),
}

impl Error {
    /// Returns a stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Unreadable { .. } => "input.unreadable",
            Self::Unwritable { .. } => "output.unwritable",
            Self::Previous => "previous.unusable",
            Self::UnknownLanguage { .. } => "language.unknown",
            Self::Archive(error) => error.code(),
            Self::Engine(error) => error.code(),
            Self::History(error) => error.code(),
            Self::Question(body) => &body.code,
        }
    }

    /// Returns advice; empty where there is none.
    #[must_use]
    pub fn help(&self) -> &str {
        match self {
            Self::Unreadable { .. } => "check that the path exists and may be read",
            Self::Unwritable { .. } => "check that the folder exists and may be written to",
            Self::Previous => "index the whole folder",
            Self::UnknownLanguage { .. } => "docs/languages.md lists the languages",
            Self::Archive(error) => error.help(),
            Self::Engine(error) => error.help(),
            Self::History(error) => error.help(),
            Self::Question(body) => &body.help,
        }
    }
}

impl From<ErrorBody> for Error {
    fn from(body: ErrorBody) -> Self {
        Self::Question(body)
    }
}
