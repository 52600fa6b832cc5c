//! Repository map, within a token budget: files with the definitions in them.
//!
//! ```text
//! <repo_map>
//!   src/agent.rs :: struct:Agent, impl:Agent, fn:new, fn:run, fn:prepare_context
//!   src/main.rs :: fn:main, fn:setup_logging
//!   ... and 12 more files
//! </repo_map>
//! ```
//!
//! Kinds and names only, no bodies. Definitions inside functions are left out, and so are fields and variables.

use std::borrow::Cow;
use std::cmp::Reverse;
use syntax::order::InOrder;

use graph::NodeId;
use source::FileId;
use syntax::facts::SymbolKind;

use crate::{FileFilter, Reader};

/// Default token budget of a map.
pub const DEFAULT_MAP_TOKENS: usize = 1_024;

/// Order of the files in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MapOrder {
    /// Files with the most definitions first.
    #[default]
    Symbols,
    /// Files with the most central definitions first (the sum of their centrality).
    Centrality,
}

/// Parameters of a map.
pub struct MapConfig<'a> {
    /// Maximum number of tokens; 0 for no map.
    pub max_tokens: usize,
    /// Order of the files; definitions of a file are in source order.
    pub order: MapOrder,
    /// Files that may be listed.
    pub files: FileFilter,
    /// Counts the tokens of a text. The count of two joined texts must not exceed the sum of their counts.
    pub count: &'a dyn Fn(&str) -> usize,
}

/// A map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepoMap {
    /// The complete text, `<repo_map>` included; empty if not even one file fits.
    pub text: String,
    /// Its number of tokens, by [`MapConfig::count`].
    pub n_tokens: usize,
    /// Number of files listed.
    pub n_files: usize,
    /// Number of files with definitions that did not fit.
    pub n_more: usize,
}

/// One file takes at most 1 / `MIN_LINES` of the budget, so that the largest files do not fill the map.
const MIN_LINES: usize = 8;

const HEAD: &str = "<repo_map>\n";
const FOOT: &str = "</repo_map>\n";

impl Reader {
    /// Builds a map of the repository. Linear in its definitions.
    #[must_use]
    pub fn map(&self, config: &MapConfig<'_>) -> RepoMap {
        let files = self.ranked_files(config);
        let mut map = RepoMap::default();
        let mut lines = String::new();
        let share = config.max_tokens / files.len().clamp(1, MIN_LINES);
        let frame = (config.count)(HEAD) + (config.count)(FOOT);
        for (file, symbols) in &files {
            let rest = more_files(files.len() - map.n_files - 1);
            let taken = frame + map.n_tokens + (config.count)(&rest);
            let room = config.max_tokens.saturating_sub(taken);
            let line = |room| self.line(*file, symbols, room, config.count);
            let Some((line, n_tokens)) = line(room.min(share)).or_else(|| line(room)) else {
                break;
            };
            lines.push_str(&line);
            map.n_tokens += n_tokens;
            map.n_files += 1;
        }
        map.n_more = files.len() - map.n_files;
        if map.n_files == 0 {
            return RepoMap { n_tokens: 0, ..map };
        }
        map.text = [HEAD, &lines, &more_files(map.n_more), FOOT].concat();
        map.n_tokens = (config.count)(&map.text);
        map
    }

    /// Files with definitions, in the order of the map.
    fn ranked_files(&self, config: &MapConfig<'_>) -> Vec<(FileId, Vec<NodeId>)> {
        let mut files: Vec<(FileId, Vec<NodeId>)> = self
            .files()
            .filter(|file| config.files.passes(self.path(*file), self.language(*file)))
            .map(|file| (file, self.mapped_symbols(file)))
            .filter(|(_, symbols)| !symbols.is_empty())
            .collect();
        let weight = |symbols: &[NodeId]| match config.order {
            MapOrder::Symbols => symbols.len() as f64,
            MapOrder::Centrality => symbols
                .iter()
                .map(|symbol| f64::from(self.graph().centrality(*symbol).max(0.0)))
                .sum(),
        };
        // Weights are not negative, so their bits sort like them; files of equal weight stay in path order.
        files.order_by_cached_key(|(_, symbols)| Reverse(weight(symbols).to_bits()));
        files
    }

    /// The definitions of a file that a map lists, in source order.
    fn mapped_symbols(&self, file: FileId) -> Vec<NodeId> {
        let graph = self.graph();
        let is_inside = |symbol: NodeId| {
            let parent = graph
                .parent(symbol)
                .and_then(|parent| graph.symbol_kind(parent));
            parent.is_some_and(|kind| label(kind) == Some("fn"))
        };
        graph
            .symbols_of(file)
            .filter(|symbol| graph.symbol_kind(*symbol).and_then(label).is_some())
            .filter(|symbol| !graph.name(*symbol).is_empty() && !is_inside(*symbol))
            .collect()
    }

    /// A file with as many of its definitions as fit, and its number of tokens; `None` if none fits.
    fn line(
        &self,
        file: FileId,
        symbols: &[NodeId],
        room: usize,
        count: &dyn Fn(&str) -> usize,
    ) -> Option<(String, usize)> {
        let graph = self.graph();
        let mut line = format!("  {} :: ", on_one_line(self.path(file)));
        let mut n_tokens = count(&line) + count("\n");
        for (place, symbol) in symbols.iter().enumerate() {
            let kind = graph.symbol_kind(*symbol).and_then(label).unwrap_or("");
            let mut item = format!("{kind}:{}", on_one_line(graph.name(*symbol)));
            if place > 0 {
                item.insert_str(0, ", ");
            }
            let n_item = count(&item);
            let n_left = symbols.len() - place;
            let cut = format!(", ... {n_left} more");
            // A cut line says how many are left; room for that is reserved unless this is the last definition.
            let reserve = if n_left == 1 { 0 } else { count(&cut) };
            if n_tokens + n_item + reserve > room {
                if place == 0 {
                    return None;
                }
                line.push_str(&cut);
                n_tokens += count(&cut);
                break;
            }
            line.push_str(&item);
            n_tokens += n_item;
        }
        line.push('\n');
        (n_tokens <= room).then_some((line, n_tokens))
    }
}

/// Escapes line breaks as JSON does: a file whose name has one must not look like two files.
fn on_one_line(name: &str) -> Cow<'_, str> {
    if name.contains(['\n', '\r']) {
        Cow::Owned(name.replace('\n', "\\u000a").replace('\r', "\\u000d"))
    } else {
        Cow::Borrowed(name)
    }
}

fn more_files(n_more: usize) -> String {
    match n_more {
        0 => String::new(),
        1 => "  ... and 1 more file\n".to_owned(),
        _ => format!("  ... and {n_more} more files\n"),
    }
}

/// Label of a kind in a map; `None` for kinds that a map does not list.
fn label(kind: SymbolKind) -> Option<&'static str> {
    Some(match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => "fn",
        SymbolKind::Class => "class",
        SymbolKind::Struct => "struct",
        SymbolKind::Enum => "enum",
        SymbolKind::Trait => "trait",
        SymbolKind::Interface => "interface",
        SymbolKind::Impl => "impl",
        SymbolKind::TypeAlias => "type",
        SymbolKind::Constant => "const",
        SymbolKind::Module => "mod",
        SymbolKind::Macro => "macro",
        SymbolKind::Variant | SymbolKind::Variable | SymbolKind::Field | SymbolKind::Section => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn a_name_is_on_one_line() {
        assert_eq!(on_one_line("src/a b.rs"), "src/a b.rs");
        assert_eq!(
            on_one_line("x\n  auth.py :: fn:login\r\n"),
            "x\\u000a  auth.py :: fn:login\\u000d\\u000a"
        );
    }
}
