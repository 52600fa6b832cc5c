//! Regular expressions of `=~`, run on a lazy DFA: the cost of a search is linear in the text, and a pattern that keeps
//! needing new states ends with an error instead of a slow search.

use std::cell::RefCell;
use std::rc::Rc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, NFA, pikevm::PikeVM};
use regex_automata::{Anchored, Input, MatchErrorKind};

use super::cost::Context;
use super::error::Fault;

/// Maximum length of a pattern, in bytes: each class of letters in it costs kilobytes before anything is compiled.
const MAX_PATTERN: usize = 4 * 1024;
/// Maximum size of a compiled pattern, in bytes.
const MAX_COMPILED: usize = 256 * 1024;
/// Maximum size of the states that a search caches, in bytes.
const CACHE: usize = 512 * 1024;
/// Number of times that the cache is cleared before the search checks whether it pays.
const MIN_CLEARED: usize = 3;
/// Minimum number of bytes searched for each state, below which the search gives up.
const MIN_BYTES_PER_STATE: usize = 20;
/// Bytes of text that are searched for one step.
const BYTES_PER_STEP: usize = 16;
/// Number of states of a pattern that raise the cost of each [`BYTES_PER_STEP`] bytes by one step.
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

    /// As [`Pattern::new`], for a pattern that is computed for each row: the one of the row before is cached.
    pub fn cached(ctx: &Context<'_>, pattern: &str, at: usize) -> Result<Rc<Pattern>, Fault> {
        ctx.text(pattern.len())?;
        if let Some((known, compiled)) = &*ctx.pattern.borrow()
            && known == pattern
        {
            return Ok(Rc::clone(compiled));
        }
        let mark = ctx.mark();
        let compiled = Rc::new(Pattern::new(ctx, pattern, at)?);
        // It replaces the one before.
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
    // The parser's message is at the end of the chain, in the last line.
    let cause = std::error::Error::source(error);
    let reason = cause.map_or_else(|| error.to_string(), ToString::to_string);
    let reason = reason.lines().last().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    Fault::syntax(
        at,
        format!("the regular expression cannot be read: {reason}"),
    )
}
