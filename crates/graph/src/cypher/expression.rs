//! Expressions, from what binds least (`OR`) to what binds most (`n.name`).

use winnow::Parser;
use winnow::combinator::{delimited, opt, preceded, separated};

use super::ast::{Arithmetic, At, Call, Comparison, Expr, ExprKind, Name, Quantifier, TextTest};
use super::error::Fault;
use super::lex::{Kind, unescape};
use super::parse::{
    Input, Parsed, any_name, at, deeper, fail, is_name, is_sign, is_word, labels, name,
    named_pattern, pattern, peek, sign, token_of, where_, word,
};

/// Operators of one level in a row: `1 + 1 + …`. They nest to the left, and each costs stack when it is worked out.
const MAX_CHAIN: usize = 200;

/// Any expression.
pub(super) fn expression(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    deeper(input, |input| {
        joined(input, "OR", ExprKind::Or, |input| {
            joined(input, "XOR", ExprKind::Xor, |input| {
                joined(input, "AND", ExprKind::And, not)
            })
        })
    })
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
    chain(input, SIGNS, product)
}

fn product(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    const SIGNS: &[(&str, Arithmetic)] = &[
        ("*", Arithmetic::Multiply),
        ("/", Arithmetic::Divide),
        ("%", Arithmetic::Modulo),
    ];
    chain(input, SIGNS, power)
}

fn power(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    chain(input, &[("^", Arithmetic::Power)], unary)
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

/// An expression, unless `text` comes at once.
fn opt_unless(input: &mut Input<'_, '_>, text: &'static str) -> Parsed<Option<Expr>> {
    if is_sign(&peek(input, 0), text) {
        return Ok(None);
    }
    expression(input).map(Some)
}

fn atom(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let at = at(input);
    let token = peek(input, 0);
    let kind = match token.kind {
        Kind::Int | Kind::Float => number(input)?,
        Kind::Text => {
            token_of(input, Kind::Text, "a string")?;
            match unescape(token.text, token.at) {
                Ok(text) => ExprKind::Text(text),
                Err(fault) => return fail(input, fault),
            }
        }
        Kind::Parameter => {
            token_of(input, Kind::Parameter, "a parameter")?;
            ExprKind::Parameter(token.text.to_owned())
        }
        Kind::Sign if token.text == "[" => list(input)?,
        Kind::Sign if token.text == "{" => ExprKind::Map(map_entries(input)?),
        Kind::Sign if token.text == "(" => return parenthesised(input),
        _ => worded(input)?,
    };
    Ok(Expr { kind, at })
}

fn number(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    let token = peek(input, 0);
    token_of(input, token.kind, "a number")?;
    let value = match token.kind {
        Kind::Int => token.text.parse().ok().map(ExprKind::Int),
        _ => token.text.parse().ok().map(ExprKind::Float),
    };
    match value {
        Some(value) => Ok(value),
        None => fail(
            input,
            Fault::syntax(token.at, format!("{} is too large a number", token.text)),
        ),
    }
}

/// A keyword's value, a call, a variable.
fn worded(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    let token = peek(input, 0);
    let is_call = is_sign(&peek(input, 1), "(");
    for (text, kind) in [
        ("NULL", ExprKind::Null),
        ("TRUE", ExprKind::Bool(true)),
        ("FALSE", ExprKind::Bool(false)),
    ] {
        if is_word(&token, text) {
            return word(text).value(kind).parse_next(input);
        }
    }
    if is_word(&token, "CASE") {
        return case(input);
    }
    if is_word(&token, "EXISTS") && is_sign(&peek(input, 1), "{") {
        return exists(input);
    }
    let callable = is_name(&token) || is_word(&token, "EXISTS") || is_word(&token, "ALL");
    if is_call && callable {
        return call(input);
    }
    match name(input) {
        Ok(name) => Ok(ExprKind::Variable(name.text)),
        Err(error) => {
            note_expression(input)?;
            Err(error)
        }
    }
}

/// Notes that an expression was looked for: "a name" alone would hide that numbers and strings may stand there too.
fn note_expression(input: &mut Input<'_, '_>) -> Parsed<()> {
    opt(|input: &mut Input<'_, '_>| token_of(input, Kind::Text, "an expression").map(|_| ()))
        .parse_next(input)
        .map(|_| ())
}

fn call(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    let name = any_name(input)?;
    sign("(").parse_next(input)?;
    let quantifier = match name.text.to_ascii_lowercase().as_str() {
        "all" => Some(Quantifier::All),
        "any" => Some(Quantifier::Any),
        "none" => Some(Quantifier::None),
        "single" => Some(Quantifier::Single),
        _ => None,
    };
    if let Some(quantifier) = quantifier {
        return quantified(input, quantifier);
    }
    let mut call = Call {
        name,
        distinct: opt(word("DISTINCT")).parse_next(input)?.is_some(),
        star: opt(sign("*")).parse_next(input)?.is_some(),
        arguments: Vec::new(),
    };
    if !call.star && !is_sign(&peek(input, 0), ")") {
        call.arguments = separated(1.., expression, sign(",")).parse_next(input)?;
    }
    sign(")").parse_next(input)?;
    Ok(ExprKind::Call(call))
}

fn quantified(input: &mut Input<'_, '_>, quantifier: Quantifier) -> Parsed<ExprKind> {
    let (variable, list) = over(input)?;
    let filter = preceded(word("WHERE"), expression).parse_next(input)?;
    sign(")").parse_next(input)?;
    Ok(ExprKind::Quantifier {
        quantifier,
        variable,
        list: Box::new(list),
        filter: Box::new(filter),
    })
}

/// `x IN list`
fn over(input: &mut Input<'_, '_>) -> Parsed<(Name, Expr)> {
    let variable = name(input)?;
    word("IN").parse_next(input)?;
    Ok((variable, expression(input)?))
}

fn list(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    sign("[").parse_next(input)?;
    if is_name(&peek(input, 0)) && is_word(&peek(input, 1), "IN") {
        let (variable, list) = over(input)?;
        let filter = where_(input)?.map(Box::new);
        let map = opt(preceded(sign("|"), expression)).parse_next(input)?;
        sign("]").parse_next(input)?;
        return Ok(ExprKind::Comprehension {
            variable,
            list: Box::new(list),
            filter,
            map: map.map(Box::new),
        });
    }
    if opt(sign("]")).parse_next(input)?.is_some() {
        return Ok(ExprKind::List(Vec::new()));
    }
    let items = separated(1.., expression, sign(",")).parse_next(input)?;
    sign("]").parse_next(input)?;
    Ok(ExprKind::List(items))
}

/// `{name: 'a', …}`
pub(super) fn map_entries(input: &mut Input<'_, '_>) -> Parsed<Vec<(Name, Expr)>> {
    sign("{").parse_next(input)?;
    if opt(sign("}")).parse_next(input)?.is_some() {
        return Ok(Vec::new());
    }
    let entries = separated(1.., entry, sign(",")).parse_next(input)?;
    sign("}").parse_next(input)?;
    Ok(entries)
}

fn entry(input: &mut Input<'_, '_>) -> Parsed<(Name, Expr)> {
    let key = any_name(input)?;
    sign(":").parse_next(input)?;
    Ok((key, expression(input)?))
}

/// `(1 + 2)`, or a pattern as a condition: `(a)-[:CALLS]->(b)`.
fn parenthesised(input: &mut Input<'_, '_>) -> Parsed<Expr> {
    let at = at(input);
    if is_pattern(input) {
        let pattern = deeper(input, pattern)?;
        return Ok(Expr {
            kind: ExprKind::Exists {
                patterns: vec![pattern],
                filter: None,
            },
            at,
        });
    }
    delimited(sign("("), expression, sign(")")).parse_next(input)
}

/// Whether a relationship follows the bracket that closes the one here. Looking ahead keeps nested brackets linear.
fn is_pattern(input: &Input<'_, '_>) -> bool {
    let mut depth = 0usize;
    for ahead in 0.. {
        let token = peek(input, ahead);
        match (token.kind, token.text) {
            (Kind::End, _) => return false,
            (Kind::Sign, "(") => depth += 1,
            (Kind::Sign, ")") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (first, second) = (peek(input, ahead + 1), peek(input, ahead + 2));
            return (is_sign(&first, "-") && (is_sign(&second, "[") || is_sign(&second, "-")))
                || (is_sign(&first, "<") && is_sign(&second, "-") && {
                    let third = peek(input, ahead + 3);
                    is_sign(&third, "[") || is_sign(&third, "-")
                });
        }
    }
    false
}

fn exists(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    word("EXISTS").parse_next(input)?;
    sign("{").parse_next(input)?;
    opt(word("MATCH")).parse_next(input)?;
    let patterns = separated(1.., named_pattern, sign(",")).parse_next(input)?;
    let filter = where_(input)?.map(Box::new);
    sign("}").parse_next(input)?;
    Ok(ExprKind::Exists { patterns, filter })
}

fn case(input: &mut Input<'_, '_>) -> Parsed<ExprKind> {
    word("CASE").parse_next(input)?;
    let subject = if is_word(&peek(input, 0), "WHEN") {
        None
    } else {
        Some(Box::new(expression(input)?))
    };
    let mut branches = Vec::new();
    while opt(word("WHEN")).parse_next(input)?.is_some() {
        let condition = expression(input)?;
        word("THEN").parse_next(input)?;
        branches.push((condition, expression(input)?));
    }
    if branches.is_empty() {
        word("WHEN").parse_next(input)?;
    }
    let otherwise = opt(preceded(word("ELSE"), expression)).parse_next(input)?;
    word("END").parse_next(input)?;
    Ok(ExprKind::Case {
        subject,
        branches,
        otherwise: otherwise.map(Box::new),
    })
}
