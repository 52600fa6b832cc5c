//! Renaming a symbol everywhere: what the graph knows, and what only looks like it.
//!
//! 1. The *family*: the symbol, its overloads, the declarations it implements and the implementations of it. They must keep one
//!    name, or the program means something else.
//! 2. *Graph* edits: their names, and every resolved use that is written with the name (an alias keeps its own).
//! 3. *Text search* edits: the same word elsewhere, in code that could not be resolved, in comments, strings and documents.
//!    Words that are known to mean something else are left alone.
//!
//! Nothing is written here: edits come out, and what they do as a unified diff; the host applies them to files that are still what
//! was indexed.

mod collect;
mod diff;
mod shorthand;

use graph::NodeId;
use source::FileId;

use crate::ask::places::Place;
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

/// What is done with words that only look like the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdits {
    /// They are not looked for.
    Off,
    /// They are listed, and are not part of the diff.
    #[default]
    Review,
    /// They are changed, too.
    Apply,
}

/// What to rename, and how far to go.
#[derive(Debug, Clone)]
pub struct RenameConfig<'a> {
    /// The new simple name.
    pub new_name: &'a str,
    /// What is done with words that only look like the name.
    pub text_edits: TextEdits,
    /// Uses resolved less surely than this percentage count as text.
    pub min_confidence: u8,
    /// Where words are looked for as text.
    pub files: FileFilter,
}

/// Where an edit comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditSource {
    /// A definition or a resolved use.
    Graph {
        /// Percent.
        confidence: u8,
        /// The rule that resolved it.
        reason: graph::Reason,
    },
    /// The same word.
    TextSearch,
}

/// A change of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// First byte.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// 0-based.
    pub line: u32,
    /// What stands there afterwards.
    pub new_text: String,
    /// Where it comes from.
    pub source: EditSource,
    /// What is around it.
    pub place: Place,
    /// Whether it is part of the diff.
    pub is_applied: bool,
}

/// The edits of a file, by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdits {
    /// The file.
    pub file: FileId,
    /// None overlaps another.
    pub edits: Vec<TextEdit>,
}

/// Why the new name may be a bad one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Where.
    pub file: FileId,
    /// 0-based.
    pub line: u32,
    /// For a person.
    pub message: String,
}

/// A rename, ready to be reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The symbol first, then all that must keep the same name.
    pub symbols: Vec<NodeId>,
    /// The name before.
    pub old_name: String,
    /// Files with edits, by path.
    pub files: Vec<FileEdits>,
    /// By path and line.
    pub conflicts: Vec<Conflict>,
}

impl Reader {
    /// The edits that give the symbol another name; what they do as a diff tells [`Reader::rename_diff`]. Linear in the texts,
    /// where words are looked for as well.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `symbol.ambiguous` with ways to name each; `query.invalid` for a name that cannot be one;
    /// `query.unsupported` for what has no name in code; `snapshot.without` for a snapshot without texts.
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

    /// The symbol and all that must keep the same name.
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

/// Whether a name can take the place of another.
fn check_name(old: &str, new: &str) -> Result<(), Error> {
    let invalid = |message: String| Err(Error::new(ErrorKind::QueryInvalid, message));
    if new == old {
        return invalid(format!("{new:?} is its name already"));
    }
    // Signs that the old name has (`#private`, `data-id`, `empty?`) are possible in the language it is written in.
    let is_sign = |c: char| matches!(c, '_' | '$') || (!c.is_whitespace() && old.contains(c));
    let is_word = new.chars().all(|c| c.is_alphanumeric() || is_sign(c));
    if !is_word || new.is_empty() || new.starts_with(|c: char| c.is_numeric()) {
        return invalid(format!("{new:?} cannot be the name of a definition"));
    }
    Ok(())
}
