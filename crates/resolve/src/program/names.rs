//! Names as small numbers: every declared name is hashed once, then compared as a `u32`.

use rustc_hash::FxHashMap;

/// A name that is declared, imported or bound somewhere in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(pub u32);

/// All such names. A name that is not here cannot be resolved.
#[derive(Default)]
pub(crate) struct Names<'a> {
    ids: FxHashMap<&'a str, Name>,
}

impl<'a> Names<'a> {
    /// An empty table with room for `n_names` names.
    pub fn with_capacity(n_names: usize) -> Self {
        Names {
            ids: FxHashMap::with_capacity_and_hasher(n_names, Default::default()),
        }
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn intern(&mut self, text: &'a str) -> Name {
        let next = Name(self.ids.len() as u32);
        *self.ids.entry(text).or_insert(next)
    }

    pub fn get(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }
}
