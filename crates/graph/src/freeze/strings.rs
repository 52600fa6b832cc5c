//! Strings that nodes share, and the order of their names.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::frozen::Strings;
use crate::layout::Layout;

/// Interned strings, borrowed from the facts where possible.
pub(super) struct StringTable<'a> {
    pub strings: Strings,
    known: FxHashMap<Cow<'a, str>, u32>,
}

impl<'a> StringTable<'a> {
    /// An empty table with room for `n_strings` strings.
    pub fn new(n_strings: usize) -> Self {
        let mut table = StringTable {
            strings: Strings {
                text: String::new(),
                offsets: vec![0],
            },
            known: FxHashMap::with_capacity_and_hasher(n_strings, Default::default()),
        };
        table.add(Cow::Borrowed(""));
        table
    }

    pub fn add(&mut self, text: Cow<'a, str>) -> u32 {
        match self.known.entry(text) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.strings.offsets.len() as u32 - 1;
                self.strings.text.push_str(new.key());
                self.strings.offsets.push(self.strings.text.len() as u32);
                *new.insert(id)
            }
        }
    }
}

/// The symbols sorted by name, then by node. The first bytes, compared as a number, distinguish most names faster than
/// a comparison of texts.
pub(super) fn by_name(layout: &Layout<'_>) -> Vec<u32> {
    let mut order: Vec<(u64, &str, u32)> = (layout.first_symbol()..)
        .zip(layout.symbols())
        .map(|(node, (_, symbol))| (first_bytes(&symbol.name), symbol.name.as_str(), node))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, node)| node).collect()
}

/// The first bytes of a text as a number, in the same order as the texts.
fn first_bytes(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn first_bytes_are_in_the_order_of_texts(a in "[a\\x00b\u{ff}]{0,12}", b in "[a\\x00b\u{ff}]{0,12}") {
            let by_bytes = (first_bytes(&a), &a).cmp(&(first_bytes(&b), &b));
            prop_assert_eq!(by_bytes, a.cmp(&b));
        }
    }
}
