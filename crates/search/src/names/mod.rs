//! Symbol names, found though misspelt: exact, by case, by prefix, by substring, by edit distance.

mod build;
mod edits;
mod lookup;

use rkyv::rend::u32_le;
use rkyv::{Archive, Deserialize, Serialize};

use crate::csr::{FrozenError, check_csr, csr, ensure};

pub use build::NamesBuilder;

/// Kinds of matches of a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchKind {
    /// The same.
    Exact,
    /// The same except for upper and lower case.
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
    /// Estimated number of bytes of its archive: a little more than its columns.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.text.len()
            + self.folded.len()
            + 4 * (4 * self.letters.len() + self.payloads.len())
            + 4096
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
            builder.add((*name).to_owned(), payload as u32);
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
        fn names_are_in_order_of_their_lower_case(names in proptest::collection::vec("[aAbBσΣßİ_]{0,4}", 0..30)) {
            let mut builder = NamesBuilder::new();
            let mut expected = std::collections::BTreeMap::<_, Vec<u32>>::new();
            for (payload, name) in (0..).zip(&names).filter(|(_, name)| !name.is_empty()) {
                builder.add(name.clone(), payload);
                let key = (name.to_lowercase(), name.clone());
                expected.entry(key).or_default().push(payload);
            }
            let built = builder.build();
            let folded: String = expected.keys().map(|(folded, _)| folded.as_str()).collect();
            let text: String = expected.keys().map(|(_, name)| name.as_str()).collect();
            let payloads: Vec<u32> = expected.into_values().flatten().collect();
            proptest::prop_assert_eq!((built.folded, built.text, built.payloads), (folded, text, payloads));
        }

        #[test]
        fn near_names_are_those_a_few_edits_away(names in proptest::collection::btree_set("[abc]{1,10}", 1..40), query in "[abc]{4,10}") {
            let mut builder = NamesBuilder::new();
            names.iter().for_each(|name| builder.add(name.clone(), 0));
            let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build()).unwrap();
            let archived = rkyv::access::<ArchivedNames, rkyv::rancor::Error>(&bytes).unwrap();
            let most = if query.len() < 8 { 1 } else { 2 };
            let found: Vec<&str> = archived.near(&query).iter().map(|&(_, idx)| archived.name(idx)).collect();
            let wanted: Vec<&String> = names.iter().filter(|name| (1..=most).contains(&edits(&query, name))).collect();
            proptest::prop_assert_eq!(found, wanted);
        }
    }
}
