//! The words and signs of SQL: text in comments and strings is skipped, quoted names are kept.

use crate::text::is_word;

/// A word, a sign, or a name in quotes.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) is_quoted: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    pub(super) fn is_name(&self) -> bool {
        self.is_quoted
            || self
                .text
                .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '#' | '@'))
    }

    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// All tokens; comments and strings are none, names in quotes are.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    // The statement's end besides the semicolon, and the tag of an open dollar-quoted text.
    let (mut delimiter, mut dollars): (Option<&str>, Option<&str>) = (None, None);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        if let Some(sign) = delimiter.filter(|sign| rest.starts_with(sign)) {
            out.push(plain(";", at));
            at += sign.len();
            continue;
        }
        let mark = dollars.filter(|mark| rest.starts_with(mark));
        if let Some(mark) = mark.or_else(|| dollar_quote(rest).filter(|_| dollars.is_none())) {
            dollars = dollars.is_none().then_some(mark);
            out.push(plain(DOLLARS, at));
            at += mark.len();
            continue;
        }
        let length = match first {
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '\'' => string(rest, '\''),
            '"' | '`' | '[' if is_quoted_name(rest) => {
                let length = quoted_length(rest, if first == '[' { ']' } else { first });
                out.push(Token {
                    text: rest.get(1..length.saturating_sub(1)).unwrap_or_default(),
                    at: at + 1,
                    is_quoted: true,
                });
                length
            }
            c if is_word(c) || c == '@' || c == '#' => {
                let word = word_of(rest);
                if word.eq_ignore_ascii_case("delimiter") {
                    // MySQL's client: what ends a statement is said for the lines that follow, and is no SQL.
                    let line = rest.lines().next().unwrap_or_default();
                    let sign = line.get(word.len()..).unwrap_or_default().trim();
                    delimiter = Some(sign).filter(|sign| !sign.is_empty() && *sign != ";");
                    line.len()
                } else {
                    out.push(plain(word, at));
                    word.len()
                }
            }
            c if c.is_whitespace() => c.len_utf8(),
            c => {
                let sign = rest.get(..c.len_utf8()).unwrap_or_default();
                out.push(plain(sign, at));
                c.len_utf8()
            }
        };
        at += length.max(1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    out
}

fn plain(text: &str, at: usize) -> Token<'_> {
    Token {
        text,
        at,
        is_quoted: false,
    }
}

/// The word that a text begins with.
fn word_of(rest: &str) -> &str {
    let mut chars = rest.char_indices().skip(1);
    let end = chars.find(|&(_, c)| !(is_word(c) || matches!(c, '$' | '#' | '@')));
    end.and_then(|(at, _)| rest.get(..at)).unwrap_or(rest)
}

/// Length of the name in quotes that a text begins with, quotes included.
fn quoted_length(rest: &str, close: char) -> usize {
    rest.get(1..)
        .and_then(|inner| inner.find(close))
        .map_or(rest.len(), |end| end + 2)
}

/// `[a]` is a name in T-SQL, and a subscript elsewhere.
fn is_quoted_name(rest: &str) -> bool {
    !rest.starts_with('[')
        || rest
            .get(1..)
            .and_then(|inner| inner.split(']').next())
            .is_some_and(|inner| {
                inner.starts_with(|c: char| c.is_alphabetic() || c == '_') && inner.len() < 130
            })
}

fn string(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    rest.len()
}

/// Placeholder of the marks around a dollar-quoted text.
pub(super) const DOLLARS: &str = "$$";

/// The mark of PostgreSQL's `$$ … $$` and `$tag$ … $tag$`, if one begins here and is closed.
fn dollar_quote(rest: &str) -> Option<&str> {
    let end = rest.strip_prefix('$')?.find('$')? + 2;
    let (mark, behind) = (rest.get(..end)?, rest.get(end..)?);
    let is_mark = mark.get(1..end - 1)?.chars().all(is_word);
    (is_mark && behind.contains(mark)).then_some(mark)
}

/// The tokens inside the bracket that `tokens` begin with.
pub(super) fn bracketed<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut depth = 0_i32;
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| !token.is_quoted)
    {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return tokens.get(1..at).unwrap_or_default();
        }
    }
    tokens.get(1..).unwrap_or_default()
}

/// Splits at the commas outside brackets.
pub(super) fn parts<'t, 'a>(list: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0_i32;
    let is_border = |token: &Token| {
        match token.text {
            "(" if !token.is_quoted => depth += 1,
            ")" if !token.is_quoted => depth -= 1,
            _ => {}
        }
        depth == 0 && token.text == "," && !token.is_quoted
    };
    list.split(is_border)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Words before a bracket that are no functions.
pub(super) fn is_keyword(token: &Token) -> bool {
    token.is_any(&[
        "and",
        "any",
        "all",
        "as",
        "bigint",
        "by",
        "case",
        "cast",
        "char",
        "check",
        "constraint",
        "decimal",
        "default",
        "distinct",
        "else",
        "enum",
        "except",
        "exists",
        "filter",
        "float",
        "foreign",
        "from",
        "generated",
        "group",
        "having",
        "if",
        "in",
        "index",
        "insert",
        "int",
        "integer",
        "intersect",
        "into",
        "join",
        "key",
        "not",
        "nullif",
        "numeric",
        "nvarchar",
        "on",
        "or",
        "over",
        "partition",
        "precision",
        "primary",
        "references",
        "returning",
        "returns",
        "select",
        "set",
        "some",
        "table",
        "then",
        "timestamp",
        "tinyint",
        "union",
        "unique",
        "using",
        "values",
        "varchar",
        "varying",
        "when",
        "where",
        "with",
        "within",
    ])
}
