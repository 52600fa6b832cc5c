//! SCIP: imports indexes that compilers make, whose results replace those of the rules.
//!
//! [`Engine::import_scip`] reads an index, checks each document against the text that the engine has, and keeps
//! positions as bytes. [`Engine::build`] passes those of unchanged files to the graph. A document whose file has
//! changed since, or that was made from another text, is ignored with a note (`scip-stale`); names in files without a
//! document are resolved by the rules.
//!
//! A SCIP index has no hashes and mostly no texts, so a document counts as made from another text if its ranges are not
//! whole words, or its definitions do not have the names of their symbols.

mod exact;
mod positions;
pub mod proto;

use prost::Message;
use xxhash_rust::xxh3::xxh3_64;

use snapshot::ScipDocument;

use crate::{Engine, Error, ErrorKind};
pub(crate) use exact::exact_facts;
use positions::{Lines, is_whole_word, last_name};
use proto::{Document, Index};

/// Numbers of documents, definitions and uses in a SCIP index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScipReport {
    /// Name and version of the indexer.
    pub tool: String,
    /// Number of documents in it.
    pub n_documents: usize,
    /// Number of documents that fit files of this index.
    pub n_used: usize,
    /// Number of definitions in those documents.
    pub n_definitions: usize,
    /// Number of other names in those documents.
    pub n_references: usize,
    /// Files whose text differs from the one that was indexed; their documents are ignored.
    pub stale: Vec<String>,
    /// Documents of files that are not in this index.
    pub unknown: Vec<String>,
}

const DEFINITION: i32 = 1;
/// Maximum share of ranges that begin or end within a word, or are beyond the end of a line. A document of another text
/// has more of them; one of the same text has a few, made by macros or templates.
const MAX_SHARE_CUT: f64 = 0.02;
/// Maximum share of definitions whose text is not the name of their symbol. A document of the same text has a few:
/// renamed exports, string keys, operators.
const MAX_SHARE_RENAMED: f64 = 0.3;

impl Engine {
    /// Imports a `.scip` file. Documents replace those that were imported before for the same file. The next
    /// [`Engine::build`] uses them. Linear in the index.
    ///
    /// # Errors
    ///
    /// `scip.damaged` for bytes that are no SCIP index.
    pub fn import_scip(&mut self, bytes: &[u8]) -> Result<ScipReport, Error> {
        let index = read(bytes)?;
        self.last.is_scip_changed = true;
        let prefix = self.prefix_of(&index);
        let tool = index
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.tool_info.as_ref());
        let mut report = ScipReport {
            tool: tool.map_or_else(String::new, |tool| {
                format!("{} {}", tool.name, tool.version).trim().to_owned()
            }),
            n_documents: index.documents.len(),
            ..ScipReport::default()
        };
        for document in &index.documents {
            let path = format!("{prefix}{}", document.relative_path);
            let Some(entry) = self.files.get(&path) else {
                report.unknown.push(path);
                continue;
            };
            let stored = convert(document, &path, &entry.text).map(|document| ScipDocument {
                digest: entry.digest,
                ..document
            });
            match &stored {
                Some(stored) => {
                    let n_definitions = stored.is_definition.iter().filter(|is| **is).count();
                    report.n_used += 1;
                    report.n_definitions += n_definitions;
                    report.n_references += stored.symbols.len() - n_definitions;
                }
                None => report.stale.push(path.clone()),
            }
            // An empty document with a digest that no text has keeps the note until the index is imported again.
            self.scip.insert(path, stored.unwrap_or_default());
        }
        Ok(report)
    }

    /// Drops all imported documents.
    pub fn clear_scip(&mut self) {
        self.last.is_scip_changed |= !self.scip.is_empty();
        self.scip.clear();
    }

    /// The folder of this index that contains the project of the SCIP index, with a `/` at its end.
    fn prefix_of(&self, index: &Index) -> String {
        let paths = || {
            index
                .documents
                .iter()
                .map(|document| document.relative_path.as_str())
        };
        let n_found = |prefix: &str| {
            paths()
                .filter(|path| self.files.contains_key(&format!("{prefix}{path}")))
                .count()
        };
        if n_found("") > 0 {
            return String::new();
        }
        let Some(first) = paths().next() else {
            return String::new();
        };
        let prefixes = self
            .files
            .keys()
            .filter_map(|path| path.strip_suffix(first));
        let prefixes = prefixes.filter(|prefix| prefix.ends_with('/'));
        let best = prefixes.map(|prefix| (n_found(prefix), prefix)).max();
        best.map_or_else(String::new, |(_, prefix)| prefix.to_owned())
    }

    /// Whether the SCIP document of a file was made from another text than the file has.
    pub(crate) fn is_scip_stale(&self, path: &str) -> bool {
        let entry = |document| Some((document, self.files.get(path)?));
        self.scip
            .get(path)
            .and_then(entry)
            .is_some_and(|(document, entry)| document.digest != entry.digest)
    }
}

fn read(bytes: &[u8]) -> Result<Index, Error> {
    let damaged = |what: String| Error::new(ErrorKind::ScipDamaged, what);
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(
            damaged("the SCIP index is packed with gzip".to_owned()).with_help("unpack it first")
        );
    }
    let index = Index::decode(bytes)
        .map_err(|error| damaged(format!("the file is no SCIP index: {error}")))?;
    if index.documents.is_empty() {
        return Err(damaged("the SCIP index has no documents".to_owned()));
    }
    Ok(index)
}

/// Converts a document to byte positions in the file's text; none if it was made from another text. The caller sets the
/// digest.
fn convert(document: &Document, path: &str, text: &str) -> Option<ScipDocument> {
    if !document.text.is_empty() && document.text != text {
        return None;
    }
    let lines = Lines::new(text, document.position_encoding);
    let mut stored = ScipDocument::default();
    let (mut n_cut, mut n_named, mut n_renamed) = (0usize, 0usize, 0usize);
    for occurrence in &document.occurrences {
        let Some((start, end, line)) = lines.range(&occurrence.range) else {
            n_cut += 1;
            continue;
        };
        let name = text.get(start..end).unwrap_or_default();
        let is_definition = occurrence.symbol_roles & DEFINITION != 0;
        let is_file = name.is_empty() && start == 0;
        if !is_file && (name.contains('\n') || !is_whole_word(text, start, end)) {
            n_cut += 1;
            continue;
        }
        if is_definition && !is_file && !occurrence.symbol.starts_with("local ") {
            n_named += 1;
            n_renamed +=
                usize::from(last_name(&occurrence.symbol).is_some_and(|last| last != name));
        }
        stored.starts.push(start as u32);
        stored.ends.push(end as u32);
        stored.lines.push(line);
        stored.symbols.push(key(path, &occurrence.symbol));
        stored.is_definition.push(is_definition);
    }
    if is_more(n_cut, document.occurrences.len(), MAX_SHARE_CUT) {
        return None;
    }
    if is_more(n_renamed, n_named, MAX_SHARE_RENAMED) {
        return None;
    }
    for symbol in &document.symbols {
        let implemented = symbol
            .relationships
            .iter()
            .filter(|other| other.is_implementation);
        stored
            .relations
            .extend(implemented.map(|other| (key(path, &symbol.symbol), key(path, &other.symbol))));
    }
    Some(stored)
}

/// Whether `n` is more than this share of `all`, and more than one or two.
fn is_more(n: usize, all: usize, share: f64) -> bool {
    n > 2 && n as f64 > all as f64 * share
}

/// The key of a symbol; those of local symbols include the path of their document.
fn key(path: &str, symbol: &str) -> u64 {
    if symbol.starts_with("local ") {
        xxh3_64(format!("{path}\0{symbol}").as_bytes())
    } else {
        xxh3_64(symbol.as_bytes())
    }
}
