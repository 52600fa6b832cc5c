//! Counts the questions about names, so that sources made to be expensive cannot keep the resolver busy for hours.
//!
//! A question that leads back to itself is answered anew from each place where it is asked ([`super::circles`]). For
//! modules that re-export all names of each other, the work grows with the fourth power of their number. Ten real
//! repositories took at most 480 steps a question and 10 a fact, so both limits are far away; what is counted depends on
//! nothing but the sources.

use super::Resolver;

/// Maximum number of steps of one outermost question.
const MAX_OF_A_QUESTION: u32 = 50_000;
/// The same once [`Steps::left`] is used up.
const MAX_WHEN_EXHAUSTED: u32 = 500;
/// Steps that every program may take.
const BASE: u64 = 1_000_000;
/// Further steps for each reference, import and binding.
const PER_FACT: u64 = 20;

/// The steps that were taken and those that may still be taken.
pub(crate) struct Steps {
    left: u64,
    of_question: u32,
    was_cut_short: bool,
}

impl Steps {
    /// Returns the steps for a program with this number of references, imports and bindings.
    pub(crate) fn new(n_facts: usize) -> Steps {
        Steps {
            left: BASE + PER_FACT * n_facts as u64,
            of_question: 0,
            was_cut_short: false,
        }
    }

    /// Takes a step, the first one if the question is an outermost one. Returns false if the question has no more.
    pub(crate) fn take(&mut self, is_outermost: bool) -> bool {
        if is_outermost {
            self.of_question = 0;
        }
        self.left = self.left.saturating_sub(1);
        self.of_question = self.of_question.saturating_add(1);
        self.has_more()
    }

    fn has_more(&self) -> bool {
        let max = if self.left == 0 {
            MAX_WHEN_EXHAUSTED
        } else {
            MAX_OF_A_QUESTION
        };
        self.of_question <= max
    }
}

impl Resolver<'_, '_> {
    /// Whether the outermost question has no more steps: then looking further costs time and finds nothing.
    pub(crate) fn is_out_of_steps(&self) -> bool {
        !self.steps.has_more()
    }

    /// Whether any answer was cut short.
    pub(crate) fn was_cut_short(&self) -> bool {
        self.steps.was_cut_short
    }

    /// Notes that an answer was cut short by a limit that counts from the outermost question.
    pub(crate) fn cut_short(&mut self) {
        self.steps.was_cut_short = true;
        self.answers.circles.meet(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_ends_at_its_limit_and_the_next_begins_anew() {
        let mut steps = Steps::new(0);
        assert_eq!((0..).take_while(|_| steps.take(false)).count(), 50_000);
        assert!(steps.take(true));
    }

    #[test]
    fn questions_are_short_when_the_steps_of_the_program_are_used_up() {
        let mut steps = Steps {
            left: 10,
            of_question: 0,
            was_cut_short: false,
        };
        assert_eq!((0..).take_while(|_| steps.take(false)).count(), 500);
        assert!(steps.take(true));
        assert_eq!((0..).take_while(|_| steps.take(false)).count(), 499);
    }
}
