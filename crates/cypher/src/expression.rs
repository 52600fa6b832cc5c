//! Parses expressions, from the lowest precedence (`OR`) to the highest (`n.name`).

use winnow::Parser;
use winnow::combinator::{delimited, opt};

use super::ast::{Arithmetic, At, Comparison, Expr, ExprKind, TextTest};
use super::atom::atom;
use super::error::Fault;
use super::pattern::labels;
use super::tokens::{
    Input, Parsed, any_name, at, deeper, fail, framed, is_sign, peek, sign, taller, word,
};

/// Maximum number of operators of one precedence in a row: `1 + 1 + …`. They nest to the left, and evaluating each
/// costs stack.
const MAX_CHAIN: usize = 200;

/// Any expression.
pub(super) fn expression(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let or = |input: &mut Input<'_, '_>| {
        let expr = joined(input, "OR", ExprKind::Or, |input| {
            joined(input, "XOR", ExprKind::Xor, |input| {
                joined(input, "AND", ExprKind::And, not)
            })
        })?;
        taller(input)?;
        Ok(expr)
    };
    deeper(input, |input| framed(input, or))
}

/// `a OR b OR c` as one list.
fn joined<'t, 'q>(
    input: &mut Input<'t, 'q>,
    operator: &'static str,
    make: fn(Vec<Expr>) -> ExprKind,
    mut operand: impl FnMut(&mut Input<'t, 'q>) -> Parsed<Expr>,
) -> Parsed<Expr> {
    let at = at(input);
    let first = operand(input)?;
    let mut operands = vec![first];
    while opt(word(operator)).parse_next(input)?.is_some() {
        operands.push(operand(input)?);
    }
    Ok(match operands.len() {
        1 => operands.swap_remove(0),
        _ => Expr {
            kind: make(operands),
            at,
        },
    })
}

fn not(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let at = at(input);
    let mut is_negated = false;
    let mut any = false;
    while opt(word("NOT")).parse_next(input)?.is_some() {
        is_negated = !is_negated;
        any = true;
    }
    let operand = comparison(input)?;
    Ok(match (any, is_negated) {
        (false, _) => operand,
        (true, true) => boxed(ExprKind::Not, operand, at),
        (true, false) => boxed(ExprKind::Not, boxed(ExprKind::Not, operand, at), at),
    })
}

fn boxed(make: fn(Box<Expr>) -> ExprKind, operand: Expr, at: At) -> Expr {
    Expr {
        kind: make(Box::new(operand)),
        at,
    }
}

/// `a < b <= c`: every pair must hold.
fn comparison(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let first = predicate(input)?;
    let at = at(input);
    let mut rest = Vec::new();
    while let Some(operator) = comparison_sign(input)? {
        rest.push((operator, predicate(input)?));
    }
    Ok(if rest.is_empty() {
        first
    } else {
        Expr {
            kind: ExprKind::Compare(Box::new(first), rest),
            at,
        }
    })
}

fn comparison_sign(input: &mut Input<'_, '_>) -> Parsed<Option<Comparison>> {
    const SIGNS: [(&str, Comparison); 7] = [
        ("=", Comparison::Equal),
        ("<>", Comparison::NotEqual),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    for (text, comparison) in SIGNS {
        if opt(sign(text)).parse_next(input)?.is_some() {
            return Ok(Some(comparison));
        }
    }
    Ok(None)
}

/// `a STARTS WITH b`, `a IN b`, `a IS NULL`, …
fn predicate(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    framed(input, predicates)
}

fn predicates(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let mut left = sum(input)?;
    for _ in 0..MAX_CHAIN {
        let at = at(input);
        let kind = if opt((word("STARTS"), word("WITH")))
            .parse_next(input)?
            .is_some()
        {
            test(TextTest::StartsWith, left, sum(input)?)
        } else if opt((word("ENDS"), word("WITH")))
            .parse_next(input)?
            .is_some()
        {
            test(TextTest::EndsWith, left, sum(input)?)
        } else if opt(word("CONTAINS")).parse_next(input)?.is_some() {
            test(TextTest::Contains, left, sum(input)?)
        } else if opt(sign("=~")).parse_next(input)?.is_some() {
            test(TextTest::Matches, left, sum(input)?)
        } else if opt(word("IN")).parse_next(input)?.is_some() {
            ExprKind::In(Box::new(left), Box::new(sum(input)?))
        } else if opt(word("IS")).parse_next(input)?.is_some() {
            let negated = opt(word("NOT")).parse_next(input)?.is_some();
            word("NULL").parse_next(input)?;
            ExprKind::IsNull(Box::new(left), negated)
        } else {
            return Ok(left);
        };
        left = Expr { kind, at };
        taller(input)?;
    }
    too_long(input)
}

fn test(test: TextTest, left: Expr, right: Expr) -> ExprKind {
    ExprKind::TestText(test, Box::new(left), Box::new(right))
}

fn too_long<T>(input: &mut Input<'_, '_>) -> Parsed<T> {
    let message = format!("more than {MAX_CHAIN} operators in a row");
    let at = peek(input, 0).at;
    fail(input, Fault::unsupported(at, message))
}

fn sum(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    const SIGNS: &[(&str, Arithmetic)] = &[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)];
    framed(input, |input| chain(input, SIGNS, product))
}

fn product(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    const SIGNS: &[(&str, Arithmetic)] = &[
        ("*", Arithmetic::Multiply),
        ("/", Arithmetic::Divide),
        ("%", Arithmetic::Modulo),
    ];
    framed(input, |input| chain(input, SIGNS, power))
}

fn power(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    framed(input, |input| {
        chain(input, &[("^", Arithmetic::Power)], unary)
    })
}

fn chain<'t, 'q>(
    input: &mut Input<'t, 'q>,
    signs: &'static [(&'static str, Arithmetic)],
    operand: fn(&mut Input<'t, 'q>) -> Parsed<Expr>,
) -> Parsed<Expr> {
    let mut left = operand(input)?;
    for _ in 0..MAX_CHAIN {
        let at = at(input);
        let next = peek(input, 0);
        let found = signs.iter().find(|(text, _)| is_sign(&next, text));
        let Some((text, operator)) = found else {
            return Ok(left);
        };
        sign(text).parse_next(input)?;
        let right = operand(input)?;
        left = Expr {
            kind: ExprKind::Arithmetic(*operator, Box::new(left), Box::new(right)),
            at,
        };
        taller(input)?;
    }
    too_long(input)
}

fn unary(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let at = at(input);
    let mut is_negative = false;
    while is_sign(&peek(input, 0), "-") || is_sign(&peek(input, 0), "+") {
        is_negative ^= is_sign(&peek(input, 0), "-");
        opt(sign("-")).parse_next(input)?;
        opt(sign("+")).parse_next(input)?;
    }
    let operand = postfix(input)?;
    Ok(if is_negative {
        boxed(ExprKind::Minus, operand, at)
    } else {
        operand
    })
}

/// `a.name`, `a[0]`, `a[1..3]`, `a:Label`
fn postfix(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    framed(input, postfixes)
}

fn postfixes(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let mut base = atom(input)?;
    for _ in 0..MAX_CHAIN {
        let at = at(input);
        let next = peek(input, 0);
        let kind = if is_sign(&next, ".") {
            sign(".").parse_next(input)?;
            ExprKind::Property(Box::new(base), any_name(input)?)
        } else if is_sign(&next, "[") {
            delimited(sign("["), subscript, sign("]"))
                .parse_next(input)?
                .of(base)
        } else if is_sign(&next, ":") && matches!(base.kind, ExprKind::Variable(_)) {
            ExprKind::HasLabels(Box::new(base), labels(input)?)
        } else {
            return Ok(base);
        };
        base = Expr { kind, at };
        taller(input)?;
    }
    too_long(input)
}

enum Subscript {
    Index(Expr),
    Slice(Option<Expr>, Option<Expr>),
}

impl Subscript {
    fn of(self, base: Expr) -> ExprKind {
        let base = Box::new(base);
        match self {
            Self::Index(index) => ExprKind::Index(base, Box::new(index)),
            Self::Slice(from, to) => ExprKind::Slice(base, from.map(Box::new), to.map(Box::new)),
        }
    }
}

fn subscript(input: &mut Input<'_, '_>) -> Parsed<Subscript> {
    let from = opt_unless(input, "..")?;
    if opt(sign("..")).parse_next(input)?.is_some() {
        return Ok(Subscript::Slice(from, opt_unless(input, "]")?));
    }
    match from {
        Some(index) => Ok(Subscript::Index(index)),
        None => expression(input).map(Subscript::Index),
    }
}

/// An expression, unless the next token is `text`.
fn opt_unless(input: &mut Input<'_, '_>, text: &'static str) -> Parsed<Option<Expr>> {
    if is_sign(&peek(input, 0), text) {
        return Ok(None);
    }
    expression(input).map(Some)
}
