//! Size limits of answers. Every tool that lists things counts the bytes of its JSON, so that no answer floods its
//! client; the rest is counted and available with an offset.

use std::io::{self, Write};

use engine::{Error, ErrorKind};
use serde::Serialize;

use super::limit;
use crate::Page;
use crate::paging::Paged;

/// Bytes of JSON that the lists of an answer may have where the request says nothing: what a person or a model reads at once.
pub const DEFAULT_BYTES: u32 = 32 * 1024;
const LEAST_BYTES: u32 = 256;
const MOST_BYTES: u32 = 256 << 20;

/// The remaining size of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    left: usize,
}

impl Budget {
    /// The size that the request allows, `otherwise` where it says nothing.
    ///
    /// # Errors
    ///
    /// `query.invalid` for a size out of bounds.
    pub fn new(max_bytes: Option<u32>, otherwise: u32) -> Result<Self, Error> {
        let bytes = max_bytes.unwrap_or(otherwise);
        if !(LEAST_BYTES..=MOST_BYTES).contains(&bytes) {
            let message = format!("max_bytes is {bytes}; it can be {LEAST_BYTES} to {MOST_BYTES}");
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        Ok(Self {
            left: bytes as usize,
        })
    }

    /// Bytes of JSON that there is still room for.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Returns true and subtracts the item's size if it still fits. Linear in its JSON.
    pub fn admits<T: Serialize>(&mut self, item: &T) -> bool {
        let mut counter = Counter(0);
        let n_bytes = match serde_json::to_writer(&mut counter, item) {
            Ok(()) => counter.0 + 1,
            Err(_) => usize::MAX,
        };
        match self.left.checked_sub(n_bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }

    /// The items from `offset` on that fit, at most `limit`. The first is always taken, so that paging gets on.
    pub fn page<I, T: Serialize>(
        &mut self,
        items: impl ExactSizeIterator<Item = I>,
        offset: usize,
        limit: usize,
        mut convert: impl FnMut(I) -> T,
    ) -> (Vec<T>, Page) {
        let total = items.len();
        let mut page = Vec::new();
        for item in items.skip(offset).take(limit) {
            let item = convert(item);
            if !self.admits(&item) && !page.is_empty() {
                break;
            }
            page.push(item);
        }
        let truncated = offset.saturating_add(page.len()) < total;
        (
            page,
            Page {
                total: total as u32,
                offset: offset as u32,
                truncated,
            },
        )
    }
}

/// The pages of the lists of an answer: they share the request's limit, offset and size.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// The remaining size.
    pub budget: Budget,
    offset: usize,
    limit: usize,
}

impl Paging {
    /// As the request says; `otherwise` items where it gives no limit, which can be `most`.
    ///
    /// # Errors
    ///
    /// `query.invalid` for a size or a limit out of bounds.
    pub(crate) fn new(request: &impl Paged, otherwise: u32, most: u32) -> Result<Self, Error> {
        let budget = Budget::new(request.max_bytes(), DEFAULT_BYTES)?;
        Self::within(budget, request, otherwise, most)
    }

    /// Likewise, within a size of its own.
    pub(crate) fn within(
        budget: Budget,
        request: &impl Paged,
        otherwise: u32,
        most: u32,
    ) -> Result<Self, Error> {
        Ok(Self {
            budget,
            offset: request.offset(),
            limit: limit(request.limit(), otherwise, most)?,
        })
    }

    /// The page of a list: see [`Budget::page`].
    pub fn list<I, T: Serialize>(
        &mut self,
        items: impl ExactSizeIterator<Item = I>,
        convert: impl FnMut(I) -> T,
    ) -> (Vec<T>, Page) {
        self.budget.page(items, self.offset, self.limit, convert)
    }

    /// Number of items up to the end of the page.
    #[must_use]
    pub fn end(&self) -> usize {
        self.offset.saturating_add(self.limit)
    }
}

/// Counts what is written.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(max_bytes: u32, offset: usize, limit: usize) -> (Vec<u32>, Page) {
        let mut budget = Budget::new(Some(max_bytes), 1).unwrap();
        // Ten bytes each, and a comma.
        budget.page((0..100u32).map(|n| 1_000_000_000 + n), offset, limit, |n| n)
    }

    #[test]
    fn lists_end_at_the_limit_or_at_the_size() {
        let (items, paged) = page(100_000, 90, 5);
        assert_eq!((items.len(), paged.total, paged.truncated), (5, 100, true));
        let (items, paged) = page(100_000, 90, 50);
        assert_eq!(
            (items.len(), paged.offset, paged.truncated),
            (10, 90, false)
        );
        let (items, paged) = page(256, 0, 100);
        assert_eq!((items.len(), paged.truncated), (23, true));
        assert!(page(1000, 100, 5).0.is_empty());
        assert_eq!(Budget::new(Some(3), 1).unwrap_err().code(), "query.invalid");
    }

    #[test]
    fn one_item_fits_always() {
        let mut budget = Budget::new(Some(256), 1).unwrap();
        let long = ["x".repeat(1000), "y".repeat(1000)];
        let (items, paged) = budget.page(long.iter(), 0, 9, |text| text.clone());
        assert_eq!((items.len(), paged.truncated), (1, true));
    }

    /// The cases by which the MCP server cuts the lists that it makes itself.
    #[test]
    fn pages_end_where_those_of_the_mcp_server_do() {
        let cases = include_str!("../../../../tests/pages.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(cases).unwrap();
        assert!(!cases.is_empty());
        for case in cases {
            let max_bytes = case["max_bytes"].as_u64().map(|bytes| bytes as u32);
            let items = case["items"].as_array().unwrap();
            let mut budget = Budget::new(max_bytes, 1).unwrap();
            let (page, _) = budget.page(items.iter(), 0, usize::MAX, |item| item);
            assert_eq!(Some(page.len() as u64), case["fit"].as_u64(), "{case}");
        }
    }
}
