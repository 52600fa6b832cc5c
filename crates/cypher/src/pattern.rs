//! Patterns: `(a:Class)-[r:CALLS*1..3]->(b {name: 'x'})`.

use winnow::Parser;
use winnow::combinator::{alt, delimited, opt, preceded, separated};

use super::ast::{
    Arrow, Expr, Labels, Length, Name, NodePattern, Pattern, RelationPattern, Shortest,
};
use super::atom::map_entries;
use super::error::Fault;
use super::lex::Kind;
use super::tokens::{
    Input, Parsed, any_name, at, fail, is_name, is_sign, name, peek, sign, token_of, word,
};

/// A pattern of MATCH, optionally with a name, or within `shortestPath`.
pub(super) fn named_pattern(input: &mut Input<'_, '_>) -> Parsed<Pattern> {
    let has_name = is_name(&peek(input, 0)) && is_sign(&peek(input, 1), "=");
    let variable = if has_name {
        let variable = name(input)?;
        sign("=").parse_next(input)?;
        Some(variable)
    } else {
        None
    };
    let shortest = alt((
        word("shortestPath").value(Shortest::One),
        word("allShortestPaths").value(Shortest::All),
    ));
    let shortest = opt(shortest).parse_next(input)?;
    let mut pattern = match shortest {
        Some(_) => delimited(sign("("), pattern, sign(")")).parse_next(input)?,
        None => pattern(input)?,
    };
    if shortest.is_some() && pattern.steps.len() != 1 {
        let fault = Fault::syntax(
            pattern.at.0,
            "the shortest path is of one relationship, such as (a)-[:CALLS*]->(b)",
        );
        return fail(input, fault);
    }
    pattern.variable = variable;
    pattern.shortest = shortest;
    Ok(pattern)
}

/// `(a)-[r]->(b)…`
pub(super) fn pattern(input: &mut Input<'_, '_>) -> Parsed<Pattern> {
    let at = at(input);
    let start = node(input)?;
    let mut steps = Vec::new();
    while is_sign(&peek(input, 0), "-") || is_sign(&peek(input, 0), "<") {
        steps.push((relation(input)?, node(input)?));
    }
    if steps.is_empty() {
        // Noted, so that the error message lists it among the expected tokens.
        opt(alt((sign("-"), sign("<")))).parse_next(input)?;
    }
    Ok(Pattern {
        variable: None,
        shortest: None,
        start,
        steps,
        at,
    })
}

fn node(input: &mut Input<'_, '_>) -> Parsed<NodePattern> {
    sign("(").parse_next(input)?;
    let node = NodePattern {
        variable: opt(name).parse_next(input)?,
        labels: labels(input)?,
        properties: properties(input)?,
    };
    sign(")").parse_next(input)?;
    Ok(node)
}

/// `:A:B`, `:A|B`; none is an empty list.
pub(super) fn labels(input: &mut Input<'_, '_>) -> Parsed<Labels> {
    let mut groups = Vec::new();
    while opt(sign(":")).parse_next(input)?.is_some() {
        groups.push(alternatives(input)?);
    }
    Ok(groups)
}

/// `A|B|:C`
fn alternatives(input: &mut Input<'_, '_>) -> Parsed<Vec<Name>> {
    separated(1.., any_name, (sign("|"), opt(sign(":")))).parse_next(input)
}

fn properties(input: &mut Input<'_, '_>) -> Parsed<Vec<(Name, Expr)>> {
    Ok(opt(map_entries).parse_next(input)?.unwrap_or_default())
}

fn relation(input: &mut Input<'_, '_>) -> Parsed<RelationPattern> {
    let at = at(input);
    let left = opt(sign("<")).parse_next(input)?.is_some();
    sign("-").parse_next(input)?;
    let details = opt(delimited(sign("["), relation_details, sign("]"))).parse_next(input)?;
    sign("-").parse_next(input)?;
    let right = opt(sign(">")).parse_next(input)?.is_some();
    let arrow = match (left, right) {
        (true, false) => Arrow::Left,
        (false, true) => Arrow::Right,
        _ => Arrow::Both,
    };
    let mut relation = details.unwrap_or_else(|| RelationPattern {
        variable: None,
        types: Vec::new(),
        arrow,
        length: None,
        properties: Vec::new(),
        at,
    });
    relation.arrow = arrow;
    Ok(relation)
}

fn relation_details(input: &mut Input<'_, '_>) -> Parsed<RelationPattern> {
    Ok(RelationPattern {
        at: at(input),
        variable: opt(name).parse_next(input)?,
        types: opt(preceded(sign(":"), alternatives))
            .parse_next(input)?
            .unwrap_or_default(),
        length: opt(preceded(sign("*"), length)).parse_next(input)?,
        properties: properties(input)?,
        arrow: Arrow::Both,
    })
}

/// Reads the bounds behind the `*`.
fn length(input: &mut Input<'_, '_>) -> Parsed<Length> {
    let min = opt(steps).parse_next(input)?;
    if opt(sign("..")).parse_next(input)?.is_some() {
        let max = opt(steps).parse_next(input)?;
        return Ok(Length { min, max });
    }
    Ok(Length { min, max: min })
}

fn steps(input: &mut Input<'_, '_>) -> Parsed<u32> {
    let token = token_of(input, Kind::Int, "a number of steps")?;
    match token.text.parse() {
        Ok(steps) => Ok(steps),
        Err(_) => fail(
            input,
            Fault::syntax(token.at, format!("{} steps are too many", token.text)),
        ),
    }
}
