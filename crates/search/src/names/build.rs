//! Builds the flat form: from names in order, from names in any order, or from the last index and what changed.

use syntax::order::InOrder;

use super::{ArchivedNames, Names, letters_of};

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
    /// A map would take several times the memory of the names themselves.
    names: Vec<Added>,
}

#[derive(Debug, Clone)]
struct Added {
    name: String,
    /// In lower case, where that is more than ASCII: sorting would fold such a name at each comparison.
    folded: Option<Box<str>>,
    payload: u32,
}

impl Added {
    /// The bytes of the name in lower case.
    fn letters(&self) -> impl Iterator<Item = u8> {
        let letters = self.folded.as_deref().unwrap_or(&self.name);
        letters.bytes().map(|byte| byte.to_ascii_lowercase())
    }

    /// The name in lower case, and as it is spelt.
    fn spelt(self) -> (String, String) {
        let folded = self.folded.map(String::from);
        (
            folded.unwrap_or_else(|| self.name.to_ascii_lowercase()),
            self.name,
        )
    }
}

impl NamesBuilder {
    /// No names yet.
    #[must_use]
    pub fn new() -> NamesBuilder {
        NamesBuilder::default()
    }

    /// Adds a name with a payload. A name may have several payloads.
    pub fn add(&mut self, name: String, payload: u32) {
        if !name.is_empty() {
            let folded = (!name.is_ascii()).then(|| name.to_lowercase().into());
            self.names.push(Added {
                name,
                folded,
                payload,
            });
        }
    }

    /// The flat form.
    #[must_use]
    pub fn build(self) -> Names {
        let n_bytes = self.names.iter().map(|added| added.name.len()).sum();
        let mut names = Names {
            text: String::with_capacity(n_bytes),
            folded: String::with_capacity(n_bytes),
            payloads: Vec::with_capacity(self.names.len()),
            ..Names::default()
        };
        for (folded, name, payloads) in self.in_order() {
            names.push(&folded, &name, payloads);
        }
        names.finish()
    }

    /// Each name once, folded and as it is spelt, with its payloads.
    fn in_order(mut self) -> impl Iterator<Item = (String, String, Vec<u32>)> {
        // In lower case, then as they are spelt.
        self.names.order_by(|a, b| {
            let folded = a.letters().cmp(b.letters());
            folded.then_with(|| a.name.cmp(&b.name))
        });
        let mut names = self.names.into_iter().peekable();
        std::iter::from_fn(move || {
            let first = names.next()?;
            let mut payloads = vec![first.payload];
            while let Some(more) = names.next_if(|next| next.name == first.name) {
                payloads.push(more.payload);
            }
            let (folded, name) = first.spelt();
            Some((folded, name, payloads))
        })
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
        let mut added = added.in_order().peekable();
        for idx in 0..last.len() {
            let (folded, name) = (last.folded_name(idx), last.name(idx));
            while let Some((new_folded, new_name, payloads)) =
                added.next_if(|(a, b, _)| (a.as_str(), b.as_str()) < (folded, name))
            {
                names.push(&new_folded, &new_name, payloads);
            }
            let kept = last.payloads_of(idx).iter();
            let mut payloads: Vec<u32> = kept.filter_map(|p| number(p.to_native())).collect();
            if let Some((.., more)) =
                added.next_if(|(a, b, _)| (a.as_str(), b.as_str()) == (folded, name))
            {
                payloads.extend(more);
            }
            names.push(folded, name, payloads);
        }
        for (folded, name, payloads) in added {
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
        payloads.order_by(Ord::cmp);
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
