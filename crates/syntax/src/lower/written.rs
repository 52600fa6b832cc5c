//! Types and values whose text needs more than its tokens: results of Go, types of Zig, fields without names.

#[cfg(any(test, feature = "ingest"))]
use super::tokens::{Dialect, Token, skip_brackets, tokens};
use crate::Language;
use crate::facts::SymbolKind;

/// The types of several results of a function in Go, names left out: `*Tx` and `error` of `(t *Tx, err error)`.
pub(super) fn results(language: Language, kind: SymbolKind, type_text: &str) -> Option<Vec<&str>> {
    use SymbolKind::{Constructor, Function, Method};
    if language != Language::Go || !matches!(kind, Constructor | Function | Method) {
        return None;
    }
    let inside = type_text.trim().strip_prefix('(')?;
    let results = pieces(inside.strip_suffix(')').unwrap_or(inside));
    if !results.iter().any(|piece| behind_name(piece).is_some()) {
        return Some(results);
    }
    // The names before a type share it.
    let mut written = "";
    let mut types: Vec<&str> = Vec::with_capacity(results.len());
    for piece in results.iter().rev() {
        written = behind_name(piece).unwrap_or(written);
        types.push(written);
    }
    types.reverse();
    Some(types)
}

/// Splits a text at commas outside of all brackets.
fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0usize, 0);
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.extend(text.get(start..at).map(str::trim));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..).map(str::trim));
    found
}

/// The type behind a result's name, where it has both.
fn behind_name(piece: &str) -> Option<&str> {
    let (name, written) = piece.split_once(' ')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name != "chan";
    is_name.then_some(written)
}

/// The fields of a struct or variant in parentheses, which its signature has.
pub(super) fn first_field(kind: SymbolKind, signature: &str) -> Option<&str> {
    if !matches!(kind, SymbolKind::Variant | SymbolKind::Struct) {
        return None;
    }
    let (_, rest) = signature.split_once('(')?;
    Some(rest.rsplit_once(')')?.0)
}

/// The name in a written type of Zig: `Foo` of `!*const Foo`, `anyerror!?Foo`, `Foo(u8)`. Slices and arrays give the
/// name of their items.
pub(super) fn zig_type(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let next = rest.trim_start_matches(['*', '?', '&']);
        let next = next.strip_prefix("const ").unwrap_or(next);
        let next = match (next.strip_prefix('['), next.find(']')) {
            (Some(_), Some(end)) => next.get(end + 1..).unwrap_or_default(),
            _ => next,
        };
        let next = match next.split_once('!') {
            Some((_, result)) => result,
            None => next,
        };
        if next.len() == rest.len() {
            break;
        }
        rest = next;
    }
    if rest.starts_with("@This") {
        return "Self";
    }
    rest.split('(').next().unwrap_or(rest).trim()
}

/// An expression without the insides of the brackets of its calls, indexes and blocks, which its chain has not either.
/// A text in parentheses stays: it may be the name of a module.
#[cfg(any(test, feature = "ingest"))]
pub(crate) fn abridged(text: &str, language: Language) -> String {
    let tokens = tokens(text, Dialect::of(language));
    let mut out = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let follows_value = matches!(
            before,
            Some(Token::Word(_) | Token::Text(_) | Token::Sign(')' | ']' | '}' | '>' | '!' | '?'))
        );
        let end = match token {
            Token::Sign('(' | '[' | '{') => skip_brackets(&tokens, at),
            _ => at,
        };
        let is_name = matches!(tokens.get(at + 1), Some(Token::Text(_))) && end == at + 3;
        push(&mut out, token);
        match token {
            Token::Sign(open @ ('(' | '[' | '{')) if follows_value && !is_name && end > at + 1 => {
                out.push(match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                });
                at = end;
            }
            _ => at += 1,
        }
    }
    out
}

#[cfg(any(test, feature = "ingest"))]
fn push(out: &mut String, token: &Token<'_>) {
    match token {
        Token::Word(word) => {
            if out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                out.push(' ');
            }
            out.push_str(word);
        }
        Token::Text(inside) => {
            out.push('"');
            out.push_str(inside);
            out.push('"');
        }
        Token::Path => out.push_str("::"),
        Token::Dot => out.push('.'),
        Token::Arrow => out.push_str("->"),
        Token::Sign(sign) => out.push(*sign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_by_position() {
        for (text, expected) in [
            ("(*Tx, error)", vec!["*Tx", "error"]),
            ("(t *Tx, err error)", vec!["*Tx", "error"]),
            ("(a, b []byte)", vec!["[]byte", "[]byte"]),
            (
                "(func(a int) error, chan int)",
                vec!["func(a int) error", "chan int"],
            ),
            ("(map[string]int, bool)", vec!["map[string]int", "bool"]),
            ("(x map[K]V)", vec!["map[K]V"]),
            ("()", vec![""]),
        ] {
            assert_eq!(of(Language::Go, text), Some(expected), "{text}");
        }
        assert_eq!(of(Language::Go, "error"), None);
        assert_eq!(of(Language::Rust, "(A, B)"), None);
    }

    fn of(language: Language, text: &str) -> Option<Vec<&str>> {
        results(language, SymbolKind::Function, text)
    }

    #[test]
    fn the_name_is_found_behind_pointers_and_errors() {
        for (text, expected) in [
            ("!*const Foo", "Foo"),
            ("anyerror!?Foo", "Foo"),
            ("[]const Foo", "Foo"),
            ("*Stack(u8)", "Stack"),
            ("*@This()", "Self"),
            ("std.mem.Allocator", "std.mem.Allocator"),
        ] {
            assert_eq!(zig_type(text), expected, "{text}");
        }
    }

    #[test]
    fn long_values_keep_their_names() {
        for (text, expected) in [
            ("new Foo({ a: [1] }).b(c, d)[e].f", "new Foo().b()[].f"),
            ("(a(b) as Foo<C>).d", "(a()as Foo<C>).d"),
            ("require(\"a.b\").c(d)", "require(\"a.b\").c()"),
            ("list.filter { it.x }.first", "list.filter{}.first"),
            ("{ a: b(c) }", "{a:b()}"),
        ] {
            assert_eq!(abridged(text, Language::TypeScript), expected, "{text}");
        }
    }
}
