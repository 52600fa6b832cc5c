//! Tokens to a tree: clauses and patterns; expressions are in [`super::expression`].
//!
//! Every token that was looked for and not found is noted with its place; if the query cannot be read, those noted at the
//! furthest place are what was expected there.

use winnow::Parser;
use winnow::combinator::{alt, delimited, opt, preceded, separated};
use winnow::error::{EmptyError, ErrMode};
use winnow::stream::{Stateful, Stream, TokenSlice};

use super::ast::{
    Arrow, At, Clause, Item, Length, Name, NodePattern, Order, Pattern, Projection, Query,
    RelationPattern, Shortest,
};
use super::error::{CypherErrorKind, Fault, nearest};
use super::expression::{expression, map_entries};
use super::lex::{Kind, Token, lex};

/// Brackets and subexpressions within each other. Real queries have fewer than ten; each costs stack.
const MAX_DEPTH: u32 = 60;

/// What the parser keeps beside the tokens.
#[derive(Debug, Default)]
pub(super) struct State<'q> {
    query: &'q str,
    furthest: usize,
    expected: Vec<&'static str>,
    depth: u32,
    fault: Option<Fault>,
}

pub(super) type Input<'t, 'q> = Stateful<TokenSlice<'t, Token<'q>>, State<'q>>;
pub(super) type Parsed<T> = Result<T, ErrMode<EmptyError>>;

/// Words that begin or join clauses and expressions, and so are no names unless in backticks.
const RESERVED: [&str; 30] = [
    "AND", "AS", "CASE", "CONTAINS", "DISTINCT", "ELSE", "END", "ENDS", "EXISTS", "FALSE", "IN",
    "IS", "LIMIT", "MATCH", "NOT", "NULL", "OPTIONAL", "OR", "ORDER", "RETURN", "SKIP", "STARTS",
    "THEN", "TRUE", "UNION", "UNWIND", "WHEN", "WHERE", "WITH", "XOR",
];

/// What can follow any expression: one by one they would hide the rest of what was expected.
const OPERATORS: [&str; 15] = [
    "STARTS", "ENDS", "CONTAINS", "=~", "IN", "IS", "=", "<>", "!=", "<=", ">=", ">", "AND", "XOR",
    "OR",
];

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

// ---- tokens

/// The next token; the end repeats.
pub(super) fn peek<'q>(input: &Input<'_, 'q>, ahead: usize) -> Token<'q> {
    let end = Token {
        kind: Kind::End,
        text: "",
        at: input.state.query.len(),
    };
    input
        .input
        .iter_offsets()
        .nth(ahead)
        .map_or(end, |(_, token)| *token)
}

/// Where the next token stands.
pub(super) fn at(input: &Input<'_, '_>) -> At {
    At(peek(input, 0).at)
}

fn accept<'q>(
    input: &mut Input<'_, 'q>,
    expected: &'static str,
    test: impl Fn(&Token<'q>) -> bool,
) -> Parsed<Token<'q>> {
    let token = peek(input, 0);
    if test(&token) {
        if token.kind != Kind::End {
            input.next_token();
        }
        return Ok(token);
    }
    let state = &mut input.state;
    if token.at > state.furthest {
        state.furthest = token.at;
        state.expected.clear();
    }
    if token.at == state.furthest && !state.expected.contains(&expected) {
        state.expected.push(expected);
    }
    Err(ErrMode::Backtrack(EmptyError))
}

/// A sign such as `(`.
pub(super) fn sign<'t, 'q: 't>(
    text: &'static str,
) -> impl Parser<Input<'t, 'q>, Token<'q>, ErrMode<EmptyError>> {
    move |input: &mut Input<'t, 'q>| {
        accept(input, text, |token| {
            token.kind == Kind::Sign && token.text == text
        })
    }
}

/// A keyword, in any case.
pub(super) fn word<'t, 'q: 't>(
    text: &'static str,
) -> impl Parser<Input<'t, 'q>, Token<'q>, ErrMode<EmptyError>> {
    move |input: &mut Input<'t, 'q>| accept(input, text, |token| is_word(token, text))
}

pub(super) fn is_word(token: &Token<'_>, text: &str) -> bool {
    token.kind == Kind::Word && token.text.eq_ignore_ascii_case(text)
}

pub(super) fn is_sign(token: &Token<'_>, text: &str) -> bool {
    token.kind == Kind::Sign && token.text == text
}

pub(super) fn token_of<'q>(
    input: &mut Input<'_, 'q>,
    kind: Kind,
    expected: &'static str,
) -> Parsed<Token<'q>> {
    accept(input, expected, |token| token.kind == kind)
}

/// Whether a token can name a variable.
pub(super) fn is_name(token: &Token<'_>) -> bool {
    let is_reserved = || {
        RESERVED
            .iter()
            .any(|word| token.text.eq_ignore_ascii_case(word))
    };
    token.kind == Kind::Quoted || (token.kind == Kind::Word && !is_reserved())
}

/// The name of a variable.
pub(super) fn name(input: &mut Input<'_, '_>) -> Parsed<Name> {
    accept(input, "a name", is_name).map(named)
}

/// A name after `:` or `.`, where no keyword can stand.
pub(super) fn any_name(input: &mut Input<'_, '_>) -> Parsed<Name> {
    accept(input, "a name", |token| {
        matches!(token.kind, Kind::Word | Kind::Quoted)
    })
    .map(named)
}

pub(super) fn named(token: Token<'_>) -> Name {
    Name {
        text: token.text.to_owned(),
        at: At(token.at),
    }
}

/// Ends the parse: no other reading of the query is tried.
pub(super) fn fail<T>(input: &mut Input<'_, '_>, fault: Fault) -> Parsed<T> {
    input.state.fault.get_or_insert(fault);
    Err(ErrMode::Cut(EmptyError))
}

/// Runs a parser one level deeper.
pub(super) fn deeper<'t, 'q, T>(
    input: &mut Input<'t, 'q>,
    parser: impl FnOnce(&mut Input<'t, 'q>) -> Parsed<T>,
) -> Parsed<T> {
    if input.state.depth >= MAX_DEPTH {
        let message = format!("more than {MAX_DEPTH} levels of nesting");
        let at = peek(input, 0).at;
        return fail(input, Fault::unsupported(at, message));
    }
    input.state.depth += 1;
    let parsed = parser(input);
    input.state.depth -= 1;
    parsed
}

/// The text between a place and the next token.
fn text_since(input: &Input<'_, '_>, start: At) -> String {
    let piece = input.state.query.get(start.0..peek(input, 0).at);
    piece.unwrap_or_default().trim().to_owned()
}

// ---- clauses

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

/// `WHERE …`, if it is there.
pub(super) fn where_(input: &mut Input<'_, '_>) -> Parsed<Option<super::ast::Expr>> {
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
    let is_variable = matches!(expr.kind, super::ast::ExprKind::Variable(_));
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

// ---- patterns

/// A pattern of MATCH: it may have a name, and be the shortest.
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
        // Noted, so that it is among what was expected.
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
pub(super) fn labels(input: &mut Input<'_, '_>) -> Parsed<super::ast::Labels> {
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

fn properties(input: &mut Input<'_, '_>) -> Parsed<Vec<(Name, super::ast::Expr)>> {
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

/// What follows the `*`.
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
