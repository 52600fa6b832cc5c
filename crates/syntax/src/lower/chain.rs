//! Reads the tokens of an expression, in the same way for every language: a head and the steps that follow it.

use super::tokens::{Dialect, Token, skip_angles, skip_brackets, tokens};
use super::type_ref::type_of_tokens;
use crate::facts::{Chain, Head, Literal, Step};

/// Maximum nesting of parentheses; a deeper expression is unknown.
const MAX_DEPTH: u32 = 12;

/// Reads an expression; the second result says whether all of it is in the chain.
pub(super) fn read_chain<'t>(text: &'t str, dialect: Dialect) -> (Chain<'t>, bool) {
    let tokens = tokens(text, dialect);
    if dialect.hides_names_behind_at() && tokens.first() == Some(&Token::Sign('@')) {
        let head = Head::Unknown;
        let steps = Vec::new();
        return (Chain { head, steps }, false);
    }
    if let [Token::Word(function), Token::Sign('['), ..] = tokens.as_slice()
        && dialect.gives_type(function)
    {
        let end = skip_brackets(&tokens, 1);
        let written = tokens.get(2..end.saturating_sub(1)).unwrap_or_default();
        let head = Head::Cast(type_of_tokens(written));
        let (steps, end) = steps(&tokens, end);
        return (Chain { head, steps }, end == tokens.len());
    }
    chain(&tokens, dialect, 0)
}

/// Reads what follows a whole chain: its further steps. None where they can change what was read before.
pub(super) fn read_further(text: &str, dialect: Dialect) -> Option<(Vec<Step<'_>>, bool)> {
    let tokens = tokens(text, dialect);
    let [Token::Dot | Token::Arrow | Token::Path, Token::Word(_), ..] = tokens.as_slice() else {
        return None;
    };
    let (steps, end) = steps(&tokens, 0);
    let is_cast = matches!(tokens.get(end), Some(Token::Word("as")));
    (!is_cast && asserted(&tokens, end).is_none()).then_some((steps, end == tokens.len()))
}

fn chain<'t>(tokens: &[Token<'t>], dialect: Dialect, depth: u32) -> (Chain<'t>, bool) {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            _ if dialect.module(&tokens[at..]).is_some() => break,
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
    let (mut head, mut at) = head(tokens, at, dialect, depth);
    let (mut found, mut end) = steps(tokens, at);
    // `v.(*Foo).bar` in Go: the assertion gives the type, whatever is before it.
    while let Some(close) = asserted(tokens, end) {
        head = Head::Cast(type_of_tokens(
            tokens.get(end + 2..close - 1).unwrap_or_default(),
        ));
        at = close;
        (found, end) = steps(tokens, at);
    }
    let steps = found;
    // `a || b`, `a ?? b`, `x as T`: the first alternative, or the type.
    if let Some(Token::Word("as")) = tokens.get(end) {
        let head = Head::Cast(type_of_tokens(&tokens[end + 1..]));
        let steps = Vec::new();
        return (Chain { head, steps }, false);
    }
    (Chain { head, steps }, end == tokens.len())
}

fn head<'t>(tokens: &[Token<'t>], at: usize, dialect: Dialect, depth: u32) -> (Head<'t>, usize) {
    if let Some((module, used)) = dialect.module(tokens.get(at..).unwrap_or_default()) {
        return (Head::Module(module), at + used);
    }
    match tokens.get(at) {
        Some(Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            (Head::Literal(Literal::Number), at + 1)
        }
        // Prefixed strings: f"…", b'…'.
        Some(Token::Word(_)) if matches!(tokens.get(at + 1), Some(Token::Text(_))) => {
            (Head::Literal(Literal::Text), at + 2)
        }
        Some(Token::Word(word)) => (Head::Name(word), at + 1),
        Some(Token::Text(_)) => (Head::Literal(Literal::Text), at + 1),
        Some(Token::Sign('(')) => {
            let end = skip_brackets(tokens, at);
            let inside = &tokens[at + 1..end.saturating_sub(1).max(at + 1)];
            if depth >= MAX_DEPTH {
                return (Head::Unknown, end);
            }
            // A cast before a name: ((Foo) x).y
            if matches!(tokens.get(end), Some(Token::Word(_))) && !inside.is_empty() {
                return (Head::Cast(type_of_tokens(inside)), end + 1);
            }
            if has_comma(inside) {
                return (Head::Literal(Literal::Tuple), end);
            }
            (
                Head::Inner(Box::new(chain(inside, dialect, depth + 1).0)),
                end,
            )
        }
        Some(Token::Sign('[')) => (Head::Literal(Literal::List), skip_brackets(tokens, at)),
        Some(Token::Sign('{')) => (Head::Literal(Literal::Dict), skip_brackets(tokens, at)),
        Some(Token::Sign('<')) => match skip_angles(tokens, at) {
            Some(end) => (Head::Unknown, end),
            None => (Head::Unknown, tokens.len()),
        },
        // A path from the root: ::foo::bar
        Some(Token::Path) => match tokens.get(at + 1) {
            Some(Token::Word(word)) => (Head::Absolute(word), at + 2),
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

#[cfg(test)]
mod tests {
    use super::super::type_ref::tests::show as show_type;
    use super::*;
    use crate::Language;

    fn show(chain: &Chain<'_>) -> String {
        let mut out = match &chain.head {
            Head::Name(name) => (*name).to_owned(),
            Head::Absolute(name) => format!("::{name}"),
            Head::Module(path) => format!("module {path}"),
            Head::Inner(inner) => format!("({})", show(inner)),
            Head::Cast(ty) => format!("as {}", show_type(ty)),
            Head::Literal(kind) => format!("{} literal", kind.type_name()),
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

    fn check(language: Language, text: &str, expected: &str) {
        let (chain, _) = read_chain(text, Dialect::of(language));
        assert_eq!(show(&chain), expected, "{text}");
    }

    #[test]
    fn signs_of_one_language() {
        check(Language::Ruby, "@a&.b", "a .b");
        check(Language::Ruby, "::Foo::Bar", "::Foo ::Bar");
        check(
            Language::Lua,
            "require(\"a.b\").c:d()",
            "module a.b .c .d ()",
        );
        check(Language::Lua, "require 'a'", "module a");
        check(Language::Zig, "@import(\"a.zig\").B", "module a.zig .B");
        check(
            Language::TypeScript,
            "(await import('./a.js')).b",
            "(module ./a.js) .b",
        );
        check(Language::JavaScript, "require('a')(b)", "module a ()");
        check(Language::Elixir, "@a.b", "?");
        check(Language::Scala, "implicitly[Read[A]].b", "as Read<A> .b");
        check(Language::Go, "summon[a].b", "summon [] .b");
        check(Language::TypeScript, "a // b.c(\n .d /* e */ ()", "a .d ()");
        check(Language::Python, "(a # b\n .c)", "(a .c)");
    }

    #[test]
    fn a_chain_is_read_on() {
        let further = |text| read_further(text, Dialect::of(Language::Go));
        let steps = vec![Step::Member("b"), Step::Call];
        assert_eq!(further("\n\t.b(c)"), Some((steps, true)));
        assert_eq!(further("{ a: b }.c"), None, "the literal of a type");
        assert_eq!(further(".(*Foo).b"), None, "a type assertion");
        assert_eq!(further(".a.(*Foo)"), None, "a type assertion");
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
            ("p.v().(*a.Foo).bar", "as a.Foo .bar"),
            ("v.(Foo).(Bar)", "as Bar"),
            ("f?.(x).y", "f () .y"),
            ("(a,b).c", "tuple literal .c"),
            ("a::Foo{x:1}.b", "a ::Foo () .b"),
            ("this.#routes", "this .#routes"),
            ("format!(\"x\")", "format ()"),
        ];
        for (text, expected) in cases {
            check(Language::Rust, text, expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[a-zA-Z0-9_.,:;<>()\\[\\]{}|&+*?!'\"=~@# -]{0,60}") {
            let _ = read_chain(&text, Dialect::of(Language::TypeScript));
        }
    }
}
