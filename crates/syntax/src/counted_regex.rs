//! Regular expressions whose search is charged to a [`Budget`].
//!
//! A lazy DFA passes each byte once. Where it would need ever new states, or cannot decide (`\b` beside letters that are
//! not ASCII), a simulation of the NFA takes over. Both are charged by what they do: the same pattern over the same texts
//! costs the same steps on every machine.
//!
//! ```
//! use portolan_syntax::{Allowance, Budget, CountedRegex, RegexConfig};
//!
//! let regex = CountedRegex::new(r"f\w+", &RegexConfig::default()).unwrap();
//! let budget = Budget::<fn() -> f64>::new(Allowance::steps(1_000_000), None);
//! let found = regex.find(&mut regex.cache(), "a foo", 0..5, &budget);
//! assert_eq!(found, Ok(Some(2..5)));
//! ```

use std::ops::Range;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::hybrid::{self, regex as both};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};

use crate::{Budget, Spent};

/// Bytes of the DFA's states, forwards and backwards each.
const CACHE: usize = 1 << 20;
/// The states are thrown away so often before a search asks whether that pays.
const MIN_CLEARED: usize = 3;
/// It does not where a state serves fewer bytes than these.
const MIN_BYTES_PER_STATE: usize = 10;
/// Bytes that the DFA passes in one step.
const BYTES_PER_STEP: usize = 8;
/// States of the NFA that are tried in one step.
const STATES_PER_STEP: usize = 16;
/// Bytes that a search counts for beside those that it passes.
const BYTES_PER_SEARCH: usize = 64;

/// How a pattern is read.
#[derive(Debug, Clone, Copy)]
pub struct RegexConfig {
    /// Upper and lower case are the same.
    pub ignore_case: bool,
    /// `^` and `$` are the ends of lines, also of those that end with CR and LF.
    pub lines: bool,
    /// Longer patterns are refused, in bytes. Each class of letters takes kilobytes before anything is compiled.
    pub max_pattern: usize,
    /// The largest size that a pattern may compile to, in bytes.
    pub max_compiled: usize,
}

impl Default for RegexConfig {
    fn default() -> Self {
        RegexConfig {
            ignore_case: false,
            lines: false,
            max_pattern: 16 * 1024,
            max_compiled: 256 * 1024,
        }
    }
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegexError {
    /// It is longer than this number of bytes.
    Long(usize),
    /// It compiles to more than this number of bytes.
    Large(usize),
    /// It cannot be read; the message draws the place.
    Syntax(String),
}

/// A compiled pattern, in the syntax of the `regex` crate.
#[derive(Debug)]
pub struct CountedRegex {
    lazy: both::Regex,
    slow: PikeVM,
    n_states: usize,
}

/// Working memory that a search keeps for the next one.
#[derive(Debug)]
pub struct RegexCache {
    lazy: both::Cache,
    slow: Option<pikevm::Cache>,
}

impl CountedRegex {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or is too large.
    pub fn new(pattern: &str, config: &RegexConfig) -> Result<Self, RegexError> {
        if pattern.len() > config.max_pattern {
            return Err(RegexError::Long(config.max_pattern));
        }
        let syntax = syntax::Config::new()
            .case_insensitive(config.ignore_case)
            .multi_line(config.lines)
            .crlf(config.lines);
        let hir = syntax::parse_with(pattern, &syntax)
            .map_err(|error| RegexError::Syntax(error.to_string()))?;
        let refuse =
            |error: &(dyn std::error::Error + 'static)| unusable(error, config.max_compiled);
        let build = |config: Config| {
            let mut compiler = Compiler::new();
            let built = compiler.configure(config).build_from_hir(&hir);
            built.map_err(|error| refuse(&error))
        };
        let limited = Config::new().nfa_size_limit(Some(config.max_compiled));
        let implicit = limited.clone().which_captures(WhichCaptures::Implicit);
        let forward = build(implicit)?;
        let backward = limited.reverse(true).which_captures(WhichCaptures::None);
        let backward = build(backward)?;
        let first = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, &hir);
        let slow = PikeVM::builder()
            .configure(PikeVM::config().prefilter(first.clone()))
            .build_from_nfa(forward.clone())
            .map_err(|error| refuse(&error))?;
        let n_states = forward.states().len();
        let lazy = |nfa, config| lazy_dfa(nfa, config).map_err(|error| refuse(&*error));
        let ahead = lazy(forward, DFA::config().prefilter(first))?;
        let back = lazy(backward, DFA::config().match_kind(MatchKind::All))?;
        Ok(CountedRegex {
            lazy: both::Regex::builder().build_from_dfas(ahead, back),
            slow,
            n_states,
        })
    }

    /// An empty cache for this pattern.
    #[must_use]
    pub fn cache(&self) -> RegexCache {
        RegexCache {
            lazy: self.lazy.create_cache(),
            slow: None,
        }
    }

    /// States of the pattern: how much a byte costs at most.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The first match in `range`; what is around it counts for `^` and `\b`. A search is charged when it is done: it is the
    /// caller who bounds the range.
    ///
    /// # Errors
    ///
    /// The part of the budget that is used up.
    pub fn find<C: Fn() -> f64>(
        &self,
        cache: &mut RegexCache,
        text: &str,
        range: Range<usize>,
        budget: &Budget<C>,
    ) -> Result<Option<Range<usize>>, Spent> {
        let n_bytes = range.len();
        let input = Input::new(text).range(range);
        let before = Work::of(&cache.lazy);
        let found = self.lazy.try_search(&mut cache.lazy, &input);
        let after = Work::of(&cache.lazy);
        for (before, after) in before.into_iter().zip(after) {
            budget.step(self.charge(before, after, n_bytes))?;
        }
        match found {
            Ok(found) => Ok(found.map(|found| found.range())),
            Err(_) => {
                // It may look behind the match that it finds, and does not say how far.
                budget.step(self.tried(n_bytes))?;
                Ok(self.find_slowly(cache, &input))
            }
        }
    }

    fn find_slowly(&self, cache: &mut RegexCache, input: &Input<'_>) -> Option<Range<usize>> {
        let slow = cache.slow.get_or_insert_with(|| self.slow.create_cache());
        let mut slots = [None, None];
        self.slow.search_slots(slow, input, &mut slots)?;
        let [start, end] = slots;
        Some(start?.get()..end?.get())
    }

    /// Whether a text has a match.
    ///
    /// # Errors
    ///
    /// The part of the budget that is used up.
    pub fn is_match<C: Fn() -> f64>(
        &self,
        cache: &mut RegexCache,
        text: &str,
        budget: &Budget<C>,
    ) -> Result<bool, Spent> {
        let found = self.find(cache, text, 0..text.len(), budget)?;
        Ok(found.is_some())
    }

    /// Steps of one search: the bytes that were passed, and the new transitions, each of which the NFA was asked for.
    fn charge(&self, before: Work, after: Work, n_bytes: usize) -> u64 {
        let is_cleared = before.n_clears != after.n_clears;
        let (n_passed, n_new) = if is_cleared {
            (n_bytes, n_bytes)
        } else {
            let n_passed = after.n_passed.wrapping_sub(before.n_passed);
            // Transitions of a state are charged when it is made, taken or not.
            let n_new = after.n_transitions.saturating_sub(before.n_transitions);
            (n_passed, n_new.min(n_passed))
        };
        let n_passed = n_passed.saturating_add(BYTES_PER_SEARCH);
        (n_passed / BYTES_PER_STEP) as u64 + self.tried(n_new)
    }

    /// Steps of trying all states of the pattern at `n_bytes` bytes.
    fn tried(&self, n_bytes: usize) -> u64 {
        (n_bytes.saturating_mul(self.n_states) / STATES_PER_STEP) as u64
    }
}

/// Work of a DFA since its cache was made.
#[derive(Clone, Copy)]
struct Work {
    /// Bytes passed since the states were thrown away.
    n_passed: usize,
    n_clears: usize,
    n_transitions: usize,
}

impl Work {
    /// Work of both DFAs, forwards and backwards.
    fn of(cache: &both::Cache) -> [Work; 2] {
        let (ahead, back) = cache.as_parts();
        [ahead, back].map(|cache| Work {
            n_passed: cache.search_total_len(),
            n_clears: cache.clear_count(),
            n_transitions: cache.memory_usage() / size_of::<u32>(),
        })
    }
}

fn unusable(error: &(dyn std::error::Error + 'static), max_compiled: usize) -> RegexError {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let built = error.downcast_ref::<BuildError>();
        if built.is_some_and(|error| error.size_limit().is_some()) {
            return RegexError::Large(max_compiled);
        }
        cause = error.source();
    }
    RegexError::Syntax(error.to_string())
}

fn lazy_dfa(nfa: NFA, config: dfa::Config) -> Result<DFA, Box<hybrid::BuildError>> {
    let config = config
        .unicode_word_boundary(true)
        .cache_capacity(CACHE)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(MIN_CLEARED))
        .minimum_bytes_per_state(Some(MIN_BYTES_PER_STATE));
    let built = DFA::builder().configure(config).build_from_nfa(nfa);
    built.map_err(Box::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;

    fn budget(steps: u64) -> Budget<fn() -> f64> {
        Budget::new(Allowance::steps(steps), None)
    }

    /// All matches of a pattern, and the steps that they cost.
    fn all(pattern: &str, text: &str, steps: u64) -> (Result<Vec<Range<usize>>, Spent>, u64) {
        let config = RegexConfig {
            lines: true,
            ..RegexConfig::default()
        };
        let regex = CountedRegex::new(pattern, &config).unwrap();
        let (mut cache, budget) = (regex.cache(), budget(steps));
        let (mut found, mut at) = (Vec::new(), 0);
        let result = loop {
            match regex.find(&mut cache, text, at..text.len(), &budget) {
                Ok(Some(range)) => {
                    at = range.end.max(at + 1);
                    found.push(range);
                }
                Ok(None) => break Ok(found),
                Err(spent) => break Err(spent),
            }
            if at > text.len() {
                break Ok(found);
            }
        };
        (result, budget.n_steps())
    }

    #[cfg(feature = "ingest")]
    #[test]
    fn finds_what_the_regex_crate_finds() {
        let text = "fn add(a) {\r\n  größe.Add(1); naïve_add\n}\nadd\n";
        for pattern in [
            "add",
            r"(?i)\badd\b",
            r"\b\w+\b",
            r"^\s*\}$",
            r"[^a]*?d{2}",
            "ö|ï",
            r"\w+$",
            "a|add",
            r"\Bdd",
        ] {
            let theirs = regex::RegexBuilder::new(pattern);
            let theirs = { theirs }.multi_line(true).crlf(true).build().unwrap();
            let theirs: Vec<_> = theirs.find_iter(text).map(|found| found.range()).collect();
            assert_eq!(all(pattern, text, 1_000_000).0, Ok(theirs), "{pattern}");
        }
    }

    #[test]
    fn an_ordinary_pattern_costs_what_the_text_is_long() {
        let text = "let number = compute(number, other);\n".repeat(30_000);
        for pattern in [
            "absent",
            r"\w+Error\b",
            r"^\s*(pub )?fn (\w+)",
            "[A-Z]{3,}_x",
        ] {
            let (found, steps) = all(pattern, &text, u64::MAX);
            assert_eq!(found, Ok(Vec::new()), "{pattern}");
            assert!(steps < text.len() as u64, "{pattern}: {steps} steps");
        }
    }

    /// Letters without a period: each piece of them is a state of its own to some patterns.
    fn letters(n: usize) -> String {
        let mut state = 1_u32;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { 'a' } else { 'b' }
        };
        std::iter::repeat_with(next).take(n).collect()
    }

    #[test]
    fn what_costs_more_than_its_text_ends_at_the_same_step() {
        let text = letters(300_000);
        for pattern in [r"(a|b)*a(a|b){18}c", r"(?s)a.*z|a", r"([ab]{1,40}){1,40}!"] {
            let first = all(pattern, &text, 200_000);
            assert_eq!(first.0, Err(Spent::Steps), "{pattern}");
            assert_eq!(first.1, all(pattern, &text, 200_000).1, "{pattern}");
        }
    }

    #[test]
    fn unusable_patterns_say_why() {
        let error = |pattern: &str| CountedRegex::new(pattern, &RegexConfig::default()).err();
        assert!(matches!(error("("), Some(RegexError::Syntax(message)) if message.contains('^')));
        assert_eq!(error(r"\w{5000}"), Some(RegexError::Large(256 * 1024)));
        assert_eq!(
            error(&"a".repeat(20_000)),
            Some(RegexError::Long(16 * 1024))
        );
    }
}
