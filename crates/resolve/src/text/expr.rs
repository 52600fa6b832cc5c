//! Parses written receivers, in the same way for every language: a head and the steps that follow it.

use super::tokens::{Token, skip_angles, skip_brackets, tokens};

/// A receiver: `a.b(c)[0]` is the head `a` with the steps member `b`, call, index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chain<'t> {
    pub head: Head<'t>,
    pub steps: Vec<Step<'t>>,
}

/// The first part of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head<'t> {
    Name(&'t str),
    /// An expression in parentheses.
    Inner(Box<Chain<'t>>),
    /// `x as T`, `(T) x`, `<T>x`: the type as tokens joined.
    Cast(String),
    /// A literal: its kind (`str`, `list`, `dict`, `number`).
    Literal(&'static str),
    Unknown,
}

/// A step after the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'t> {
    /// `.x`
    Member(&'t str),
    /// `::x`
    Path(&'t str),
    /// `(…)`
    Call,
    /// `[…]`
    Index,
}

/// Maximum nesting of parentheses; a deeper expression is unknown.
const MAX_DEPTH: u32 = 12;

/// Reads a receiver.
pub(crate) fn parse_chain(text: &str) -> Chain<'_> {
    chain(&tokens(text), 0)
}

fn chain<'t>(tokens: &[Token<'t>], depth: u32) -> Chain<'t> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Sign('&' | '*' | '!' | '-' | '+' | '~' | '@') => at += 1,
            Token::Word(
                "await" | "new" | "mut" | "typeof" | "not" | "return" | "yield" | "move" | "async",
            ) if matches!(
                tokens.get(at + 1),
                Some(Token::Word(_) | Token::Sign('(' | '&' | '*' | '[' | '<'))
            ) =>
            {
                at += 1;
            }
            _ => break,
        }
    }
    let (mut head, mut at) = head(tokens, at, depth);
    let (mut found, mut end) = steps(tokens, at);
    // `v.(*Foo).bar` in Go: the assertion gives the type, whatever is before it.
    while let Some(close) = asserted(tokens, end) {
        head = Head::Cast(joined(tokens.get(end + 2..close - 1).unwrap_or_default()));
        at = close;
        (found, end) = steps(tokens, at);
    }
    let steps = found;
    // `a || b`, `a ?? b`, `x as T`: the first alternative, or the type.
    if let Some(Token::Word("as")) = tokens.get(end) {
        return Chain {
            head: Head::Cast(joined(&tokens[end + 1..])),
            steps: Vec::new(),
        };
    }
    Chain { head, steps }
}

fn head<'t>(tokens: &[Token<'t>], at: usize, depth: u32) -> (Head<'t>, usize) {
    match tokens.get(at) {
        Some(Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            (Head::Literal("number"), at + 1)
        }
        // Prefixed strings: f"…", b'…'.
        Some(Token::Word(_)) if matches!(tokens.get(at + 1), Some(Token::Text(_))) => {
            (Head::Literal("str"), at + 2)
        }
        Some(Token::Word(word)) => (Head::Name(word), at + 1),
        Some(Token::Text(_)) => (Head::Literal("str"), at + 1),
        Some(Token::Sign('(')) => {
            let end = skip_brackets(tokens, at);
            let inside = &tokens[at + 1..end.saturating_sub(1).max(at + 1)];
            if depth >= MAX_DEPTH {
                return (Head::Unknown, end);
            }
            // A cast before a name: ((Foo) x).y
            if matches!(tokens.get(end), Some(Token::Word(_))) && !inside.is_empty() {
                return (Head::Cast(joined(inside)), end + 1);
            }
            if has_comma(inside) {
                return (Head::Literal("tuple"), end);
            }
            (Head::Inner(Box::new(chain(inside, depth + 1))), end)
        }
        Some(Token::Sign('[')) => (Head::Literal("list"), skip_brackets(tokens, at)),
        Some(Token::Sign('{')) => (Head::Literal("dict"), skip_brackets(tokens, at)),
        Some(Token::Sign('<')) => match skip_angles(tokens, at) {
            Some(end) => (Head::Unknown, end),
            None => (Head::Unknown, tokens.len()),
        },
        // A path from the root: ::foo::bar
        Some(Token::Path) => match tokens.get(at + 1) {
            Some(Token::Word(word)) => (Head::Name(word), at + 2),
            _ => (Head::Unknown, tokens.len()),
        },
        _ => (Head::Unknown, tokens.len()),
    }
}

/// Index just past the type assertion that begins at `at`. `a?.(b)` of JavaScript has the same tokens and is a call, so
/// only a pointer or a name that begins with a capital counts as a type.
fn asserted(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    if tokens.get(at) != Some(&Token::Dot) || tokens.get(at + 1) != Some(&Token::Sign('(')) {
        return None;
    }
    let close = skip_brackets(tokens, at + 1);
    let inside = tokens.get(at + 2..close.saturating_sub(1))?;
    let is_path = inside
        .iter()
        .all(|token| matches!(token, Token::Word(_) | Token::Dot | Token::Sign('*')));
    let is_type = inside.first() == Some(&Token::Sign('*')) || names_type(inside.last());
    (is_path && is_type).then_some(close)
}

fn names_type(token: Option<&Token<'_>>) -> bool {
    matches!(token, Some(Token::Word(word)) if word.starts_with(char::is_uppercase))
}

/// Whether there is a comma outside of all brackets.
fn has_comma(tokens: &[Token<'_>]) -> bool {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Sign(',') => return true,
            Token::Sign('(' | '[' | '{') => at = skip_brackets(tokens, at),
            Token::Sign('<') => at = skip_angles(tokens, at).unwrap_or(at + 1),
            _ => at += 1,
        }
    }
    false
}

fn steps<'t>(tokens: &[Token<'t>], mut at: usize) -> (Vec<Step<'t>>, usize) {
    let mut steps = Vec::new();
    while let Some(token) = tokens.get(at) {
        match (token, tokens.get(at + 1)) {
            (Token::Dot, Some(Token::Word("await"))) => at += 2,
            (Token::Dot | Token::Arrow, Some(Token::Word(word))) => {
                steps.push(Step::Member(word));
                at += 2;
            }
            (Token::Dot, Some(Token::Sign('('))) if asserted(tokens, at).is_some() => break,
            (Token::Dot, Some(Token::Sign('(' | '['))) => at += 1,
            (Token::Path, Some(Token::Word(word))) => {
                steps.push(Step::Path(word));
                at += 2;
            }
            (Token::Path, Some(Token::Sign('<'))) => match skip_angles(tokens, at + 1) {
                Some(end) => at = end,
                None => break,
            },
            (Token::Sign('<'), _) => match skip_angles(tokens, at) {
                // Type arguments come before a call, a path or the end, unlike the `<` of `a < b`.
                Some(end)
                    if matches!(
                        tokens.get(end),
                        None | Some(Token::Path | Token::Sign('(' | '{'))
                    ) =>
                {
                    at = end
                }
                _ => break,
            },
            (Token::Sign('('), _) => {
                steps.push(Step::Call);
                at = skip_brackets(tokens, at);
            }
            // A struct literal, `Foo { … }`, makes a value as a call of the type does.
            (Token::Sign('{'), _) if names_type(tokens.get(at.wrapping_sub(1))) => {
                steps.push(Step::Call);
                at = skip_brackets(tokens, at);
            }
            // A lambda after a call, `list.filter { … }.first`: its last argument, or the only one.
            (Token::Sign('{'), _) if at > 0 => {
                if tokens.get(at - 1) != Some(&Token::Sign(')')) {
                    steps.push(Step::Call);
                }
                at = skip_brackets(tokens, at);
            }
            (Token::Sign('['), _) => {
                steps.push(Step::Index);
                at = skip_brackets(tokens, at);
            }
            (
                Token::Sign('!' | '?'),
                None | Some(Token::Dot | Token::Sign('.' | '(' | '[' | ')' | '?' | '!')),
            ) => at += 1,
            (Token::Sign('!'), Some(Token::Text(_))) | (Token::Text(_), _) => at += 1,
            _ => break,
        }
    }
    (steps, at)
}

fn joined(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Word(word) => {
                if text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    text.push(' ');
                }
                text.push_str(word);
            }
            Token::Text(inside) => {
                text.push('"');
                text.push_str(inside);
                text.push('"');
            }
            Token::Path => text.push_str("::"),
            Token::Dot => text.push('.'),
            Token::Arrow => text.push_str("=>"),
            Token::Sign(sign) => text.push(*sign),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(chain: &Chain<'_>) -> String {
        let mut out = match &chain.head {
            Head::Name(name) => (*name).to_owned(),
            Head::Inner(inner) => format!("({})", show(inner)),
            Head::Cast(text) => format!("as {text}"),
            Head::Literal(kind) => format!("{kind} literal"),
            Head::Unknown => "?".to_owned(),
        };
        for step in &chain.steps {
            match step {
                Step::Member(name) => out.push_str(&format!(" .{name}")),
                Step::Path(name) => out.push_str(&format!(" ::{name}")),
                Step::Call => out.push_str(" ()"),
                Step::Index => out.push_str(" []"),
            }
        }
        out
    }

    #[test]
    fn receivers_of_all_languages() {
        let cases = [
            ("a", "a"),
            ("self.router", "self .router"),
            (
                "Router::new().route(\"/\",get(a))",
                "Router ::new () .route ()",
            ),
            ("Vec::<u8>::with_capacity(1)", "Vec ::with_capacity ()"),
            ("HashMap<K,V>::new()", "HashMap ::new ()"),
            ("new Foo(x).bar", "Foo () .bar"),
            ("(await this.a.b()).c", "(this .a .b ()) .c"),
            ("a?.b![0]", "a .b []"),
            ("foo().await?", "foo ()"),
            ("(x as Foo)", "(as Foo)"),
            ("((Foo)x)", "(as Foo)"),
            ("super().run", "super () .run"),
            ("f\"{a}\"", "str literal"),
            ("{}", "dict literal"),
            ("p->q", "p .q"),
            ("p.v().(*a.Foo).bar", "as *a.Foo .bar"),
            ("v.(Foo).(Bar)", "as Bar"),
            ("f?.(x).y", "f () .y"),
            ("(a,b).c", "tuple literal .c"),
            ("a::Foo{x:1}.b", "a ::Foo () .b"),
            ("this.#routes", "this .#routes"),
            ("format!(\"x\")", "format ()"),
        ];
        for (text, expected) in cases {
            assert_eq!(show(&parse_chain(text)), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[a-zA-Z0-9_.,:;<>()\\[\\]{}|&+*?!'\"=~@# -]{0,60}") {
            let _ = parse_chain(&text);
        }
    }
}
