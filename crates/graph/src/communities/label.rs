//! Names communities: the folder or file that most members are in, and the word or type that distinguishes their names
//! (`Routing: params`).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use syntax::facts::SymbolKind;

use crate::frozen::NONE;
use crate::layout::Layout;

/// Minimum share of members, in percent, that are in the folder or file that gives the name.
const PLACE_PERCENT: usize = 60;
/// Minimum share of members, in percent, that are methods of the type that gives the name.
const TYPE_PERCENT: usize = 40;
/// Minimum share of members, in percent, whose names contain the word that gives the name.
const WORD_PERCENT: usize = 10;
/// Folders and files that say nothing about what is in them.
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
/// Words of names that say nothing about what the code is about.
const STOP_WORDS: &[&str] = &[
    "add", "and", "apply", "args", "async", "base", "build", "call", "check", "clone", "close",
    "count", "create", "data", "default", "delete", "find", "first", "for", "from", "func", "get",
    "has", "init", "into", "is", "item", "iter", "last", "len", "list", "make", "map", "mut",
    "name", "new", "next", "not", "num", "object", "of", "on", "open", "opt", "options", "or",
    "parse", "pop", "push", "put", "read", "ref", "remove", "result", "run", "self", "set", "size",
    "str", "string", "test", "the", "to", "try", "type", "update", "use", "val", "value", "values",
    "with", "write",
];

/// Labels of groups, one each; groups of equal labels are not merged yet.
pub(super) struct Labels(Vec<String>);

impl Labels {
    /// `members` are numbers of symbols, in ascending order.
    pub fn new(layout: &Layout<'_>, centrality: &[f32], members: &[Vec<u32>]) -> Self {
        let symbols = SymbolTable::new(layout, centrality);
        let words = Words::new(&symbols, members);
        let label = |members: &Vec<u32>| {
            let place = place(&symbols, members);
            let topic = type_name(&symbols, members)
                .map(str::to_owned)
                .or_else(|| words.most_telling(&symbols, members, place.as_deref()))
                .unwrap_or_else(|| symbols.most_central(members).to_owned());
            joined(place.as_deref(), &topic)
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
            members.sort_unstable();
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
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Symbols by number, as far as labels need them.
struct SymbolTable<'a> {
    names: Vec<&'a str>,
    paths: Vec<&'a str>,
    /// Number of the type around it.
    owners: Vec<u32>,
    centrality: &'a [f32],
}

impl<'a> SymbolTable<'a> {
    fn new(layout: &Layout<'a>, centrality: &'a [f32]) -> Self {
        let first = layout.first_symbol();
        let mut table = SymbolTable {
            names: Vec::new(),
            paths: Vec::new(),
            owners: Vec::new(),
            centrality: centrality.get(first as usize..).unwrap_or_default(),
        };
        for (file, symbol) in layout.symbols() {
            let facts = layout.files[file as usize].facts;
            let owner = symbol.parent.filter(|parent| {
                facts
                    .symbols
                    .get(*parent as usize)
                    .is_some_and(|parent| is_type(parent.kind))
            });
            table.names.push(&symbol.name);
            table.paths.push(layout.files[file as usize].path);
            table
                .owners
                .push(owner.map_or(NONE, |owner| layout.node(file, owner) - first));
        }
        table
    }

    fn name(&self, symbol: u32) -> &'a str {
        self.names.get(symbol as usize).copied().unwrap_or_default()
    }

    fn most_central(&self, members: &[u32]) -> &'a str {
        let rank = |symbol: &u32| {
            let centrality = self.centrality.get(*symbol as usize).copied();
            (
                centrality.unwrap_or(0.0).to_bits(),
                std::cmp::Reverse(*symbol),
            )
        };
        members
            .iter()
            .max_by_key(|symbol| rank(symbol))
            .map_or("", |symbol| self.name(*symbol))
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

/// The last part, not a generic one, of the path of the deepest folder or file that holds most members.
fn place(symbols: &SymbolTable<'_>, members: &[u32]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for symbol in members {
        let path = symbols.paths.get(*symbol as usize).copied()?;
        *counts.entry(path).or_default() += 1;
    }
    let mut by_prefix: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, count) in counts {
        let ends = path.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            *by_prefix.entry(&path[..end]).or_default() += count;
        }
    }
    let deepest = by_prefix
        .into_iter()
        .filter(|(_, count)| count * 100 >= members.len() * PLACE_PERCENT)
        .map(|(prefix, _)| prefix)
        .max_by_key(|prefix| (prefix.matches('/').count(), std::cmp::Reverse(*prefix)))?;
    deepest
        .rsplit('/')
        .map(|part| part.split_once('.').map_or(part, |(stem, _)| stem))
        .find(|part| {
            part.len() > 1 && !GENERIC_PLACES.contains(&part.to_ascii_lowercase().as_str())
        })
        .map(str::to_owned)
}

/// How many members of all groups have a word in their name.
struct Words {
    document_frequency: FxHashMap<String, usize>,
}

impl Words {
    fn new(symbols: &SymbolTable<'_>, members: &[Vec<u32>]) -> Self {
        let mut words = Words {
            document_frequency: FxHashMap::default(),
        };
        for symbol in members.iter().flatten() {
            for word in words_of(symbols.name(*symbol)) {
                *words.document_frequency.entry(word).or_default() += 1;
            }
        }
        words
    }

    /// The word that is frequent here and rare elsewhere, other than the place itself.
    fn most_telling(
        &self,
        symbols: &SymbolTable<'_>,
        members: &[u32],
        place: Option<&str>,
    ) -> Option<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for symbol in members {
            for word in words_of(symbols.name(*symbol)) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let place = place.map(plain).unwrap_or_default();
        let least = (members.len() * WORD_PERCENT / 100).max(2);
        let score = |word: &str, count: usize| {
            let everywhere = self.document_frequency.get(word).copied().unwrap_or(1);
            // Frequent here, times the share of it that is here: no logarithm, whose last digit differs by machine.
            (count * count) as f64 / everywhere as f64
        };
        counts
            .into_iter()
            .filter(|(word, count)| *count >= least && *word != place)
            .map(|(word, count)| (score(&word, count), word))
            .max_by(|(a, word_a), (b, word_b)| a.total_cmp(b).then_with(|| word_b.cmp(word_a)))
            .map(|(_, word)| word)
    }
}

/// The words of an identifier in lower case, each once; short and empty ones left out.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars().chain(['_']) {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            let found = std::mem::take(&mut word);
            if found.len() > 2 && !STOP_WORDS.contains(&found.as_str()) && !words.contains(&found) {
                words.push(found);
            }
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words_of("parseHttpRequest"), ["http", "request"]);
        assert_eq!(
            words_of("get_solved_dependencies"),
            ["solved", "dependencies"]
        );
        assert_eq!(words_of("x"), Vec::<String>::new());
    }

    #[test]
    fn place_and_topic() {
        assert_eq!(joined(Some("routing"), "params"), "Routing: params");
        assert_eq!(joined(Some("trie-router"), "TrieRouter"), "TrieRouter");
        assert_eq!(joined(None, "params"), "Params");
    }
}
