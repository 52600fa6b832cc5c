//! Names communities: the folder or file that most members are in, and the type or the words that distinguish their names
//! from those of other communities (`Routing: path params`).
//!
//! A folder that holds most of the repository distinguishes nothing, so it is no place. One word alone is no label: two
//! words, a place or a type go with it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use syntax::facts::SymbolKind;
use syntax::order::InOrder;

use super::words::{Place, Vocabulary};
use crate::frozen::NONE;
use crate::layout::Layout;

/// Minimum share of members, in percent, that are in the folder or file that gives the name.
const PLACE_PERCENT: usize = 51;
/// Minimum share of all members, in percent, in a folder that distinguishes nothing.
const SHARED_PERCENT: usize = 60;
/// Minimum share of members, in percent, that are methods of the type that gives the name.
const TYPE_PERCENT: usize = 40;
/// Number of the most central members, whose words count more.
const N_CENTRAL: usize = 12;
/// Number of files from which on a name of theirs says nothing without its folder (`handler.ts` of each adapter).
const MANY_FILES: usize = 3;
/// Folders and files whose names say nothing about their content, in order.
const GENERIC_PLACES: &[&str] = &[
    "__init__",
    "__main__",
    "app",
    "apps",
    "base",
    "code",
    "com",
    "common",
    "core",
    "crates",
    "dist",
    "go",
    "helper",
    "helpers",
    "impl",
    "include",
    "index",
    "init",
    "internal",
    "java",
    "javascript",
    "js",
    "kotlin",
    "lib",
    "libs",
    "main",
    "misc",
    "mod",
    "modules",
    "net",
    "org",
    "package",
    "packages",
    "php",
    "pkg",
    "project",
    "projects",
    "python",
    "ruby",
    "rust",
    "scala",
    "shared",
    "source",
    "sources",
    "src",
    "swift",
    "ts",
    "types",
    "typescript",
    "util",
    "utils",
    "v1",
    "v2",
];
/// Labels of groups, one each; groups of equal labels are not merged yet.
pub(super) struct Labels(Vec<String>);

impl Labels {
    /// `members` are numbers of symbols, in ascending order.
    pub fn new(layout: &Layout<'_>, centrality: &[f32], members: &[Vec<u32>]) -> Self {
        let symbols = SymbolTable::new(layout, centrality);
        let central: Vec<Vec<u32>> = members
            .iter()
            .map(|members| symbols.most_central(members, N_CENTRAL))
            .collect();
        let mut words = Vocabulary::new(&symbols.names, &symbols.paths, members, &central);
        let shared = shared_folder(&symbols, members);
        let label = |members: &Vec<u32>| {
            let place = place(&symbols, members, shared);
            let type_name = type_name(&symbols, members).map(str::to_owned);
            let topic = type_name
                .or_else(|| {
                    let text = place
                        .as_ref()
                        .map_or_else(String::new, |(text, _)| plain(text));
                    let is_file = place.as_ref().is_some_and(|(_, is_file)| *is_file);
                    words.topic(
                        members,
                        Place {
                            text: &text,
                            is_file,
                        },
                    )
                })
                .unwrap_or_else(|| symbols.names_of_central(members, place.is_none()));
            joined(place.as_ref().map(|(text, _)| text.as_str()), &topic)
        };
        Labels(members.iter().map(label).collect())
    }

    /// Groups with their labels. Groups whose labels differ at most in case and punctuation are merged; members stay in
    /// ascending order.
    pub fn merge(self, members: Vec<Vec<u32>>) -> Vec<(String, Vec<u32>)> {
        let mut by_label: BTreeMap<String, (String, Vec<u32>)> = BTreeMap::new();
        for (label, members) in self.0.into_iter().zip(members) {
            let same = by_label.entry(plain(&label));
            same.or_insert((label, Vec::new())).1.extend(members);
        }
        for (_, members) in by_label.values_mut() {
            members.order_by(Ord::cmp);
        }
        by_label.into_values().collect()
    }
}

/// `Place: topic`, or one of the two if they are the same word.
fn joined(place: Option<&str>, topic: &str) -> String {
    let Some(place) = place else {
        return capitalised(topic);
    };
    let (plain_place, plain_topic) = (plain(place), plain(topic));
    if plain_place == plain_topic {
        return capitalised(topic);
    }
    format!("{}: {topic}", capitalised(place))
}

/// Letters and digits in lower case, to compare `trie-router` with `TrieRouter`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_ascii() {
            plain.push(c.to_ascii_lowercase());
        } else {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let mut capitalised = String::with_capacity(text.len());
    capitalised.extend(chars.next().into_iter().flat_map(char::to_uppercase));
    capitalised.push_str(chars.as_str());
    capitalised
}

/// Symbols by number, as far as labels need them.
struct SymbolTable<'a> {
    names: Vec<&'a str>,
    paths: Vec<&'a str>,
    kinds: Vec<SymbolKind>,
    /// Number of the nearest type around it.
    owners: Vec<u32>,
    centrality: &'a [f32],
    /// Number of files of each name, endings left out.
    n_files: BTreeMap<&'a str, usize>,
}

impl<'a> SymbolTable<'a> {
    fn new(layout: &Layout<'a>, centrality: &'a [f32]) -> Self {
        let first = layout.first_symbol();
        let mut table = SymbolTable {
            names: Vec::new(),
            kinds: Vec::new(),
            paths: Vec::new(),
            owners: Vec::new(),
            centrality: centrality.get(first as usize..).unwrap_or_default(),
            n_files: BTreeMap::new(),
        };
        for (file, _) in layout
            .files
            .iter()
            .zip(&layout.is_aside)
            .filter(|(_, is_aside)| !**is_aside)
        {
            *table.n_files.entry(stem(file.path)).or_default() += 1;
        }
        for (file, symbol) in layout.symbols() {
            let facts = layout.files[file as usize].facts;
            // Parents come before their children, so their owners are known.
            let owner = symbol.parent.map_or(NONE, |parent| {
                let node = layout.node(file, parent) - first;
                match facts.symbols.get(parent as usize) {
                    Some(parent) if is_type(parent.kind) => node,
                    _ => table.owners.get(node as usize).copied().unwrap_or(NONE),
                }
            });
            table.names.push(&symbol.name);
            table.kinds.push(symbol.kind);
            table.paths.push(layout.files[file as usize].path);
            table.owners.push(owner);
        }
        table
    }

    fn name(&self, symbol: u32) -> &'a str {
        self.names.get(symbol as usize).copied().unwrap_or_default()
    }

    /// The most central members, at most `n`, the first of them first.
    fn most_central(&self, members: &[u32], n: usize) -> Vec<u32> {
        let mut members = members.to_vec();
        members.order_by_key(|symbol| (Reverse(self.rank(*symbol)), *symbol));
        members.truncate(n);
        members
    }

    fn rank(&self, symbol: u32) -> u32 {
        let centrality = self.centrality.get(symbol as usize).copied();
        centrality.unwrap_or(0.0).to_bits()
    }

    /// The name of the most central member, of a type if there is one: it says more than a function's. Two of them where nothing else
    /// goes with it.
    fn names_of_central(&self, members: &[u32], needs_two: bool) -> String {
        let is_of_type = |symbol: &u32| {
            self.kinds
                .get(*symbol as usize)
                .copied()
                .is_some_and(is_type)
        };
        let mut members = members.to_vec();
        members.order_by_key(|symbol| (!is_of_type(symbol), Reverse(self.rank(*symbol)), *symbol));
        let mut names: Vec<&str> = members.iter().map(|symbol| self.name(*symbol)).collect();
        names.dedup();
        names.truncate(1 + usize::from(needs_two));
        names.join(", ")
    }
}

fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Impl, Interface, Struct, Trait};
    matches!(kind, Class | Struct | Enum | Trait | Interface | Impl)
}

/// The type that most members are methods of. Types of the same name, such as the impl blocks of one, count as one.
fn type_name<'a>(symbols: &SymbolTable<'a>, members: &[u32]) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for symbol in members {
        let owner = symbols.owners.get(*symbol as usize).copied()?;
        if owner != NONE {
            *counts.entry(symbols.name(owner)).or_default() += 1;
        }
    }
    let (name, count) = counts
        .into_iter()
        .max_by(|(a, n_a), (b, n_b)| n_a.cmp(n_b).then_with(|| b.cmp(a)))?;
    (count * 100 >= members.len() * TYPE_PERCENT && !name.is_empty()).then_some(name)
}

/// The deepest folder that holds most members of all groups, with all folders around it.
fn shared_folder<'a>(symbols: &SymbolTable<'a>, members: &[Vec<u32>]) -> &'a str {
    let all: Vec<u32> = members.iter().flatten().copied().collect();
    let (folder, _) = deepest(symbols, &all, SHARED_PERCENT);
    folder
}

/// The last part, not a generic one, of the path of the deepest folder or file that holds most members, and whether it is a file; none
/// for folders that most of the repository is in. A file whose name others have, too, counts only where no folder goes before it.
fn place(symbols: &SymbolTable<'_>, members: &[u32], shared: &str) -> Option<(String, bool)> {
    let (_, deepest) = deepest(symbols, members, PLACE_PERCENT);
    let own = deepest
        .strip_prefix(shared)
        .filter(|own| own.is_empty() || own.starts_with('/'));
    let parts = own.unwrap_or(deepest).rsplit('/');
    let mut parts = parts
        .map(|part| (stem(part), part.contains('.')))
        .filter(|(part, _)| part.len() > 1 && !is_generic(&part.to_ascii_lowercase()));
    let is_shared = |part: &str| symbols.n_files.get(part).is_some_and(|n| *n >= MANY_FILES);
    let last = parts.next()?;
    let (part, is_file) = match last {
        (part, true) if is_shared(part) => parts.next().unwrap_or(last),
        last => last,
    };
    Some((part.to_owned(), is_file))
}

/// Whether the name of a folder or file says nothing about its content.
pub(super) fn is_generic(name: &str) -> bool {
    GENERIC_PLACES.binary_search(&name).is_ok()
}

/// The name of a file without its folder and endings.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The deepest folder, and the deepest folder or file, that holds this share of some symbols; empty for the root.
fn deepest<'a>(symbols: &SymbolTable<'a>, members: &[u32], percent: usize) -> (&'a str, &'a str) {
    let path = |symbol: &u32| symbols.paths.get(*symbol as usize).copied();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    // Most members follow one of the same file.
    for of_file in members.chunk_by(|one, other| path(one) == path(other)) {
        let path = of_file.first().and_then(path).unwrap_or_default();
        *counts.entry(path).or_default() += of_file.len();
    }
    let mut by_prefix: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for (path, count) in counts {
        let folders = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        for prefix in folders.chain([(path, false)]) {
            *by_prefix.entry(prefix).or_default() += count;
        }
    }
    let holding = || {
        let most = by_prefix
            .iter()
            .filter(|(_, count)| **count * 100 >= members.len() * percent);
        most.map(|(prefix, _)| *prefix)
    };
    // More than half of the members are in one folder of each depth only.
    let depth = |(prefix, _): &(&str, bool)| prefix.matches('/').count();
    let folder = holding()
        .filter(|(_, is_folder)| *is_folder)
        .max_by_key(depth);
    let any = holding().max_by_key(depth);
    (
        folder.map_or("", |(prefix, _)| prefix),
        any.map_or("", |(prefix, _)| prefix),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_and_topic() {
        assert_eq!(joined(Some("routing"), "params"), "Routing: params");
        assert_eq!(joined(Some("trie-router"), "TrieRouter"), "TrieRouter");
        assert_eq!(joined(None, "params"), "Params");
    }
}
