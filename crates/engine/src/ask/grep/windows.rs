//! Matches of a text, searched in windows with a look at the clock between them.
//!
//! Even linear time can be long: an expression of some megabytes costs thousands of steps a byte. So windows are smaller for
//! larger expressions. They overlap by half: only a match longer than that is lost, half of 256 KiB for ordinary
//! expressions.

use regex_automata::Input;
use regex_automata::meta::Regex;

use super::GrepQuery;

/// Steps of the slowest of the engines between two looks at the clock: tenths of a second.
const STEPS_PER_LOOK: usize = 1 << 27;
/// Bytes of a compiled expression that stand for one state.
const STATE_BYTES: usize = 32;
const MIN_WINDOW: usize = 4 * 1024;
const MAX_WINDOW: usize = 256 * 1024;

/// Looks at the clock after so many steps.
pub(super) struct Timer<'a> {
    clock: Option<&'a dyn Fn() -> f64>,
    end: f64,
    /// What a byte may cost.
    steps_per_byte: usize,
    steps: usize,
    /// The time is up; stays so.
    pub(super) is_over: bool,
}

impl<'a> Timer<'a> {
    pub(super) fn new(query: &GrepQuery<'a>, regex: &Regex) -> Self {
        Self {
            clock: query.clock,
            end: query.clock.map_or(0.0, |now| now() + query.max_millis),
            steps_per_byte: (regex.memory_usage() / STATE_BYTES).max(1),
            steps: 0,
            is_over: false,
        }
    }

    /// Bytes that may be searched between two looks.
    fn window(&self) -> usize {
        (STEPS_PER_LOOK / self.steps_per_byte).clamp(MIN_WINDOW, MAX_WINDOW)
    }

    /// Counts searched bytes. Whether the time is up.
    fn spend(&mut self, n_bytes: usize) -> bool {
        self.steps = self
            .steps
            .saturating_add((n_bytes + 64).saturating_mul(self.steps_per_byte));
        if self.steps >= STEPS_PER_LOOK {
            self.steps = 0;
            self.is_over |= self.clock.is_some_and(|now| now() > self.end);
        }
        self.is_over
    }
}

/// Matches of one text, one after another, window by window.
pub(super) struct Finder<'a, 't> {
    regex: &'a Regex,
    pub(super) text: &'a str,
    timer: &'a mut Timer<'t>,
    window: usize,
    at: usize,
    /// Found, and not yet wanted.
    pub(super) pending: Option<(usize, usize)>,
}

impl<'a, 't> Finder<'a, 't> {
    pub(super) fn new(regex: &'a Regex, text: &'a str, timer: &'a mut Timer<'t>) -> Self {
        Self {
            window: timer.window(),
            regex,
            text,
            timer,
            at: 0,
            pending: None,
        }
    }

    /// The next match that is not empty; none at the end of the text or of the time.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        if let Some(found) = self.pending.take() {
            return Some(found);
        }
        while self.at < self.text.len() {
            let end = self.text.floor_char_boundary(self.at + self.window);
            let is_last = end == self.text.len();
            let input = Input::new(self.text).range(self.at..end);
            let found = self.regex.find(input).map(|found| found.range());
            let middle = self.text.ceil_char_boundary(self.at + self.window / 2);
            let n_searched = found.as_ref().map_or(end, |found| found.end) - self.at;
            if self.timer.spend(n_searched) {
                return None;
            }
            match found {
                Some(found) if is_last || found.start < middle => {
                    if !found.is_empty() {
                        self.at = found.end;
                        return Some((found.start, found.end));
                    }
                    self.at = self.text.ceil_char_boundary(found.end + 1);
                }
                // What begins behind the middle may go on behind the window.
                Some(_) => self.at = middle,
                None if is_last => return None,
                None => self.at = middle,
            }
        }
        None
    }

    /// Passes over what starts before `offset`.
    pub(super) fn skip_to(&mut self, offset: usize) {
        if self.pending.is_none() {
            self.at = self.at.max(offset);
        }
    }
}
