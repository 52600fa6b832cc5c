//! Expressions that pieces of code are matched with, in constraints and in predicates of queries. Their work is charged.

use std::cell::RefCell;

use super::MAX_REGEX;
use super::error::{StructuralError, StructuralErrorKind as Kind};
use crate::Budget;
use crate::counted_regex::{CountedRegex, RegexCache, RegexConfig, RegexError};

/// Longer pieces are not matched with an expression: one search is charged when it is done.
const MAX_PIECE: usize = 64 * 1024;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Expression {
    regex: CountedRegex,
    cache: RefCell<RegexCache>,
}

impl Expression {
    pub(super) fn new(pattern: &str) -> Result<Expression, StructuralError> {
        let config = RegexConfig {
            max_compiled: MAX_REGEX,
            ..RegexConfig::default()
        };
        let regex = CountedRegex::new(pattern, &config).map_err(unusable)?;
        Ok(Expression {
            cache: RefCell::new(regex.cache()),
            regex,
        })
    }

    /// Whether a piece has a match; false for a longer piece than 64 KiB, and where the budget is used up.
    pub(super) fn is_match<C: Fn() -> f64>(&self, piece: &str, budget: &Budget<C>) -> bool {
        let cache = &mut self.cache.borrow_mut();
        piece.len() <= MAX_PIECE && self.regex.is_match(cache, piece, budget) == Ok(true)
    }
}

fn unusable(error: RegexError) -> StructuralError {
    match error {
        RegexError::Long(limit) => {
            let message = format!("the expression is longer than {limit} bytes");
            StructuralError::new(Kind::Size, message)
        }
        RegexError::Large(limit) => {
            let message = format!("the expression compiles to more than {limit} bytes");
            StructuralError::new(Kind::Size, message)
        }
        RegexError::Syntax(message) => StructuralError::new(Kind::Constraint, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;

    #[test]
    fn an_expression_ends_by_its_steps() {
        let dear = Expression::new("(a|b)*a(a|b){18}c").expect("an expression");
        let letter = |n: u32| match n.wrapping_mul(n).wrapping_mul(2_654_435_761) >> 31 {
            0 => 'a',
            _ => 'b',
        };
        let piece: String = (0..60_000).map(letter).collect();
        let steps = |allowed| {
            let budget = Budget::<fn() -> f64>::new(Allowance::steps(allowed), None);
            let is_match = dear.is_match(&piece, &budget);
            (is_match, budget.spent().is_some())
        };
        assert_eq!(steps(10_000), (false, true));
        assert_eq!(steps(u64::MAX - 1), (false, false));
    }
}
