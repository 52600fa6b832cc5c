//! Names as small numbers: every declared name is hashed once, then compared as a `u32`.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A name that is declared, imported or bound somewhere in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(pub u32);

/// All such names, with their texts. A name that is not here cannot be resolved.
#[derive(Default)]
pub(crate) struct Names {
    numbers: HashTable<Name>,
    texts: Texts,
}

/// The texts of names, one after the other.
#[derive(Default)]
struct Texts {
    all: String,
    /// One past the last byte of each.
    ends: Vec<u32>,
}

impl Texts {
    fn of(&self, name: Name) -> &str {
        let at = name.0 as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let range = start.map_or(0, |start| *start as usize)
            ..self.ends.get(at).map_or(0, |end| *end as usize);
        self.all.get(range).unwrap_or("")
    }

    fn push(&mut self, text: &str) -> Name {
        let next = Name(self.ends.len() as u32);
        self.all.push_str(text);
        self.ends.push(self.all.len() as u32);
        next
    }
}

impl Names {
    /// An empty table with room for `n_names` names.
    pub fn with_capacity(n_names: usize) -> Self {
        Names {
            numbers: HashTable::with_capacity(n_names),
            texts: Texts {
                all: String::new(),
                ends: Vec::with_capacity(n_names),
            },
        }
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.texts.ends.len()
    }

    pub fn intern(&mut self, text: &str) -> Name {
        let Names { numbers, texts } = self;
        let own = hash(text);
        let is_same = |name: &Name| texts.of(*name) == text;
        if let Some(known) = numbers.find(own, is_same) {
            return *known;
        }
        let next = texts.push(text);
        numbers.insert_unique(own, next, |name| hash(texts.of(*name)));
        next
    }

    pub fn get(&self, text: &str) -> Option<Name> {
        let is_same = |name: &Name| self.texts.of(*name) == text;
        self.numbers.find(hash(text), is_same).copied()
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}
