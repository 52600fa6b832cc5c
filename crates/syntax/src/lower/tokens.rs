//! A tokenizer for the small texts of types and receivers, common to all languages.

use crate::Language;

/// A piece of a type or expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Identifier, keyword or number; private names keep their `#`, lifetimes their `'`.
    Word(&'t str),
    /// The inside of a string or character literal.
    Text(&'t str),
    /// `::`
    Path,
    /// `.` or `?.` or `->` between an object and its member.
    Dot,
    /// `=>` or `->` before a result type.
    Arrow,
    /// Any other character.
    Sign(char),
}

/// The signs in which expressions of languages differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect(Language);

impl Dialect {
    pub(super) fn of(language: Language) -> Dialect {
        Dialect(language)
    }

    /// Length of the comment at the start of `rest`, up to its line break or end.
    fn comment(self, rest: &[u8]) -> Option<usize> {
        use Language::{Elixir, Haskell, Lua, Php, Python, Ruby};
        let to = |end: Option<usize>| Some(end.unwrap_or(rest.len()));
        match (self.0, rest) {
            (Python | Ruby | Elixir | Php, [b'#', next, ..]) if *next != b'[' => {
                to(rest.iter().position(|byte| *byte == b'\n'))
            }
            (Python | Ruby | Elixir, _) => None,
            (Lua | Haskell, [b'-', b'-', ..]) => to(rest.iter().position(|byte| *byte == b'\n')),
            (Lua | Haskell, _) => None,
            (_, [b'/', b'/', ..]) => to(rest.iter().position(|byte| *byte == b'\n')),
            (_, [b'/', b'*', ..]) => {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                to(end.map(|end| end + 4))
            }
            _ => None,
        }
    }

    /// The sign at the start of `rest` that another language writes in another way.
    fn sign(self, rest: &[u8]) -> Option<(Option<Token<'static>>, usize)> {
        match (self.0, rest) {
            // `a&.b` calls b where a is not nil; `@a` is a field.
            (Language::Ruby, [b'&', b'.', ..]) => Some((Some(Token::Dot), 2)),
            (Language::Ruby, [b'@', ..]) => Some((None, 1)),
            // `a:b()` calls a method.
            (Language::Lua, [b':', ..]) => Some((Some(Token::Dot), 1)),
            _ => None,
        }
    }

    /// Returns whether `@name` is another thing than `name`.
    pub(super) fn hides_names_behind_at(self) -> bool {
        self.0 == Language::Elixir
    }

    /// Returns whether a function gives a value of the type in its brackets: `summon[Codec]`.
    pub(super) fn gives_type(self, function: &str) -> bool {
        self.0 == Language::Scala && matches!(function, "implicitly" | "summon")
    }

    /// The module that an expression begins with, and the number of tokens that say so.
    pub(super) fn module<'t>(self, tokens: &[Token<'t>]) -> Option<(&'t str, usize)> {
        use Language::{JavaScript, Tsx, TypeScript};
        match (self.0, tokens) {
            (
                JavaScript | Tsx | TypeScript,
                [
                    Token::Word("import" | "require"),
                    Token::Sign('('),
                    Token::Text(path),
                    Token::Sign(')'),
                    ..,
                ],
            ) => Some((path, 4)),
            (Language::Lua, [Token::Word("require"), Token::Text(path), ..]) => Some((path, 2)),
            (
                Language::Lua,
                [
                    Token::Word("require"),
                    Token::Sign('('),
                    Token::Text(path),
                    Token::Sign(')'),
                    ..,
                ],
            ) => Some((path, 4)),
            (
                Language::Zig,
                [
                    Token::Sign('@'),
                    Token::Word("import"),
                    Token::Sign('('),
                    Token::Text(path),
                    Token::Sign(')'),
                    ..,
                ],
            ) => Some((path, 5)),
            _ => None,
        }
    }
}

/// Cuts an expression into tokens; white space and comments are dropped.
pub(super) fn tokens(text: &str, dialect: Dialect) -> Vec<Token<'_>> {
    cut(text, Some(dialect))
}

/// Cuts a type into tokens: there a `'` is more often a lifetime than a string.
pub(super) fn type_tokens(text: &str) -> Vec<Token<'_>> {
    cut(text, None)
}

/// Types are the same in all dialects.
fn cut(text: &str, dialect: Option<Dialect>) -> Vec<Token<'_>> {
    let is_type = dialect.is_none();
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 3 + 1);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let (token, len) = if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if let Some(len) = dialect.and_then(|dialect| dialect.comment(rest)) {
            at += len;
            continue;
        } else if let Some((sign, len)) = dialect.and_then(|dialect| dialect.sign(rest)) {
            out.extend(sign);
            at += len;
            continue;
        } else if is_word_byte(byte)
            || (byte == b'#' && rest.get(1).copied().is_some_and(is_word_byte))
        {
            let len = 1 + rest[1..].iter().take_while(|b| is_word_byte(**b)).count();
            (Token::Word(text.get(at..at + len).unwrap_or_default()), len)
        } else if byte == b'\'' && is_lifetime(&out, rest, is_type) {
            let len = 1 + rest[1..].iter().take_while(|b| is_word_byte(**b)).count();
            (Token::Word(text.get(at..at + len).unwrap_or_default()), len)
        } else if matches!(byte, b'"' | b'`' | b'\'') {
            quoted(text, at)
        } else if rest.starts_with(b"::") {
            (Token::Path, 2)
        } else if byte == b'\\' {
            // Namespaces of PHP.
            (Token::Path, 1)
        } else if rest.starts_with(b"?->") {
            (Token::Arrow, 3)
        } else if rest.starts_with(b"=>") || rest.starts_with(b"->") {
            (Token::Arrow, 2)
        } else if rest.starts_with(b"?.") {
            (Token::Dot, 2)
        } else if byte == b'.' {
            let len = rest.iter().take_while(|b| **b == b'.').count();
            if len == 1 {
                (Token::Dot, 1)
            } else {
                (Token::Sign('…'), len)
            }
        } else {
            (Token::Sign(char::from(byte)), 1)
        };
        out.push(token);
        at += len.max(1);
    }
    out
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether the quote that begins `rest` begins a lifetime: `&'a Foo`, `Foo<'a, 'b>`.
fn is_lifetime(before: &[Token<'_>], rest: &[u8], is_type: bool) -> bool {
    let can_follow = match before.last() {
        Some(Token::Sign('&')) => true,
        Some(Token::Sign('<' | ',' | '+')) => is_type,
        _ => false,
    };
    let n_word = rest[1..].iter().take_while(|b| is_word_byte(**b)).count();
    can_follow && n_word > 0 && !matches!(rest.get(1 + n_word), Some(b'\'' | b'-' | b'/' | b'.'))
}

/// A literal from its opening quote; a `'` that no other closes soon is a Rust lifetime.
fn quoted(text: &str, start: usize) -> (Token<'_>, usize) {
    let bytes = text.as_bytes();
    let quote = bytes[start];
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' {
            at += 1;
        } else if byte == quote {
            return (
                Token::Text(text.get(start + 1..at).unwrap_or_default()),
                at + 1 - start,
            );
        }
        at += 1;
    }
    let len = 1 + bytes[start + 1..]
        .iter()
        .take_while(|b| is_word_byte(**b))
        .count();
    (
        Token::Word(text.get(start..start + len).unwrap_or_default()),
        len,
    )
}

/// Index just past the bracket that closes the one at `open`; the end where none does.
pub(super) fn skip_brackets(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Type arguments of more tokens are not looked for: every `<` of a text without a `>` would be compared with all of it.
const MAX_ARGUMENTS: usize = 2_000;

/// Index just past the `>` that closes the `<` at `open`, if these are type arguments.
pub(super) fn skip_angles(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut index = open;
    while let Some(token) = tokens.get(index).filter(|_| index - open < MAX_ARGUMENTS) {
        match token {
            Token::Sign('<') => depth += 1,
            Token::Sign('>') => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            Token::Sign('(' | '[' | '{') => {
                index = skip_brackets(tokens, index);
                continue;
            }
            Token::Sign(';' | ')' | ']' | '}') => return None,
            _ => {}
        }
        index += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        super::tokens(text, Dialect::of(Language::Rust))
    }

    #[test]
    fn lifetimes_and_strings() {
        assert_eq!(
            tokens("&'a str"),
            [Token::Sign('&'), Token::Word("'a"), Token::Word("str")]
        );
        assert_eq!(
            tokens("a?.b('x)')"),
            [
                Token::Word("a"),
                Token::Dot,
                Token::Word("b"),
                Token::Sign('('),
                Token::Text("x)"),
                Token::Sign(')')
            ]
        );
    }

    #[test]
    fn brackets_and_angles() {
        let list = tokens("a(b[c])d");
        assert_eq!(skip_brackets(&list, 1), 7);
        assert_eq!(skip_angles(&tokens("<A<B>>c"), 0), Some(6));
        assert_eq!(skip_angles(&tokens("<b)"), 0), None);
    }
}
