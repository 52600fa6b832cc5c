//! Parses tokens into a tree: clauses. Patterns are in [`super::pattern`], expressions in [`super::expression`].
//!
//! Every token that was expected and not found is noted with its place; if the query cannot be read, the error message
//! lists those noted at the furthest place.

use winnow::Parser;
use winnow::combinator::{alt, opt, preceded, separated};
use winnow::stream::{Stateful, TokenSlice};

use super::ast::{At, Clause, Expr, ExprKind, Item, Order, Projection, Query};
use super::error::{CypherErrorKind, Fault, nearest};
use super::expression::expression;
use super::lex::{Kind, Token, lex};
use super::pattern::named_pattern;
use super::tokens::{Input, Parsed, State, at, fail, is_word, name, peek, sign, token_of, word};

/// Tokens that can follow any expression. Listed one by one in a message they would hide the other expected tokens.
const OPERATORS: [&str; 15] = [
    "STARTS", "ENDS", "CONTAINS", "=~", "IN", "IS", "=", "<>", "!=", "<=", ">=", ">", "AND", "XOR",
    "OR",
];

/// Maximum number of clauses: rows go from clause to clause on the stack.
const MAX_CLAUSES: usize = 100;

/// Clauses that change a graph.
const WRITES: [&str; 13] = [
    "CREATE", "MERGE", "DELETE", "DETACH", "SET", "REMOVE", "FOREACH", "LOAD", "DROP", "INSERT",
    "ALTER", "COPY", "START",
];

/// The tree of a query.
pub(super) fn parse(query: &str) -> Result<Query, Fault> {
    let tokens = lex(query)?;
    let state = State {
        query,
        ..State::default()
    };
    let mut input = Stateful {
        input: TokenSlice::new(&tokens),
        state,
    };
    match whole_query(&mut input) {
        Ok(query) => Ok(query),
        Err(_) => Err(input
            .state
            .fault
            .take()
            .unwrap_or_else(|| unexpected(&input.state, &tokens))),
    }
}

fn unexpected(state: &State<'_>, tokens: &[Token<'_>]) -> Fault {
    let found = tokens.iter().find(|token| token.at >= state.furthest);
    let shown = found.map_or_else(String::new, Token::shown);
    let mut expected: Vec<String> = Vec::new();
    for text in &state.expected {
        let text = match text {
            _ if OPERATORS.contains(text) => "an operator".to_owned(),
            _ if text.starts_with(char::is_alphabetic) => (*text).to_owned(),
            _ => format!("`{text}`"),
        };
        if !expected.contains(&text) {
            expected.push(text);
        }
    }
    let expected = match expected.split_last() {
        None => return Fault::syntax(state.furthest, format!("{shown} does not fit here")),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    };
    let fault = Fault::syntax(
        state.furthest,
        format!("expected {expected}, found {shown}"),
    );
    let word = found.filter(|token| token.kind == Kind::Word);
    match word.and_then(|token| nearest(token.text, state.expected.iter().copied())) {
        Some(near) => fault.with_help(format!("did you mean {near}?")),
        None => fault,
    }
}

/// The text between a place and the next token.
fn text_since(input: &Input<'_, '_>, start: At) -> String {
    let piece = input.state.query.get(start.0..peek(input, 0).at);
    piece.unwrap_or_default().trim().to_owned()
}

fn whole_query(input: &mut Input<'_, '_>) -> Parsed<Query> {
    let mut query = Query {
        parts: vec![single_query(input)?],
        all: Vec::new(),
    };
    while opt(word("UNION")).parse_next(input)?.is_some() {
        query
            .all
            .push(opt(word("ALL")).parse_next(input)?.is_some());
        query.parts.push(single_query(input)?);
    }
    opt(sign(";")).parse_next(input)?;
    token_of(input, Kind::End, "the end of the query")?;
    Ok(query)
}

/// Clauses up to RETURN.
fn single_query(input: &mut Input<'_, '_>) -> Parsed<Vec<Clause>> {
    let mut clauses = Vec::new();
    loop {
        refuse_writes(input)?;
        if clauses.len() == MAX_CLAUSES {
            let fault = format!("more than {MAX_CLAUSES} clauses");
            let at = peek(input, 0).at;
            return fail(input, Fault::unsupported(at, fault));
        }
        let clause = alt((match_clause, unwind, with, return_)).parse_next(input)?;
        let is_last = matches!(clause, Clause::Return(_));
        clauses.push(clause);
        if is_last {
            refuse_writes(input)?;
            return Ok(clauses);
        }
    }
}

fn refuse_writes(input: &mut Input<'_, '_>) -> Parsed<()> {
    let token = peek(input, 0);
    if let Some(write) = WRITES.into_iter().find(|write| is_word(&token, write)) {
        let message = format!("{write} would change the graph, which can only be read");
        let fault = Fault::new(CypherErrorKind::Write, token.at, message)
            .with_help("use MATCH, WHERE, WITH, UNWIND and RETURN");
        return fail(input, fault);
    }
    if is_word(&token, "CALL") {
        let fault = Fault::unsupported(token.at, "there are no procedures to CALL");
        return fail(
            input,
            fault.with_help("use MATCH, WHERE, WITH, UNWIND and RETURN"),
        );
    }
    Ok(())
}

fn match_clause(input: &mut Input<'_, '_>) -> Parsed<Clause> {
    let optional = opt(word("OPTIONAL")).parse_next(input)?.is_some();
    word("MATCH").parse_next(input)?;
    Ok(Clause::Match {
        optional,
        patterns: separated(1.., named_pattern, sign(",")).parse_next(input)?,
        filter: where_(input)?,
    })
}

/// `WHERE …`, if present.
pub(super) fn where_(input: &mut Input<'_, '_>) -> Parsed<Option<Expr>> {
    opt(preceded(word("WHERE"), expression)).parse_next(input)
}

fn unwind(input: &mut Input<'_, '_>) -> Parsed<Clause> {
    word("UNWIND").parse_next(input)?;
    let list = expression(input)?;
    word("AS").parse_next(input)?;
    Ok(Clause::Unwind {
        list,
        variable: name(input)?,
    })
}

fn with(input: &mut Input<'_, '_>) -> Parsed<Clause> {
    let at = at(input);
    word("WITH").parse_next(input)?;
    let projection = projection(input, at)?;
    if let Some(item) = projection.items.iter().find(|item| !item.has_alias) {
        let fault = Fault::syntax(
            item.expr.at.0,
            format!("`{}` in WITH needs a name", item.name),
        );
        return fail(
            input,
            fault.with_help(format!("write `{} AS …`", item.name)),
        );
    }
    Ok(Clause::With {
        projection,
        filter: where_(input)?,
    })
}

fn return_(input: &mut Input<'_, '_>) -> Parsed<Clause> {
    let at = at(input);
    word("RETURN").parse_next(input)?;
    Ok(Clause::Return(projection(input, at)?))
}

fn projection(input: &mut Input<'_, '_>, at: At) -> Parsed<Projection> {
    let distinct = opt(word("DISTINCT")).parse_next(input)?.is_some();
    let star = opt(sign("*")).parse_next(input)?.is_some();
    let items = if star {
        opt(preceded(sign(","), separated(1.., item, sign(","))))
            .parse_next(input)?
            .unwrap_or_default()
    } else {
        separated(1.., item, sign(",")).parse_next(input)?
    };
    let order = opt(preceded(
        (word("ORDER"), word("BY")),
        separated(1.., order, sign(",")),
    ))
    .parse_next(input)?
    .unwrap_or_default();
    Ok(Projection {
        at,
        distinct,
        star,
        items,
        order,
        skip: opt(preceded(word("SKIP"), expression)).parse_next(input)?,
        limit: opt(preceded(word("LIMIT"), expression)).parse_next(input)?,
    })
}

fn item(input: &mut Input<'_, '_>) -> Parsed<Item> {
    let start = at(input);
    let expr = expression(input)?;
    let written = text_since(input, start);
    let alias = opt(preceded(word("AS"), name)).parse_next(input)?;
    let is_variable = matches!(expr.kind, ExprKind::Variable(_));
    Ok(Item {
        expr,
        has_alias: alias.is_some() || is_variable,
        name: alias.map_or(written, |alias| alias.text),
    })
}

fn order(input: &mut Input<'_, '_>) -> Parsed<Order> {
    let expr = expression(input)?;
    let direction = opt(alt((
        word("DESCENDING"),
        word("DESC"),
        word("ASCENDING"),
        word("ASC"),
    )))
    .parse_next(input)?;
    Ok(Order {
        expr,
        descending: direction.is_some_and(|token| {
            token
                .text
                .get(..4)
                .is_some_and(|d| d.eq_ignore_ascii_case("DESC"))
        }),
    })
}
