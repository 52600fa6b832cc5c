//! Renames a symbol everywhere: its resolved uses, and optionally words that only look like its name.
//!
//! 1. The *family*: the symbol, its overloads, the declarations it implements and its implementations. They must keep
//!    one name, or the program means something else.
//! 2. *Graph* edits: the names of the family, and every resolved use that is written with the name (an alias keeps its
//!    own).
//! 3. *Text search* edits: the same word elsewhere, in code that could not be resolved, in comments, strings and
//!    documents. Words that are known to mean something else are left alone.
//!
//! Nothing is written here: the result is a list of edits, and their effect as a unified diff. The host applies them to
//! files that have not changed since they were indexed.

mod collect;
mod diff;
mod shorthand;

use graph::NodeId;
use source::FileId;

use crate::ask::places::Place;
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

/// How words that only look like the name are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdits {
    /// They are not searched.
    Off,
    /// They are listed, but are not part of the diff.
    #[default]
    Review,
    /// They are changed, too.
    Apply,
}

/// Parameters of a rename.
#[derive(Debug, Clone)]
pub struct RenameConfig<'a> {
    /// The new simple name.
    pub new_name: &'a str,
    /// How words that only look like the name are treated.
    pub text_edits: TextEdits,
    /// Minimum confidence in percent: uses resolved below it count as text.
    pub min_confidence: u8,
    /// Files that the rename may change. Elsewhere text is not searched, and uses are listed without being applied.
    pub files: FileFilter,
}

/// Origin of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditSource {
    /// A definition or a resolved use.
    Graph {
        /// Confidence in percent.
        confidence: u8,
        /// The rule that resolved it.
        reason: graph::Reason,
    },
    /// The same word, found by text search.
    TextSearch,
}

/// A replacement of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// 0-based line.
    pub line: u32,
    /// Text that replaces the bytes.
    pub new_text: String,
    /// Origin of the edit.
    pub source: EditSource,
    /// Kind of text around it.
    pub place: Place,
    /// Whether the edit is part of the diff.
    pub is_applied: bool,
}

/// The edits of a file, by position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdits {
    /// The file.
    pub file: FileId,
    /// Edits that do not overlap.
    pub edits: Vec<TextEdit>,
}

/// A reason against the new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// File of the conflict.
    pub file: FileId,
    /// 0-based line.
    pub line: u32,
    /// Message for a person.
    pub message: String,
}

/// A rename, ready to be reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The symbol first, then all others that must keep the same name.
    pub symbols: Vec<NodeId>,
    /// The name before the rename.
    pub old_name: String,
    /// Files with edits, by path.
    pub files: Vec<FileEdits>,
    /// Sorted by path and line.
    pub conflicts: Vec<Conflict>,
}

impl Reader {
    /// Returns the edits that give the symbol another name; [`Reader::rename_diff`] returns their effect as a diff.
    /// Linear in the texts if words are searched as well.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `symbol.ambiguous`, whose help has selectors of single symbols; `query.invalid` for a
    /// name that cannot be one; `query.unsupported` for symbols that have no name in code; `snapshot.without` for a
    /// snapshot without texts.
    pub fn rename(&self, selector: &str, config: &RenameConfig<'_>) -> Result<Rename, Error> {
        let symbols = self.family_of(selector)?;
        let old_name = match symbols.first() {
            Some(symbol) => self.graph().name(*symbol).to_owned(),
            None => String::new(),
        };
        check_name(&old_name, config.new_name)?;
        let files = self.collect_edits(&symbols, &old_name, config)?;
        Ok(Rename {
            conflicts: self.conflicts(&symbols, &files, config.new_name),
            symbols,
            old_name,
            files,
        })
    }

    /// The symbol and all others that must keep the same name.
    fn family_of(&self, selector: &str) -> Result<Vec<NodeId>, Error> {
        let candidates = self.select(selector)?;
        let Some(&first) = candidates.first() else {
            return Err(Error::new(
                ErrorKind::SymbolNotFound,
                format!("the index has no symbol {selector:?}"),
            ));
        };
        let family = self.family(first);
        let others: Vec<&NodeId> = candidates
            .iter()
            .filter(|candidate| !family.contains(candidate))
            .collect();
        if others.is_empty() {
            return self.renamable(family);
        }
        let ways: Vec<String> = std::iter::once(&first)
            .chain(others.iter().copied())
            .take(8)
            .map(|candidate| self.selector_of(*candidate))
            .collect();
        let message = format!(
            "{} definitions answer to {selector:?}, and a rename is about one",
            others.len() + 1
        );
        Err(Error::new(ErrorKind::SymbolAmbiguous, message)
            .with_help(format!("name one of {}", ways.join(", "))))
    }

    fn renamable(&self, family: Vec<NodeId>) -> Result<Vec<NodeId>, Error> {
        use syntax::facts::SymbolKind::{Impl, Section};
        let kind = family
            .first()
            .and_then(|symbol| self.graph().symbol_kind(*symbol));
        match kind {
            Some(Section | Impl) | None => Err(Error::new(
                ErrorKind::QueryUnsupported,
                "headings and impl blocks have no name of their own to change",
            )
            .with_help("rename the type that the block is about")),
            Some(_) => Ok(family),
        }
    }
}

/// Checks that a name can replace another.
fn check_name(old: &str, new: &str) -> Result<(), Error> {
    let invalid = |message: String| Err(Error::new(ErrorKind::QueryInvalid, message));
    if new == old {
        return invalid(format!("{new:?} is its name already"));
    }
    // Special characters of the old name (`#private`, `data-id`, `empty?`) are possible in its language.
    let is_sign = |c: char| matches!(c, '_' | '$') || (!c.is_whitespace() && old.contains(c));
    let is_word = new.chars().all(|c| c.is_alphanumeric() || is_sign(c));
    if !is_word || new.is_empty() || new.starts_with(|c: char| c.is_numeric()) {
        return invalid(format!("{new:?} cannot be the name of a definition"));
    }
    Ok(())
}
