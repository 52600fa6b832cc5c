//! The smallest expressions: values, variables, calls, lists, maps, CASE, patterns as conditions.

use winnow::Parser;
use winnow::combinator::{delimited, opt, preceded, separated};

use super::ast::{Call, Expr, ExprKind, Name, Quantifier};
use super::error::Fault;
use super::expression::expression;
use super::lex::{Kind, unescape};
use super::parse::where_;
use super::pattern::{named_pattern, pattern};
use super::tokens::{
    Input, Parsed, any_name, at, deeper, fail, is_name, is_sign, is_word, name, peek, sign,
    token_of, word,
};

pub(super) fn atom(input: &mut Input<'_, '_>) -> Parsed<Expr> {
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

/// Notes that an expression was expected: "a name" alone would hide that numbers and strings are allowed, too.
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

/// Whether a relationship follows the bracket that closes this one. The look-ahead keeps nested brackets linear.
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
