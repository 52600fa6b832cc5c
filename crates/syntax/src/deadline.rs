//! Limits the work on a text, and parses within that limit.
//!
//! A step is an operation of the parser (a token shifted, a rule reduced, in one of the up to six stacks that it keeps where a
//! grammar is ambiguous), an eighth of a piece of text that its lexer asks for, or a node of a tree. Steps do not depend on the
//! machine. Two limits count them: [`Pace`] compares them with the bytes that are parsed so far, so that a text on which a
//! grammar explodes ends early, and the budget of the whole file bounds everything that is done with it. The clock is the last
//! resort: it is generous, since a busy machine may give a parser a fiftieth of its time.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::{Allowance, Budget, ParseConfig};

/// Operations of a parser between two calls of its progress callback, and what one look at the deadline counts elsewhere.
const STEPS_PER_LOOK: u64 = 100;

/// Bytes that the lexer gets at a time. Some scanners look through the whole rest of a text for each token (Kotlin, Scala); the
/// parser counts that as one operation, but its requests for text show it.
const PIECE_BYTES: usize = 256;

/// Steps that a piece counts: to look through it takes about as long as eight operations.
const STEPS_PER_PIECE: u64 = 8;

/// Steps over the limit at which the lexer is told that the text ends, since it may loop between two progress callbacks.
const MAX_EXCESS: u64 = 100_000;

/// Steps that every parse may take, for texts that begin with their hardest part. A hostile text that is little worse than its
/// limit is parsed until it has used them up, and its operations are the slowest: they are most of what it costs.
const PACE_BASE: u64 = 100_000;

/// Steps for ten bytes when the text has ended: the parser balances its tree, which took up to 45.
const END_STEPS: u64 = 60;

/// Steps that every file may take as a whole.
const FILE_BASE: u64 = 2_000_000;

/// Parts of a file may be parsed again, and its tree is walked: all that may take this many times the steps of one parse.
const PARSES_PER_FILE: u64 = 2;

/// Milliseconds by the clock for each KiB, beside [`ParseConfig::max_parse_millis`].
const MILLIS_PER_KIB: f64 = 20.0;

/// Steps for ten bytes before the end of the text. The worst of 401 large files of 33 projects took 21 in Ruby, 35 in Scala,
/// whose scanner looks far ahead, 11 in Kotlin, 8 in Swift and 14 elsewhere: a third of these limits or less.
/// Minified code took 28, tables of numbers up to 28 (61 in Dart), of one-digit numbers up to 35 (54 in Ruby).
/// Ambiguous grammars have less to spare, since an operation on several deep stacks takes five times as long: hostile texts
/// took 71 in C++, 47 in C#, 32 in Swift, 80 in Dart.
fn steps_for_ten(grammar: &str) -> u64 {
    match grammar {
        "swift" => 25,
        "csharp" | "kotlin" => 40,
        "haskell" => 45,
        "c" | "cpp" => 50,
        "dart" => 70,
        "scala" => 120,
        _ => 80,
    }
}

/// Steps for a number of bytes, at a rate for ten.
fn steps_of(n_bytes: usize, for_ten: u64) -> u64 {
    (n_bytes as u64).saturating_mul(for_ten) / 10
}

/// The end of work on a file: after a number of steps, and as a last resort after a time.
pub(crate) struct Deadline {
    budget: Budget<fn() -> f64>,
    /// The limit that was reached before the budget's: steps within a number of bytes.
    out_of_pace: Cell<Option<(u64, usize)>>,
}

impl Deadline {
    /// For everything that is done with one file of `n_bytes`.
    pub(crate) fn start(config: &ParseConfig, grammar: &str, n_bytes: usize) -> Deadline {
        let by_size = steps_of(n_bytes, steps_for_ten(grammar) + END_STEPS);
        let steps = FILE_BASE.saturating_add(PARSES_PER_FILE.saturating_mul(by_size));
        let millis = config.max_parse_millis + n_bytes as f64 / 1024.0 * MILLIS_PER_KIB;
        Deadline::within(config.clock, millis, steps.min(config.max_parse_steps))
    }

    /// Allows `steps`, and at most `millis` from now if there is a clock.
    pub(crate) fn within(clock: Option<fn() -> f64>, millis: f64, steps: u64) -> Deadline {
        let allowed = Allowance {
            millis,
            ..Allowance::steps(steps)
        };
        Deadline {
            budget: Budget::new(allowed, clock),
            out_of_pace: Cell::new(None),
        }
    }

    /// Charges one look: a piece of work that is small, and as large whatever the machine.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over_after(STEPS_PER_LOOK)
    }

    /// Charges steps of a work that counts them itself.
    pub(crate) fn is_over_after(&self, steps: u64) -> bool {
        self.budget.step(steps).is_err()
    }

    /// For work that charges its steps itself.
    pub(crate) fn budget(&self) -> &Budget<fn() -> f64> {
        &self.budget
    }

    /// The limit that was reached, in words.
    pub(crate) fn reached(&self) -> String {
        let Allowance { steps, millis, .. } = self.budget.allowed();
        match (self.out_of_pace.get(), self.budget.spent()) {
            (Some((steps, bytes)), _) => format!("more than {steps} steps for {bytes} bytes"),
            (None, Some(crate::Spent::Time)) => format!("longer than {} ms", millis.ceil()),
            _ => format!("more than {steps} steps"),
        }
    }
}

/// Compares the steps of one parse with the bytes behind it. A tree that is built at an ordinary pace up to the end is whole; a
/// text that needs many times the steps of code for each byte is given up near its beginning, whatever follows.
struct Pace<'d> {
    deadline: &'d Deadline,
    steps_for_ten: u64,
    /// Steps when this parse began.
    before: u64,
    /// The text, or the range in it, in bytes.
    range: std::ops::Range<usize>,
    /// Last byte that a stack of the parser has reached.
    furthest: Cell<usize>,
}

impl Pace<'_> {
    /// Charges the operations between two calls, the last of them at byte `at`.
    fn is_over(&self, at: usize) -> bool {
        self.furthest.set(self.furthest.get().max(at));
        if self.deadline.is_over() {
            return true;
        }
        let (allowed, bytes) = self.allowed();
        let is_over = self.steps() > allowed;
        if is_over {
            self.deadline.budget.exhaust();
            self.deadline.out_of_pace.set(Some((allowed, bytes)));
        }
        is_over
    }

    /// Whether the lexer takes so much text that it must be told that there is no more.
    fn must_end(&self) -> bool {
        self.steps() > self.allowed().0.saturating_add(MAX_EXCESS)
    }

    /// Steps that are allowed so far, and for how many bytes.
    fn allowed(&self) -> (u64, usize) {
        let bytes = self.furthest.get().saturating_sub(self.range.start);
        let at_end = match self.furthest.get() >= self.range.end {
            true => END_STEPS,
            false => 0,
        };
        let steps = steps_of(bytes, self.steps_for_ten + at_end);
        (steps.saturating_add(PACE_BASE), bytes)
    }

    fn steps(&self) -> u64 {
        let steps = self.deadline.budget.n_steps();
        steps.saturating_sub(self.before)
    }
}

/// Parses a text with a grammar of this name; nothing where a limit is reached first.
pub(crate) fn parse(
    parser: &mut Parser,
    grammar: &str,
    text: &str,
    deadline: &Deadline,
) -> Option<Tree> {
    let ranges = parser.included_ranges();
    let (first, end) = ranges
        .first()
        .map_or((0, usize::MAX), |range| (range.start_byte, range.end_byte));
    let pace = Pace {
        deadline,
        steps_for_ten: steps_for_ten(grammar),
        before: deadline.budget.n_steps(),
        range: first..end.min(text.len()),
        furthest: Cell::new(first),
    };
    let mut stop = |state: &tree_sitter::ParseState| match pace.is_over(state.current_byte_offset())
    {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let options = ParseOptions::new().progress_callback(&mut stop);
    let bytes = text.as_bytes();
    let tree = parser.parse_with_options(
        &mut |at, _| {
            let _ = deadline.is_over_after(STEPS_PER_PIECE);
            let end = match pace.must_end() {
                true => at,
                false => at.saturating_add(PIECE_BYTES).min(bytes.len()),
            };
            bytes.get(at..end).unwrap_or_default()
        },
        None,
        Some(options),
    );
    // A tree of a text that was cut short must not count.
    let is_whole = !pace.must_end() && deadline.budget.spent().is_none();
    if tree.is_none() {
        // A stopped parse would otherwise go on with the next text.
        parser.reset();
    }
    if !is_whole && deadline.budget.spent().is_none() {
        pace.is_over(first);
    }
    tree.filter(|_| is_whole)
}
