//! Limits the work on a text, and parses within that limit.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::{Allowance, Budget, ParseConfig};

/// Operations of a parser between two calls of its progress callback, and what one look at the deadline counts elsewhere.
const STEPS_PER_LOOK: u64 = 100;

/// The end of work on a file: after a number of steps, and as a last resort after a time.
pub(crate) struct Deadline(Budget<fn() -> f64>);

impl Deadline {
    pub(crate) fn start(config: &ParseConfig) -> Deadline {
        Deadline(Budget::new(
            Allowance {
                millis: config.max_parse_millis,
                ..Allowance::steps(config.max_parse_steps)
            },
            config.clock,
        ))
    }

    /// Allows `steps`, and at most `millis` from now if there is a clock.
    pub(crate) fn within(clock: Option<fn() -> f64>, millis: f64, steps: u64) -> Deadline {
        let allowed = Allowance {
            millis,
            ..Allowance::steps(steps)
        };
        Deadline(Budget::new(allowed, clock))
    }

    /// Charges one look: a piece of work that is small, and as large whatever the machine.
    pub(crate) fn is_over(&self) -> bool {
        self.0.step(STEPS_PER_LOOK).is_err()
    }

    /// Charges steps of a work that counts them itself.
    pub(crate) fn is_over_after(&self, steps: u64) -> bool {
        self.0.step(steps).is_err()
    }

    /// For work that charges its steps itself.
    pub(crate) fn budget(&self) -> &Budget<fn() -> f64> {
        &self.0
    }
}

pub(crate) fn parse(parser: &mut Parser, text: &str, deadline: &Deadline) -> Option<Tree> {
    let mut stop = |_: &tree_sitter::ParseState| {
        if deadline.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut stop);
    let bytes = text.as_bytes();
    let tree = parser.parse_with_options(
        &mut |at, _| bytes.get(at..).unwrap_or_default(),
        None,
        Some(options),
    );
    if tree.is_none() {
        // A stopped parse would otherwise go on with the next text.
        parser.reset();
    }
    tree
}
