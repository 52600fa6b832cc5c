//! Why a file is not in the index.

use thiserror::Error;

/// A skipped file or folder. A folder's path ends in `/` and covers everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// As given, where it could not be cleaned.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why something was left out. The message is for a person; [`SkipReason::code`] is for programs and never changes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkipReason {
    /// An ignore file says so.
    #[error("ignored by `{rule}` in {file}")]
    Ignored {
        /// The line of the ignore file.
        rule: String,
        /// Path of the ignore file.
        file: String,
    },
    /// It is in a folder that usually holds no sources of the project.
    #[error("left out by default (`{rule}`); take it in with `!{rule}` in .portolanignore")]
    DefaultExclude {
        /// The pattern of [`crate::DEFAULT_EXCLUDES`].
        rule: String,
    },
    /// A program wrote it.
    #[error("written by a program ({evidence})")]
    Generated {
        /// The text that shows it.
        evidence: String,
    },
    /// It is no text.
    #[error("not a text file (zero byte at {offset})")]
    Binary {
        /// Offset of the first zero byte.
        offset: usize,
    },
    /// It is larger than [`crate::SourceConfig::max_file_bytes`].
    #[error("{bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u32,
    },
    /// A line is longer than [`crate::SourceConfig::max_line_bytes`].
    #[error("line {line} has {bytes} bytes, more than the limit of {limit}: minified or data")]
    LongLine {
        /// 1-based.
        line: usize,
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: u32,
    },
    /// It is text in another encoding than UTF-8 or UTF-16 with a byte order mark.
    #[error("not UTF-8 (byte {offset} cannot be decoded); convert it to index it")]
    NotUtf8 {
        /// The first byte that is wrong.
        offset: usize,
    },
    /// Its path leads out of the folder, is absolute, empty or very long, or holds a zero byte.
    #[error("unsafe path")]
    UnsafePath,
    /// Another file with the same path came before it.
    #[error("another file with this path came first")]
    DuplicatePath,
    /// The archive unpacks to more than [`crate::SourceConfig::max_archive_bytes`].
    #[error("the archive unpacks to more than {limit} bytes; what comes after is left out")]
    ArchiveLimit {
        /// The limit.
        limit: u64,
    },
    /// There are more files than [`crate::SourceConfig::max_files`].
    #[error("more than {limit} files")]
    FileLimit {
        /// The limit.
        limit: u32,
    },
    /// A symbolic or hard link: its target is indexed at its own path.
    #[error("a link; its target is indexed at its own path")]
    Link,
    /// As noted in an index that was saved.
    #[error("{message}")]
    Noted {
        /// The [`SkipReason::code`] when it was saved.
        code: String,
        /// The message then.
        message: String,
    },
    /// It could not be read.
    #[error("could not be read: {message}")]
    Unreadable {
        /// The reader's message.
        message: String,
    },
}

impl SkipReason {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Ignored { .. } => "ignored",
            Self::DefaultExclude { .. } => "default-exclude",
            Self::Generated { .. } => "generated",
            Self::Binary { .. } => "binary",
            Self::TooLarge { .. } => "too-large",
            Self::LongLine { .. } => "long-line",
            Self::NotUtf8 { .. } => "not-utf-8",
            Self::UnsafePath => "unsafe-path",
            Self::DuplicatePath => "duplicate-path",
            Self::ArchiveLimit { .. } => "archive-limit",
            Self::FileLimit { .. } => "file-limit",
            Self::Link => "link",
            Self::Unreadable { .. } => "unreadable",
            Self::Noted { code, .. } => code,
        }
    }
}
