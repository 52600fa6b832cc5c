//! The engine's error: its kind, a message and a help text.

snapshot::errors! {
    /// An error of the engine. [`Error::code`] is for programs and never changes; `message` and `help` are for people.
    Error;

    /// Every way in which a call to the engine can fail.
    ErrorKind {
        /// The snapshot ends too early.
        SnapshotTruncated = "snapshot.truncated",
        /// The bytes are no snapshot.
        SnapshotForeign = "snapshot.foreign",
        /// The snapshot has another format version.
        SnapshotVersion = "snapshot.version",
        /// The bytes of the snapshot were changed after it was written.
        SnapshotChecksum = "snapshot.checksum",
        /// The snapshot has contents that no engine writes.
        SnapshotDamaged = "snapshot.damaged",
        /// The snapshot's file cannot be read any further.
        SnapshotUnreadable = "snapshot.unreadable",
        /// The snapshot was saved without what the call needs.
        SnapshotWithout = "snapshot.without",
        /// The index would be larger than its format allows.
        IndexTooLarge = "index.too-large",
        /// The bytes from a parsing worker are not the facts of a file.
        UnitDamaged = "unit.damaged",
        /// No file has this path.
        FileNotFound = "file.not-found",
        /// No symbol has this name.
        SymbolNotFound = "symbol.not-found",
        /// A name means several symbols where one is needed.
        SymbolAmbiguous = "symbol.ambiguous",
        /// The position is not within the file.
        PositionOutside = "position.outside",
        /// The query is empty.
        QueryEmpty = "query.empty",
        /// The query asks for something that the index lacks.
        QueryUnsupported = "query.unsupported",
        /// A value of the request is not one of those allowed.
        QueryInvalid = "query.invalid",
        /// The regular expression cannot be read.
        RegexSyntax = "regex.syntax",
        /// The regular expression is too large.
        RegexSize = "regex.size",
        /// The structural pattern cannot be read.
        PatternSyntax = "pattern.syntax",
        /// The structural pattern is too large.
        PatternSize = "pattern.size",
        /// A condition on a metavariable cannot be used.
        PatternConstraint = "pattern.constraint",
        /// There is no grammar for the language.
        GrammarMissing = "grammar.missing",
        /// The path pattern cannot be read.
        GlobSyntax = "glob.syntax",
        /// The text is no Cypher query.
        CypherSyntax = "cypher.syntax",
        /// The Cypher query would change the graph.
        CypherWrite = "cypher.write",
        /// The Cypher query uses a name that does not exist.
        CypherName = "cypher.name",
        /// The Cypher query gives an operation a value of the wrong type.
        CypherType = "cypher.type",
        /// The Cypher query uses a feature that is not supported.
        CypherUnsupported = "cypher.unsupported",
        /// The Cypher query exceeds a limit of its budget.
        CypherLimit = "cypher.limit",
        /// The bytes are no SCIP index.
        ScipDamaged = "scip.damaged",
        /// The subgraph is too large for its format.
        ExportTooLarge = "export.too-large",
        /// The question to a shard, or its answer, cannot be read.
        ShardMessage = "shard.message",
        /// The vectors do not fit the texts or the index.
        VectorsMismatch = "vectors.mismatch",
        /// The archive cannot be read.
        Archive = "archive.unreadable",
        /// The caller asked to stop.
        Cancelled = "cancelled",
    }
}

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
