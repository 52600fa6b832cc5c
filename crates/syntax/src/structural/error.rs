//! Why a pattern cannot be used, and where in it.

use std::fmt;

/// Kinds of errors in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StructuralErrorKind {
    /// It says nothing.
    Empty,
    /// It is longer or deeper than allowed, or a regular expression in it is too large.
    Size,
    /// The language cannot read it.
    Syntax,
    /// A constraint cannot be used.
    Constraint,
    /// There is no grammar for the language.
    NoGrammar,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralError {
    /// Its kind.
    pub kind: StructuralErrorKind,
    /// The message for people, with the position in the pattern drawn below if there is one.
    pub message: String,
    /// Its byte offset in the pattern.
    pub place: Option<usize>,
    /// Length of the pattern that was parsed: of several languages, the one that came furthest has the best message.
    reach: usize,
}

impl StructuralError {
    /// Returns the length of the pattern that was parsed, in bytes.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.reach
    }

    pub(super) fn new(kind: StructuralErrorKind, message: impl Into<String>) -> StructuralError {
        StructuralError {
            kind,
            message: message.into(),
            place: None,
            reach: 0,
        }
    }

    /// The same with the place drawn: the line of the pattern and a mark below it.
    pub(super) fn at(mut self, pattern: &str, offset: usize) -> StructuralError {
        let offset = pattern.floor_char_boundary(offset);
        let start = pattern[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = pattern[start..].lines().next().unwrap_or_default();
        let n_before = pattern[start..offset].chars().count();
        let n_line = pattern[..start].matches('\n').count() + 1;
        self.message = format!(
            "{} (line {n_line}, column {})\n    {line}\n    {}^",
            self.message,
            n_before + 1,
            " ".repeat(n_before)
        );
        self.place = Some(offset);
        self.reach = offset + 1;
        self
    }
}

impl fmt::Display for StructuralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StructuralError {}
