//! The primitives of the parser: each takes a token, or notes that it was expected.

use winnow::Parser;
use winnow::error::{EmptyError, ErrMode};
use winnow::stream::{Stateful, Stream as _, TokenSlice};

use super::ast::{At, Name};
use super::error::Fault;
use super::lex::{Kind, Token};

/// Maximum nesting of brackets and subexpressions. Real queries have fewer than ten levels; each costs stack.
const MAX_DEPTH: u32 = 60;

/// Maximum height of a tree of operators. `1 + 1 + …` nests to the left, and its first operand may be as tall again.
/// Compiling and evaluating each level costs stack.
const MAX_HEIGHT: u32 = 300;

/// The state of the parser beside the tokens.
#[derive(Debug, Default)]
pub(super) struct State<'q> {
    pub query: &'q str,
    pub furthest: usize,
    pub expected: Vec<&'static str>,
    pub depth: u32,
    /// Height of the tallest expression that was read since [`framed`] began.
    pub tallest: u32,
    pub fault: Option<Fault>,
}

pub(super) type Input<'t, 'q> = Stateful<TokenSlice<'t, Token<'q>>, State<'q>>;
pub(super) type Parsed<T> = Result<T, ErrMode<EmptyError>>;

/// Words that begin or join clauses and expressions, and so are no names unless in backticks.
const RESERVED: [&str; 30] = [
    "AND", "AS", "CASE", "CONTAINS", "DISTINCT", "ELSE", "END", "ENDS", "EXISTS", "FALSE", "IN",
    "IS", "LIMIT", "MATCH", "NOT", "NULL", "OPTIONAL", "OR", "ORDER", "RETURN", "SKIP", "STARTS",
    "THEN", "TRUE", "UNION", "UNWIND", "WHEN", "WHERE", "WITH", "XOR",
];

/// The next token; the end repeats.
pub(super) fn peek<'q>(input: &Input<'_, 'q>, ahead: usize) -> Token<'q> {
    let end = Token {
        kind: Kind::End,
        text: "",
        at: input.state.query.len(),
    };
    input.input.get(ahead).copied().unwrap_or(end)
}

/// The place of the next token.
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

/// A name after `:` or `.`, where keywords are names, too.
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

/// Ends the parse with an error: no alternative is tried.
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

/// Runs a parser that builds one tree of operators; [`taller`] counts its levels.
pub(super) fn framed<'t, 'q, T>(
    input: &mut Input<'t, 'q>,
    parser: impl FnOnce(&mut Input<'t, 'q>) -> Parsed<T>,
) -> Parsed<T> {
    let before = std::mem::take(&mut input.state.tallest);
    let parsed = parser(input);
    input.state.tallest = input.state.tallest.max(before);
    parsed
}

/// Adds a level to the tree that was read since [`framed`] began.
pub(super) fn taller(input: &mut Input<'_, '_>) -> Parsed<()> {
    input.state.tallest += 1;
    if input.state.tallest <= MAX_HEIGHT {
        return Ok(());
    }
    let message = format!("more than {MAX_HEIGHT} operators within each other");
    let at = peek(input, 0).at;
    fail(input, Fault::unsupported(at, message))
}
