//! The sections of a snapshot, and which of them belong together.

/// The sections this version knows. Others in a file are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// Name, model, counts, languages, files left out.
    Info,
    /// Paths, languages, digests and sizes of files.
    Files,
    /// Symbols and kinds of chunks.
    Chunks,
    /// Nodes, edges and occurrences.
    Graph,
    /// The index of names.
    Names,
    /// Columns of the lexical index: chunks and terms.
    Lexical,
    /// Directory of the blocks of postings.
    Postings,
    /// Blocks of postings, side by side.
    Rows,
    /// Vectors of chunks, and the graph over them.
    Vectors,
    /// Directory of the blocks of texts.
    Texts,
    /// Blocks of texts, side by side.
    Blocks,
    /// Facts of files, for who changes the index.
    Facts,
    /// Documents of compilers' indexes, for who changes the index.
    Scip,
}

/// All sections in the order of the file: those that every query needs come first, those that none needs last.
pub const SECTIONS: [SectionKind; 13] = [
    SectionKind::Info,
    SectionKind::Files,
    SectionKind::Chunks,
    SectionKind::Graph,
    SectionKind::Names,
    SectionKind::Lexical,
    SectionKind::Postings,
    SectionKind::Rows,
    SectionKind::Vectors,
    SectionKind::Texts,
    SectionKind::Blocks,
    SectionKind::Facts,
    SectionKind::Scip,
];

impl SectionKind {
    /// The name in the table of the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Files => "files",
            Self::Chunks => "chunks",
            Self::Graph => "graph",
            Self::Names => "names",
            Self::Lexical => "lexical",
            Self::Postings => "postings",
            Self::Rows => "rows",
            Self::Texts => "texts",
            Self::Blocks => "blocks",
            Self::Facts => "facts",
            Self::Vectors => "vectors",
            Self::Scip => "scip",
        }
    }

    /// Whether only changing the index needs it: it is checked then, not when the snapshot is opened.
    pub(crate) fn is_for_changes(self) -> bool {
        matches!(self, Self::Facts | Self::Scip)
    }

    /// Whether it is optional and one of these names is its own. Blocks go with the texts they are of.
    pub(crate) fn is_among(self, names: &[&str]) -> bool {
        let name = match self {
            Self::Blocks => Self::Texts.name(),
            kind => kind.name(),
        };
        self.is_optional() && names.contains(&name)
    }

    pub(crate) fn is_optional(self) -> bool {
        matches!(
            self,
            Self::Texts | Self::Blocks | Self::Facts | Self::Vectors | Self::Scip
        )
    }

    /// Sections that it is written against, or compared with.
    pub(crate) fn beside(self) -> &'static [SectionKind] {
        match self {
            Self::Graph | Self::Texts => &[Self::Files],
            Self::Names => &[Self::Graph],
            Self::Lexical => &[Self::Files, Self::Chunks],
            Self::Postings => &[Self::Lexical],
            Self::Vectors => &[Self::Chunks],
            Self::Facts => &[
                Self::Files,
                Self::Graph,
                Self::Lexical,
                Self::Chunks,
                Self::Texts,
            ],
            Self::Info | Self::Files | Self::Chunks | Self::Rows | Self::Blocks | Self::Scip => &[],
        }
    }

    /// Whether a file must have it: one with texts or one without.
    pub(crate) fn is_wanted(self, has_texts: bool) -> bool {
        !self.is_optional() || self == Self::Blocks && has_texts
    }

    /// The section with the blocks of which this one is the directory.
    pub(crate) fn blocks(self) -> Option<SectionKind> {
        match self {
            Self::Texts => Some(Self::Blocks),
            Self::Postings => Some(Self::Rows),
            _ => None,
        }
    }
}
