//! The patterns of `=~`, run on a lazy DFA and nothing else: a text costs what its length says, and a pattern that
//! needs ever new states is given up instead of being searched the slow way.

use std::cell::RefCell;
use std::rc::Rc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, NFA, pikevm::PikeVM};
use regex_automata::{Anchored, Input, MatchErrorKind};

use super::cost::Context;
use super::error::Fault;

/// Longer patterns are refused, in bytes: each class of letters in one costs kilobytes before anything is compiled.
const MAX_PATTERN: usize = 4 * 1024;
/// Bytes that a pattern may compile to.
const MAX_COMPILED: usize = 256 * 1024;
/// Bytes of the states that are found while searching.
const CACHE: usize = 512 * 1024;
/// The states are thrown away so often before the search asks whether that pays.
const MIN_CLEARED: usize = 3;
/// It does not where a state serves fewer bytes than these.
const MIN_BYTES_PER_STATE: usize = 20;
/// Bytes that are searched for one step.
const BYTES_PER_STEP: usize = 16;
/// States of the pattern that make each byte one step dearer.
const STATES_PER_STEP: usize = 1_024;

/// A compiled pattern. It matches whole texts, as in Cypher.
pub(super) struct Pattern {
    nfa: NFA,
    dfa: DFA,
    cache: RefCell<Cache>,
    at: usize,
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(ctx: &Context<'_>, pattern: &str, at: usize) -> Result<Pattern, Fault> {
        if pattern.len() > MAX_PATTERN {
            let message = format!("a regular expression of more than {MAX_PATTERN} bytes");
            return Err(Fault::limit(
                message,
                "ask for fewer alternatives at a time",
            ));
        }
        ctx.work(pattern.len() as u64)?;
        ctx.keep(&[], (MAX_COMPILED + CACHE) as u64)?;
        let nfa = Compiler::new()
            .configure(Config::new().nfa_size_limit(Some(MAX_COMPILED)))
            .build(&format!("^(?:{pattern})$"))
            .map_err(|error| unusable(&error, at))?;
        ctx.work(nfa.states().len() as u64)?;
        let config = DFA::config()
            .unicode_word_boundary(true)
            .cache_capacity(CACHE)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MIN_CLEARED))
            .minimum_bytes_per_state(Some(MIN_BYTES_PER_STATE));
        let dfa = DFA::builder()
            .configure(config)
            .build_from_nfa(nfa.clone())
            .map_err(|error| Fault::syntax(at, format!("the regular expression: {error}")))?;
        Ok(Pattern {
            cache: RefCell::new(dfa.create_cache()),
            nfa,
            dfa,
            at,
        })
    }

    /// As [`Pattern::new`], for a pattern that is worked out for each row: that of the row before is kept.
    pub fn cached(ctx: &Context<'_>, pattern: &str, at: usize) -> Result<Rc<Pattern>, Fault> {
        ctx.text(pattern.len())?;
        if let Some((known, compiled)) = &*ctx.pattern.borrow()
            && known == pattern
        {
            return Ok(Rc::clone(compiled));
        }
        let mark = ctx.mark();
        let compiled = Rc::new(Pattern::new(ctx, pattern, at)?);
        // It takes the place of the one before.
        ctx.forget(mark);
        *ctx.pattern.borrow_mut() = Some((pattern.to_owned(), Rc::clone(&compiled)));
        Ok(compiled)
    }

    /// Whether a text matches.
    pub fn is_match(&self, ctx: &Context<'_>, text: &str) -> Result<bool, Fault> {
        let n_states = self.nfa.states().len();
        let dearer = text.len().saturating_mul(n_states) / STATES_PER_STEP;
        ctx.work((1 + text.len() / BYTES_PER_STEP + dearer) as u64)?;
        let input = Input::new(text).anchored(Anchored::Yes);
        let found = self
            .dfa
            .try_search_fwd(&mut self.cache.borrow_mut(), &input);
        match found {
            Ok(found) => Ok(found.is_some()),
            // `\b` beside letters that are not ASCII: the one case that the DFA cannot decide.
            Err(error) if matches!(error.kind(), MatchErrorKind::Quit { .. }) => {
                ctx.work((text.len().saturating_mul(n_states) / BYTES_PER_STEP) as u64)?;
                let slow = PikeVM::new_from_nfa(self.nfa.clone())
                    .map_err(|error| Fault::syntax(self.at, error.to_string()))?;
                Ok(slow.is_match(&mut slow.create_cache(), input))
            }
            Err(_) => {
                let fault = Fault::limit(
                    "the regular expression needs too many states",
                    "use smaller repetitions, and fewer of them",
                );
                Err(Fault {
                    at: Some(self.at),
                    ..fault
                })
            }
        }
    }
}

fn unusable(error: &BuildError, at: usize) -> Fault {
    if let Some(limit) = error.size_limit() {
        let message = format!("the regular expression compiles to more than {limit} bytes");
        return Fault::limit(message, "use smaller repetitions");
    }
    // The parser's own words are at the end of the chain, in the last line.
    let cause = std::error::Error::source(error);
    let reason = cause.map_or_else(|| error.to_string(), ToString::to_string);
    let reason = reason.lines().last().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    Fault::syntax(
        at,
        format!("the regular expression cannot be read: {reason}"),
    )
}
