//! The engine's error: its kind, a message and a help text.

use std::fmt;

/// An error of the engine. [`Error::code`] is for programs and never changes; `message` and `help` are for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    help: String,
}

/// Every way in which a call to the engine can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The snapshot ends too early.
    SnapshotTruncated,
    /// The bytes are no snapshot.
    SnapshotForeign,
    /// The snapshot has another format version.
    SnapshotVersion,
    /// The bytes of the snapshot were changed after it was written.
    SnapshotChecksum,
    /// The snapshot has contents that no engine writes.
    SnapshotDamaged,
    /// The snapshot's file cannot be read any further.
    SnapshotUnreadable,
    /// The snapshot was saved without what the call needs.
    SnapshotWithout,
    /// The index would be larger than its format allows.
    IndexTooLarge,
    /// The bytes from a parsing worker are not the facts of a file.
    UnitDamaged,
    /// No file has this path.
    FileNotFound,
    /// No symbol has this name.
    SymbolNotFound,
    /// A name means several symbols where one is needed.
    SymbolAmbiguous,
    /// The position is not within the file.
    PositionOutside,
    /// The query is empty.
    QueryEmpty,
    /// The query asks for something that the index lacks.
    QueryUnsupported,
    /// A value of the request is not one of those allowed.
    QueryInvalid,
    /// The regular expression cannot be read.
    RegexSyntax,
    /// The regular expression is too large.
    RegexSize,
    /// The structural pattern cannot be read.
    PatternSyntax,
    /// The structural pattern is too large.
    PatternSize,
    /// A condition on a metavariable cannot be used.
    PatternConstraint,
    /// There is no grammar for the language.
    GrammarMissing,
    /// The path pattern cannot be read.
    GlobSyntax,
    /// The text is no Cypher query.
    CypherSyntax,
    /// The Cypher query would change the graph.
    CypherWrite,
    /// The Cypher query uses a name that does not exist.
    CypherName,
    /// The Cypher query gives an operation a value of the wrong type.
    CypherType,
    /// The Cypher query uses a feature that is not supported.
    CypherUnsupported,
    /// The Cypher query exceeds a limit of its budget.
    CypherLimit,
    /// The bytes are no SCIP index.
    ScipDamaged,
    /// The subgraph is too large for its format.
    ExportTooLarge,
    /// The vectors do not fit the texts or the index.
    VectorsMismatch,
    /// The archive cannot be read.
    Archive,
    /// The caller asked to stop.
    Cancelled,
}

impl ErrorKind {
    /// A stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::SnapshotTruncated => "snapshot.truncated",
            Self::SnapshotForeign => "snapshot.foreign",
            Self::SnapshotVersion => "snapshot.version",
            Self::SnapshotChecksum => "snapshot.checksum",
            Self::SnapshotDamaged => "snapshot.damaged",
            Self::SnapshotUnreadable => "snapshot.unreadable",
            Self::SnapshotWithout => "snapshot.without",
            Self::IndexTooLarge => "index.too-large",
            Self::UnitDamaged => "unit.damaged",
            Self::FileNotFound => "file.not-found",
            Self::SymbolNotFound => "symbol.not-found",
            Self::SymbolAmbiguous => "symbol.ambiguous",
            Self::PositionOutside => "position.outside",
            Self::QueryEmpty => "query.empty",
            Self::QueryUnsupported => "query.unsupported",
            Self::QueryInvalid => "query.invalid",
            Self::RegexSyntax => "regex.syntax",
            Self::RegexSize => "regex.size",
            Self::PatternSyntax => "pattern.syntax",
            Self::PatternSize => "pattern.size",
            Self::PatternConstraint => "pattern.constraint",
            Self::GrammarMissing => "grammar.missing",
            Self::GlobSyntax => "glob.syntax",
            Self::CypherSyntax => "cypher.syntax",
            Self::CypherWrite => "cypher.write",
            Self::CypherName => "cypher.name",
            Self::CypherType => "cypher.type",
            Self::CypherUnsupported => "cypher.unsupported",
            Self::CypherLimit => "cypher.limit",
            Self::ScipDamaged => "scip.damaged",
            Self::ExportTooLarge => "export.too-large",
            Self::VectorsMismatch => "vectors.mismatch",
            Self::Archive => "archive.unreadable",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Error {
    /// Makes an error with a message: lower case, no full stop.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: String::new(),
        }
    }

    /// Adds a sentence that says what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// A stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// A sentence that says what was wrong, and where.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A sentence that says what to do about it; empty where nothing can be done.
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

impl From<snapshot::Error> for Error {
    fn from(error: snapshot::Error) -> Self {
        let kind = match error.kind() {
            snapshot::ErrorKind::Truncated => ErrorKind::SnapshotTruncated,
            snapshot::ErrorKind::Foreign => ErrorKind::SnapshotForeign,
            snapshot::ErrorKind::Version => ErrorKind::SnapshotVersion,
            snapshot::ErrorKind::Checksum => ErrorKind::SnapshotChecksum,
            snapshot::ErrorKind::Damaged => ErrorKind::SnapshotDamaged,
            snapshot::ErrorKind::Unreadable => ErrorKind::SnapshotUnreadable,
            snapshot::ErrorKind::TooLarge => ErrorKind::IndexTooLarge,
        };
        Self::new(kind, error.message()).with_help(error.help())
    }
}
