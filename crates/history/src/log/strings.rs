//! Strings one after another.

use rkyv::{Archive, Deserialize, Serialize};

/// Strings in one text, with the end of each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a string; an empty one beyond the last.
    pub fn get(&self, nth: usize) -> &str {
        let start = match nth.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let end = self.ends.get(nth).copied().unwrap_or(start);
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// Adds a string.
    pub fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
    }

    /// Returns all strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|nth| self.get(nth))
    }

    /// Returns the place of a string where they are in order.
    pub fn find(&self, string: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.get(middle).cmp(string) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// Whether the ends are in order, within the text, and between characters.
    pub fn is_whole(&self) -> bool {
        let ends = self.ends.iter().map(|end| *end as usize);
        self.ends.is_sorted()
            && self.ends.last().map_or(0, |end| *end as usize) == self.text.len()
            && ends.into_iter().all(|end| self.text.is_char_boundary(end))
    }
}

impl<'a> FromIterator<&'a str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'a str>>(strings: I) -> Self {
        let mut all = Self::default();
        strings.into_iter().for_each(|string| all.push(string));
        all
    }
}
