//! Errors in a query, with their places.

use std::fmt;

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CypherErrorKind {
    /// The text is no query.
    Syntax,
    /// The query would change the graph.
    Write,
    /// A name that does not exist: variable, label, relationship type, property, function, parameter.
    Name,
    /// A value of a kind that the operation does not take.
    Type,
    /// Correct Cypher that is not supported.
    Unsupported,
    /// The query reached a limit of time, steps or memory.
    Limit,
}

/// A query that cannot be answered: the place is part of the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CypherError {
    /// The kind of the fault.
    pub kind: CypherErrorKind,
    /// Message without the place: lower case, no full stop.
    pub message: String,
    /// Hint how to mend the query; may be empty.
    pub help: String,
    /// Line, 1-based; 0 where the error has no place.
    pub line: u32,
    /// Column, 1-based, in characters.
    pub column: u32,
}

/// An error at a byte of the query, before line and column are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub kind: CypherErrorKind,
    pub message: String,
    pub help: String,
    pub at: Option<usize>,
}

impl Fault {
    pub fn new(kind: CypherErrorKind, at: usize, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            help: String::new(),
            at: Some(at),
        }
    }

    pub fn syntax(at: usize, message: impl Into<String>) -> Self {
        Self::new(CypherErrorKind::Syntax, at, message)
    }

    pub fn name(at: usize, message: impl Into<String>) -> Self {
        Self::new(CypherErrorKind::Name, at, message)
    }

    pub fn types(at: usize, message: impl Into<String>) -> Self {
        Self::new(CypherErrorKind::Type, at, message)
    }

    pub fn unsupported(at: usize, message: impl Into<String>) -> Self {
        Self::new(CypherErrorKind::Unsupported, at, message)
    }

    pub fn limit(message: impl Into<String>, help: impl Into<String>) -> Self {
        Fault {
            kind: CypherErrorKind::Limit,
            message: message.into(),
            help: help.into(),
            at: None,
        }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The error with line and column in `query`.
    pub fn locate(self, query: &str) -> CypherError {
        let (line, column) = self.at.map_or((0, 0), |at| place(query, at));
        CypherError {
            kind: self.kind,
            message: self.message,
            help: self.help,
            line,
            column,
        }
    }
}

/// 1-based line and column (in characters) of a byte.
fn place(query: &str, at: usize) -> (u32, u32) {
    let before = query
        .get(..query.floor_char_boundary(at))
        .unwrap_or_default();
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count();
    (line as u32 + 1, column as u32 + 1)
}

impl fmt::Display for CypherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for CypherError {}

/// The name most like `name`, if one is near enough to suggest: equal except for case, or at most two edits away.
pub(super) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = name.to_lowercase();
    let limit = if wanted.chars().count() < 4 { 1 } else { 2 };
    names
        .into_iter()
        .map(|known| (distance(&wanted, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, known)| known)
}

/// Levenshtein distance. Both are short names: one row of the table is enough.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != *y))
                .min(above + 1)
                .min(row[j] + 1);
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}
