//! Symbol names, found though misspelt: exact, by case, by prefix, by substring, by edit distance.

mod edits;

use std::collections::BTreeMap;

use rkyv::rend::u32_le;
use rkyv::{Archive, Deserialize, Serialize};

use crate::csr::{FrozenError, check_csr, csr, ensure};

use edits::{EditTable, Read};

/// Kinds of matches of a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchKind {
    /// The same.
    Exact,
    /// The same but for upper and lower case.
    Case,
    /// Starts with the query, disregarding case.
    Prefix,
    /// Contains the query, disregarding case.
    Substring,
    /// This many letters (1 or 2) inserted, deleted, replaced or swapped.
    Edit(u8),
}

/// Distinct names in lower-case order with their payloads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Names {
    /// All names as written, one after the other, ordered by their lower-case form, then as written.
    pub text: String,
    /// The same in lower case.
    pub folded: String,
    /// Start of each name in `text`; one more at the end.
    pub starts: Vec<u32>,
    /// Start of each name in `folded`; one more at the end.
    pub folded_starts: Vec<u32>,
    /// A set of letters for each name, to skip most names quickly.
    pub letters: Vec<u32>,
    /// Start of each name's entries in `payloads`; one more at the end.
    pub payload_starts: Vec<u32>,
    /// The payloads of the names, rising within a name.
    pub payloads: Vec<u32>,
}

impl Names {
    /// Builds the index from names in order, with their payloads.
    #[must_use]
    pub fn of(spelt: &[&str], payload_starts: Vec<u32>, payloads: Vec<u32>) -> Names {
        let mut names = Names {
            payload_starts,
            payloads,
            ..Names::default()
        };
        for name in spelt {
            names.starts.push(names.text.len() as u32);
            let start = names.folded.len();
            names.folded_starts.push(start as u32);
            names.text.push_str(name);
            if name.is_ascii() {
                names.folded.push_str(name);
                names.folded[start..].make_ascii_lowercase();
            } else {
                names.folded.push_str(&name.to_lowercase());
            }
            names.letters.push(letters_of(&names.folded[start..]));
        }
        names.starts.push(names.text.len() as u32);
        names.folded_starts.push(names.folded.len() as u32);
        names
    }
}

/// Collects names in any order.
#[derive(Debug, Clone, Default)]
pub struct NamesBuilder {
    names: BTreeMap<(String, String), Vec<u32>>,
}

impl NamesBuilder {
    /// No names yet.
    #[must_use]
    pub fn new() -> NamesBuilder {
        NamesBuilder::default()
    }

    /// Adds a name with a payload. A name may have several payloads.
    pub fn add(&mut self, name: &str, payload: u32) {
        if !name.is_empty() {
            self.names
                .entry((name.to_lowercase(), name.to_owned()))
                .or_default()
                .push(payload);
        }
    }

    /// The flat form.
    #[must_use]
    pub fn build(self) -> Names {
        let mut names = Names::default();
        for ((folded, name), payloads) in self.names {
            names.push(&folded, &name, payloads);
        }
        names.finish()
    }
}

impl Names {
    /// Derives the next index from the last one: `number` maps a payload to its new number, none if it is removed, and
    /// keeps the order; `added` are the new names. Linear in all names, sorting only the new ones.
    #[must_use]
    pub fn updated(
        last: &ArchivedNames,
        number: impl Fn(u32) -> Option<u32>,
        added: NamesBuilder,
    ) -> Names {
        let mut names = Names {
            text: String::with_capacity(last.text.len()),
            folded: String::with_capacity(last.folded.len()),
            payloads: Vec::with_capacity(last.payloads.len()),
            ..Names::default()
        };
        let mut added = added.names.into_iter().peekable();
        for idx in 0..last.len() {
            let (folded, name) = (last.folded_name(idx), last.name(idx));
            while let Some(((new_folded, new_name), payloads)) =
                added.next_if(|((a, b), _)| (a.as_str(), b.as_str()) < (folded, name))
            {
                names.push(&new_folded, &new_name, payloads);
            }
            let kept = last.payloads_of(idx).iter();
            let mut payloads: Vec<u32> = kept.filter_map(|p| number(p.to_native())).collect();
            if let Some((_, more)) =
                added.next_if(|((a, b), _)| (a.as_str(), b.as_str()) == (folded, name))
            {
                payloads.extend(more);
            }
            names.push(folded, name, payloads);
        }
        for ((folded, name), payloads) in added {
            names.push(&folded, &name, payloads);
        }
        names.finish()
    }

    /// Adds the next name in order, if it has a payload.
    fn push(&mut self, folded: &str, name: &str, mut payloads: Vec<u32>) {
        if payloads.is_empty() {
            return;
        }
        self.starts.push(self.text.len() as u32);
        self.folded_starts.push(self.folded.len() as u32);
        self.payload_starts.push(self.payloads.len() as u32);
        self.letters.push(letters_of(folded));
        self.text.push_str(name);
        self.folded.push_str(folded);
        payloads.sort_unstable();
        payloads.dedup();
        self.payloads.append(&mut payloads);
    }

    fn finish(mut self) -> Names {
        self.starts.push(self.text.len() as u32);
        self.folded_starts.push(self.folded.len() as u32);
        self.payload_starts.push(self.payloads.len() as u32);
        self
    }
}

/// A bit for each letter and digit (digits share bits with rare letters).
fn letters_of(folded: &str) -> u32 {
    folded.bytes().fold(0, |bits, byte| bits | 1 << (byte & 31))
}

impl ArchivedNames {
    /// Number of distinct names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns true if there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Returns the payloads of the names similar to `query`, at most `limit`: best match first, then shorter names,
    /// then in order. Edits are considered only if nothing matches better, one for names of at least 4 letters, two
    /// from 8. One pass over one number per name; names are compared only if their letters fit, or (edits) their prefix
    /// does.
    #[must_use]
    pub fn lookup(&self, query: &str, limit: usize) -> Vec<(u32, MatchKind)> {
        let matches = self.ranked(query, limit).into_iter();
        let payloads = matches.flat_map(|(kind, idx)| {
            self.payloads_of(idx)
                .iter()
                .map(move |payload| (payload.to_native(), kind))
        });
        payloads.take(limit).collect()
    }

    /// The names near to `query` themselves, as [`ArchivedNames::lookup`] orders them.
    #[must_use]
    pub fn near_names(&self, query: &str, limit: usize) -> Vec<(&str, MatchKind)> {
        let matches = self.ranked(query, limit).into_iter();
        matches
            .take(limit)
            .map(|(kind, idx)| (self.name(idx), kind))
            .collect()
    }

    fn ranked(&self, query: &str, limit: usize) -> Vec<(MatchKind, usize)> {
        let folded = query.to_lowercase();
        if folded.is_empty() || limit == 0 {
            return Vec::new();
        }
        let mut matches = self.matches(query, &folded);
        if matches.is_empty() {
            matches = self.near(&folded);
        }
        let order = |&(kind, idx): &(MatchKind, usize)| (kind, self.folded_name(idx).len(), idx);
        if matches.len() > limit {
            matches.select_nth_unstable_by_key(limit - 1, order);
            matches.truncate(limit);
        }
        matches.sort_unstable_by_key(order);
        matches
    }

    /// Returns the payloads of the names spelt exactly like `query`.
    #[must_use]
    pub fn exact(&self, query: &str) -> Vec<u32> {
        let folded = query.to_lowercase();
        self.range_of(&folded)
            .take_while(|&idx| self.folded_name(idx) == folded)
            .filter(|&idx| self.name(idx) == query)
            .flat_map(|idx| {
                self.payloads_of(idx)
                    .iter()
                    .map(|payload| payload.to_native())
            })
            .collect()
    }

    fn matches(&self, query: &str, folded: &str) -> Vec<(MatchKind, usize)> {
        let wanted = letters_of(folded);
        let candidates = self
            .letters
            .iter()
            .enumerate()
            .filter(|(_, letters)| letters.to_native() & wanted == wanted);
        candidates
            .filter_map(|(idx, _)| Some((self.match_of(idx, query, folded)?, idx)))
            .collect()
    }

    fn match_of(&self, idx: usize, query: &str, folded: &str) -> Option<MatchKind> {
        let name = self.folded_name(idx);
        match name.find(folded)? {
            0 if name.len() == folded.len() && self.name(idx) == query => Some(MatchKind::Exact),
            0 if name.len() == folded.len() => Some(MatchKind::Case),
            0 => Some(MatchKind::Prefix),
            _ => Some(MatchKind::Substring),
        }
    }

    /// Names a few edits away. Names come in order, so neighbours share their beginning and its rows of the table of edits; a
    /// beginning that is already too far off rules out all names that begin so.
    fn near(&self, folded: &str) -> Vec<(MatchKind, usize)> {
        let query: Vec<char> = folded.chars().collect();
        let max_edits = match query.len() {
            0..4 => return Vec::new(),
            4..8 => 1,
            _ => 2,
        };
        let mut table = EditTable::new(&query);
        let mut near = Vec::new();
        let mut idx = 0;
        while idx < self.len() {
            let name = self.folded_name(idx);
            match table.read(name, max_edits) {
                Read::Whole(edits) => {
                    if (1..=max_edits).contains(&edits) {
                        near.push((MatchKind::Edit(edits as u8), idx));
                    }
                    idx += 1;
                }
                Read::TooFar(n_bytes) => {
                    idx = self.end_of_prefix(idx, name.get(..n_bytes).unwrap_or(name))
                }
            }
        }
        near
    }

    /// The first name after `idx`, which starts with `prefix`, that does not.
    fn end_of_prefix(&self, idx: usize, prefix: &str) -> usize {
        let has_it = |idx: usize| idx < self.len() && self.folded_name(idx).starts_with(prefix);
        let mut step = 1;
        while has_it(idx + step) {
            step *= 2;
        }
        let (mut low, mut high) = (idx + step / 2, idx + step);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if has_it(middle) {
                low = middle
            } else {
                high = middle
            }
        }
        high.max(idx + 1).min(self.len())
    }

    /// Names from the first one that is not below `folded`.
    fn range_of(&self, folded: &str) -> impl Iterator<Item = usize> + use<> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.folded_name(middle) < folded {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low..self.len()
    }

    fn name(&self, idx: usize) -> &str {
        piece(&self.text, &self.starts, idx)
    }

    fn folded_name(&self, idx: usize) -> &str {
        piece(&self.folded, &self.folded_starts, idx)
    }

    fn payloads_of(&self, idx: usize) -> &[u32_le] {
        csr(&self.payload_starts, &self.payloads, idx)
    }

    /// Checks that the arrays are consistent. Linear; done once when a snapshot is opened.
    ///
    /// # Errors
    /// Names the array that does not.
    pub fn validate(&self) -> Result<(), FrozenError> {
        check_csr(&self.starts, self.len(), self.text.len(), "names")?;
        check_csr(&self.folded_starts, self.len(), self.folded.len(), "names")?;
        check_csr(
            &self.payload_starts,
            self.len(),
            self.payloads.len(),
            "names",
        )?;
        let on_characters = |text: &str, starts: &[u32_le]| {
            starts
                .iter()
                .all(|start| text.is_char_boundary(start.to_native() as usize))
        };
        ensure(
            on_characters(&self.text, &self.starts)
                && on_characters(&self.folded, &self.folded_starts),
            "names",
            "cut within a character",
        )
    }
}

fn piece<'a>(text: &'a str, starts: &[u32_le], idx: usize) -> &'a str {
    let at = |idx: usize| {
        starts
            .get(idx)
            .map_or(0, |start| start.to_native() as usize)
    };
    text.get(at(idx)..at(idx + 1)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const NAMES: [&str; 9] = [
        "Router",
        "router",
        "RouterBuilder",
        "add",
        "add_route",
        "HandlerStack",
        "größe",
        "serialize",
        "deserialize",
    ];

    fn with_names<T>(check: impl FnOnce(&ArchivedNames) -> T) -> T {
        let mut builder = NamesBuilder::new();
        for (payload, name) in NAMES.iter().enumerate() {
            builder.add(name, payload as u32);
        }
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build()).unwrap();
        let names = rkyv::access::<ArchivedNames, rkyv::rancor::Error>(&bytes).unwrap();
        names.validate().unwrap();
        check(names)
    }

    fn check(query: &str, expected: Expect) {
        let found = with_names(|names| names.lookup(query, 10));
        let shown: Vec<String> = found
            .iter()
            .map(|&(payload, kind)| format!("{} {kind:?}", NAMES[payload as usize]))
            .collect();
        expected.assert_eq(&shown.join(", "));
    }

    #[test]
    fn best_match_first() {
        check(
            "router",
            expect!["router Exact, Router Case, RouterBuilder Prefix"],
        );
        check(
            "rout",
            expect!["Router Prefix, router Prefix, RouterBuilder Prefix, add_route Substring"],
        );
        check(
            "serialize",
            expect!["serialize Exact, deserialize Substring"],
        );
        check("GRÖSSE", expect![""]);
        check("GRÖßE", expect!["größe Case"]);
        check("", expect![""]);
    }

    #[test]
    fn misspelt_names() {
        check("ruoter", expect!["Router Edit(1), router Edit(1)"]);
        check("HandlrStakc", expect!["HandlerStack Edit(2)"]);
        check("adx", expect![""]);
    }

    #[test]
    fn exact_spelling_only() {
        assert_eq!(with_names(|names| names.exact("Router")), [0]);
        assert_eq!(with_names(|names| names.exact("ROUTER")), [] as [u32; 0]);
    }

    /// Edits by the whole table, one name at a time.
    fn edits(one: &str, other: &str) -> u32 {
        let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        let mut table = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = match (i, j) {
                    (0, n) | (n, 0) => n as u32,
                    _ => (table[i - 1][j - 1] + u32::from(a[i - 1] != b[j - 1]))
                        .min(table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1),
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    proptest::proptest! {
        #[test]
        fn near_names_are_those_a_few_edits_away(names in proptest::collection::btree_set("[abc]{1,10}", 1..40), query in "[abc]{4,10}") {
            let mut builder = NamesBuilder::new();
            names.iter().for_each(|name| builder.add(name, 0));
            let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build()).unwrap();
            let archived = rkyv::access::<ArchivedNames, rkyv::rancor::Error>(&bytes).unwrap();
            let most = if query.len() < 8 { 1 } else { 2 };
            let found: Vec<&str> = archived.near(&query).iter().map(|&(_, idx)| archived.name(idx)).collect();
            let wanted: Vec<&String> = names.iter().filter(|name| (1..=most).contains(&edits(&query, name))).collect();
            proptest::prop_assert_eq!(found, wanted);
        }
    }
}
