//! The sections of a snapshot, and which of them belong together.

/// The sections this version knows. Others in a file are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Info,
    Files,
    Chunks,
    Graph,
    Names,
    Lexical,
    Postings,
    Rows,
    Vectors,
    Texts,
    Blocks,
    Facts,
    Scip,
}

/// In the order in which they are written: what every query needs first, what none needs last.
pub(crate) const PARTS: [Part; 13] = [
    Part::Info,
    Part::Files,
    Part::Chunks,
    Part::Graph,
    Part::Names,
    Part::Lexical,
    Part::Postings,
    Part::Rows,
    Part::Vectors,
    Part::Texts,
    Part::Blocks,
    Part::Facts,
    Part::Scip,
];

impl Part {
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
    pub fn is_for_changes(self) -> bool {
        matches!(self, Self::Facts | Self::Scip)
    }

    /// Whether it is optional and one of these names is its own. Blocks go with the texts they are of.
    pub fn is_among(self, names: &[&str]) -> bool {
        let name = match self {
            Self::Blocks => Self::Texts.name(),
            part => part.name(),
        };
        self.is_optional() && names.contains(&name)
    }

    pub fn is_optional(self) -> bool {
        matches!(
            self,
            Self::Texts | Self::Blocks | Self::Facts | Self::Vectors | Self::Scip
        )
    }

    /// What it is written against, or compared with.
    pub fn beside(self) -> &'static [Part] {
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
    pub fn is_wanted(self, has_texts: bool) -> bool {
        !self.is_optional() || self == Self::Blocks && has_texts
    }
}
