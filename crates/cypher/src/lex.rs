//! Splits the text of a query into tokens. Keywords are words here: the parser knows where they are keywords.

use winnow::Parser;
use winnow::ascii::digit1;
use winnow::combinator::{alt, delimited, opt, preceded, repeat, terminated};
use winnow::error::EmptyError;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, none_of, one_of, take_till, take_until, take_while};

use super::error::Fault;

/// Maximum length of a query, in bytes: no person writes longer ones, and every token costs memory.
const MAX_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word: a keyword or a name.
    Word,
    /// A name in backticks.
    Quoted,
    /// A string in single or double quotes.
    Text,
    Int,
    Float,
    /// `$name`
    Parameter,
    /// A sign such as `(` or `<=`.
    Sign,
    /// The end of the query.
    End,
}

/// A token: its kind, its text and its place in the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'q> {
    pub kind: Kind,
    pub text: &'q str,
    pub at: usize,
}

impl Token<'_> {
    /// The token as error messages show it.
    pub fn shown(&self) -> String {
        match self.kind {
            Kind::End => "the end of the query".to_owned(),
            _ => format!("`{}`", self.text.chars().take(40).collect::<String>()),
        }
    }
}

type Input<'q> = LocatingSlice<&'q str>;
type Lexed<T> = Result<T, EmptyError>;

/// All tokens; the last is the end.
pub(super) fn lex(query: &str) -> Result<Vec<Token<'_>>, Fault> {
    if query.len() > MAX_BYTES {
        let message = format!("the query has {} bytes, more than {MAX_BYTES}", query.len());
        return Err(Fault::limit(message, "pass long lists as parameters"));
    }
    let mut input = LocatingSlice::new(query);
    let mut tokens = Vec::new();
    loop {
        if space(&mut input).is_err() {
            return Err(Fault::syntax(
                input.current_token_start(),
                "a comment that is never closed",
            ));
        }
        let at = input.current_token_start();
        if input.is_empty() {
            tokens.push(Token {
                kind: Kind::End,
                text: "",
                at,
            });
            return Ok(tokens);
        }
        match token(&mut input) {
            Ok((kind, text)) => tokens.push(Token { kind, text, at }),
            Err(_) => return Err(unreadable(query, at)),
        }
    }
}

fn unreadable(query: &str, at: usize) -> Fault {
    let rest = query.get(at..).unwrap_or_default();
    let message = match rest.chars().next() {
        Some(quote @ ('\'' | '"' | '`')) => format!("a {quote} that is never closed"),
        Some('$') => "`$` without the name of a parameter".to_owned(),
        Some(other) => format!("`{other}` means nothing here"),
        None => "the query ends too early".to_owned(),
    };
    Fault::syntax(at, message)
}

/// White space and comments.
fn space(input: &mut Input<'_>) -> Lexed<()> {
    let line = ("//", take_till(0.., '\n')).void();
    let block = ("/*", take_until(0.., "*/"), "*/").void();
    let blank = take_while(1.., char::is_whitespace).void();
    repeat::<_, _, (), _, _>(0.., alt((blank, line, block))).parse_next(input)?;
    if input.starts_with("/*") {
        return Err(EmptyError);
    }
    Ok(())
}

fn token<'q>(input: &mut Input<'q>) -> Lexed<(Kind, &'q str)> {
    alt((
        number,
        name.map(|text| (Kind::Word, text)),
        preceded('$', alt((name, digit1))).map(|text| (Kind::Parameter, text)),
        delimited('`', take_till(1.., '`'), '`').map(|text| (Kind::Quoted, text)),
        alt((string('\''), string('"'))).map(|text| (Kind::Text, text)),
        sign.map(|text| (Kind::Sign, text)),
    ))
    .parse_next(input)
}

fn name<'q>(input: &mut Input<'q>) -> Lexed<&'q str> {
    (
        one_of(|c: char| c.is_alphabetic() || c == '_'),
        take_while(0.., |c: char| c.is_alphanumeric() || c == '_'),
    )
        .take()
        .parse_next(input)
}

/// `1`, `1.5`, `1e9`, `.5`; of `1..3` only the `1`.
fn number<'q>(input: &mut Input<'q>) -> Lexed<(Kind, &'q str)> {
    let exponent = || (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1).void();
    let fraction = || ('.', digit1).void();
    let with_fraction = (digit1.void(), fraction(), opt(exponent())).void();
    let with_exponent = (digit1.void(), exponent()).void();
    let bare_fraction = (fraction(), opt(exponent())).void();
    alt((
        alt((with_fraction, with_exponent, bare_fraction))
            .take()
            .map(|text| (Kind::Float, text)),
        digit1.map(|text| (Kind::Int, text)),
    ))
    .parse_next(input)
}

/// A string with its escapes, without its quotes.
fn string<'q>(quote: char) -> impl Parser<Input<'q>, &'q str, EmptyError> {
    let inside = alt((
        ('\\', any).void(),
        none_of(move |c: char| c == '\\' || c == quote).void(),
    ));
    delimited(quote, repeat::<_, _, (), _, _>(0.., inside).take(), quote)
}

fn sign<'q>(input: &mut Input<'q>) -> Lexed<&'q str> {
    let two = alt(("<=", ">=", "<>", "!=", "=~", ".."));
    let one = one_of([
        '(', ')', '[', ']', '{', '}', ',', ':', ';', '.', '|', '+', '-', '*', '/', '%', '^', '=',
        '<', '>', '!',
    ])
    .take();
    terminated(alt((two, one)), winnow::combinator::empty).parse_next(input)
}

/// The value of a string token.
pub(super) fn unescape(text: &str, at: usize) -> Result<String, Fault> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some('b') => value.push('\u{8}'),
            Some('f') => value.push('\u{c}'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                let code = code.ok_or_else(|| {
                    Fault::syntax(at, format!("`\\u{digits}` is no character"))
                        .with_help("write \\u and four hexadecimal digits")
                })?;
                value.push(code);
            }
            // `\.` and `\d` of regular expressions keep their backslash, so that patterns need no second one.
            Some(other) if !matches!(other, '\\' | '\'' | '"' | '`') => value.extend(['\\', other]),
            Some(other) => value.push(other),
            None => {}
        }
    }
    Ok(value)
}
