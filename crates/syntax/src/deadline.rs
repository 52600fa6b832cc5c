//! When work on a text must end, and parsing that keeps to it.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::ParseConfig;

/// When work on a file must end.
pub(crate) struct Deadline {
    clock: Option<fn() -> f64>,
    end: f64,
}

impl Deadline {
    pub(crate) fn start(config: &ParseConfig) -> Deadline {
        Deadline::within(config.clock, config.max_parse_millis)
    }

    /// So many milliseconds from now; never, without a clock.
    pub(crate) fn within(clock: Option<fn() -> f64>, millis: f64) -> Deadline {
        Deadline {
            clock,
            end: clock.map_or(0.0, |now| now() + millis),
        }
    }

    /// No limit.
    pub(crate) fn never() -> Deadline {
        Deadline::within(None, 0.0)
    }

    /// Whether the time is up; without a clock it never is.
    pub(crate) fn is_over(&self) -> bool {
        self.clock.is_some_and(|now| now() > self.end)
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
