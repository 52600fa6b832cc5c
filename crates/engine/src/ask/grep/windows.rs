//! Matches of a text, searched window by window, so that no search is expensive before it is charged.
//!
//! Even linear time can be long: an expression of some megabytes costs thousands of steps per byte. So windows are
//! smaller for larger expressions. They overlap by half: only a match longer than half a window is lost, which is 128
//! KiB for ordinary expressions.

use syntax::{Budget, CountedRegex, RegexCache};

/// Maximum number of states tried in one window.
const MAX_TRIED: usize = 1 << 27;
const MIN_WINDOW: usize = 4 * 1024;
const MAX_WINDOW: usize = 256 * 1024;

/// The clock of a request.
pub(super) type Clock<'a> = &'a dyn Fn() -> f64;

/// An expression, and the rest of the budget for all texts.
pub(super) struct Search<'a> {
    regex: CountedRegex,
    cache: RegexCache,
    pub(super) budget: Budget<Clock<'a>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(regex: CountedRegex, budget: Budget<Clock<'a>>) -> Self {
        Search {
            cache: regex.cache(),
            regex,
            budget,
        }
    }

    /// Size of a window, in bytes.
    fn window(&self) -> usize {
        (MAX_TRIED / self.regex.n_states().max(1)).clamp(MIN_WINDOW, MAX_WINDOW)
    }
}

/// Matches of one text, one after another, window by window.
pub(super) struct Finder<'a, 't> {
    search: &'a mut Search<'t>,
    pub(super) text: &'a str,
    window: usize,
    at: usize,
    /// A match that was found and not yet returned.
    pub(super) pending: Option<(usize, usize)>,
}

impl<'a, 't> Finder<'a, 't> {
    pub(super) fn new(search: &'a mut Search<'t>, text: &'a str) -> Self {
        Self {
            window: search.window(),
            search,
            text,
            at: 0,
            pending: None,
        }
    }

    /// Returns the next match that is not empty; `None` at the end of the text or of the budget.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        if let Some(found) = self.pending.take() {
            return Some(found);
        }
        while self.at < self.text.len() {
            let end = self.text.floor_char_boundary(self.at + self.window);
            let is_last = end == self.text.len();
            let Search {
                regex,
                cache,
                budget,
            } = &mut *self.search;
            let found = regex.find(cache, self.text, self.at..end, budget).ok()?;
            let middle = self.text.ceil_char_boundary(self.at + self.window / 2);
            match found {
                Some(found) if is_last || found.start < middle => {
                    if !found.is_empty() {
                        self.at = found.end;
                        return Some((found.start, found.end));
                    }
                    self.at = self.text.ceil_char_boundary(found.end + 1);
                }
                // A match that begins after the middle may continue beyond the window.
                Some(_) => self.at = middle,
                None if is_last => return None,
                None => self.at = middle,
            }
        }
        None
    }

    /// Skips everything that starts before `offset`.
    pub(super) fn skip_to(&mut self, offset: usize) {
        if self.pending.is_none() {
            self.at = self.at.max(offset);
        }
    }
}
