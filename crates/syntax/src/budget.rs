//! Budgets of a query, or of parsing one file: steps, bytes, and as a last resort time.
//!
//! Steps and bytes are counted, so the same question has the same answer on however busy a machine, and in a Worker,
//! whose clock stops while it computes. Time bounds only what the counts misjudge.

use std::cell::Cell;
use std::fmt;

/// Number of steps between two readings of the clock.
const CLOCK_EVERY: u64 = 4_096;

/// The part of a budget that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// More steps than allowed.
    Steps,
    /// More bytes held at one time than allowed.
    Bytes,
    /// The clock says so.
    Time,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Spent::Steps => "it takes more steps than it may",
            Spent::Bytes => "it needs more memory than it may",
            Spent::Time => "it takes longer than it may",
        })
    }
}

/// The amounts of a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    /// Units of work; each user says which unit it counts.
    pub steps: u64,
    /// Bytes that are held at one time.
    pub bytes: u64,
    /// Milliseconds, where there is a clock.
    pub millis: f64,
}

impl Allowance {
    /// Limits the steps, and nothing else.
    #[must_use]
    pub fn steps(steps: u64) -> Self {
        Allowance {
            steps,
            bytes: u64::MAX,
            millis: f64::INFINITY,
        }
    }
}

/// Counts what is spent. Callers charge before they work or allocate, and stop at the first `Err`; every charge behind it
/// fails likewise.
#[derive(Debug)]
pub struct Budget<C> {
    allowed: Allowance,
    clock: Option<C>,
    end: f64,
    steps: Cell<u64>,
    next_look: Cell<u64>,
    bytes: Cell<u64>,
    spent: Cell<Option<Spent>>,
}

impl<C: Fn() -> f64> Budget<C> {
    /// A budget whose time starts now. `clock` gives milliseconds from any moment; without it only counts bound.
    pub fn new(allowed: Allowance, clock: Option<C>) -> Self {
        Budget {
            end: clock.as_ref().map_or(0.0, |now| now() + allowed.millis),
            allowed,
            clock,
            steps: Cell::new(0),
            next_look: Cell::new(CLOCK_EVERY.min(allowed.steps.saturating_add(1))),
            bytes: Cell::new(0),
            spent: Cell::new(None),
        }
    }

    /// Charges `n` steps.
    ///
    /// # Errors
    ///
    /// The resource that ran out.
    #[inline]
    pub fn step(&self, n: u64) -> Result<(), Spent> {
        let steps = self.steps.get().saturating_add(n);
        self.steps.set(steps);
        if steps < self.next_look.get() {
            return Ok(());
        }
        self.look(steps)
    }

    /// The slow part of [`Budget::step`]: everything is compared, and the clock is read.
    #[cold]
    fn look(&self, steps: u64) -> Result<(), Spent> {
        if let Some(spent) = self.spent.get() {
            return Err(spent);
        }
        if steps > self.allowed.steps {
            return Err(self.stop(Spent::Steps));
        }
        if self.clock.as_ref().is_some_and(|now| now() > self.end) {
            return Err(self.stop(Spent::Time));
        }
        let next = steps.saturating_add(CLOCK_EVERY);
        self.next_look
            .set(next.min(self.allowed.steps.saturating_add(1)));
        Ok(())
    }

    fn stop(&self, spent: Spent) -> Spent {
        self.spent.set(Some(spent));
        self.next_look.set(0);
        spent
    }

    /// Ends the work as if its steps were used up, for a limit that the caller counts.
    pub(crate) fn exhaust(&self) {
        self.stop(Spent::Steps);
    }

    /// Charges `n` bytes that are about to be held.
    ///
    /// # Errors
    ///
    /// The resource that ran out.
    pub fn hold(&self, n: u64) -> Result<(), Spent> {
        if let Some(spent) = self.spent.get() {
            return Err(spent);
        }
        let bytes = self.bytes.get().saturating_add(n);
        if bytes > self.allowed.bytes {
            return Err(self.stop(Spent::Bytes));
        }
        self.bytes.set(bytes);
        Ok(())
    }

    /// Gives back `n` bytes that are held no longer.
    pub fn release(&self, n: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(n));
    }

    /// Bytes that are held.
    pub fn held(&self) -> u64 {
        self.bytes.get()
    }

    /// Steps that were charged.
    pub fn n_steps(&self) -> u64 {
        self.steps.get()
    }

    /// Returns the allowance.
    pub fn allowed(&self) -> Allowance {
        self.allowed
    }

    /// Returns the limit that was reached, if any.
    pub fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(steps: u64, bytes: u64) -> Budget<fn() -> f64> {
        let allowed = Allowance {
            steps,
            bytes,
            millis: 10.0,
        };
        Budget::new(allowed, None)
    }

    #[test]
    fn steps_end_at_the_same_place_however_they_are_charged() {
        for at_once in [1, 7, 100] {
            let budget = budget(10_000, 0);
            let n = (0..).find(|_| budget.step(at_once).is_err()).unwrap_or(0);
            assert_eq!(n, 10_000 / at_once);
            assert_eq!(budget.step(1), Err(Spent::Steps));
            assert_eq!(budget.hold(0), Err(Spent::Steps));
        }
        assert_eq!(budget(3, 0).step(4), Err(Spent::Steps));
    }

    #[test]
    fn bytes_are_refused_before_they_are_counted() {
        let budget = budget(10, 100);
        assert_eq!(budget.hold(60), Ok(()));
        budget.release(20);
        assert_eq!(budget.hold(u64::MAX), Err(Spent::Bytes));
        assert_eq!((budget.held(), budget.hold(1)), (40, Err(Spent::Bytes)));
    }

    #[test]
    fn time_ends_what_the_counts_let_pass() {
        let now = Cell::new(0.0);
        let clock = || now.replace(now.get() + 6.0);
        let budget = Budget::new(
            Allowance {
                millis: 10.0,
                ..Allowance::steps(u64::MAX - 1)
            },
            Some(&clock),
        );
        let n = (0..).find(|_| budget.step(1).is_err()).unwrap_or(0);
        assert_eq!(n as u64, 2 * CLOCK_EVERY - 1);
        assert_eq!(budget.spent(), Some(Spent::Time));
    }
}
