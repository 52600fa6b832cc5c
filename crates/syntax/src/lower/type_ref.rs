//! Reads written types, in the same way for every language: a name with arguments, a union, a list, a function.
//!
//! The result serves to find members and calls, not to check types: references, pointers, lifetimes and qualifiers are
//! dropped; `A & B` and `A + B` are read like the union `A | B`.

use super::tokens::{Token, skip_brackets, type_tokens};
use super::words::{is_function_word, is_qualifier};
use crate::facts::TypeRef;

/// Maximum nesting of types; deeper ones are [`TypeRef::Other`].
pub(super) const MAX_DEPTH: u32 = 24;

/// Reads a type.
pub(super) fn read_type(text: &str) -> TypeRef<'_> {
    type_of_tokens(&type_tokens(text))
}

/// Reads a type from its tokens.
pub(super) fn type_of_tokens<'t>(tokens: &[Token<'t>]) -> TypeRef<'t> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
    };
    parser.union()
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    depth: u32,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn union(&mut self) -> TypeRef<'t> {
        if self.depth >= MAX_DEPTH {
            self.at = self.tokens.len();
            return TypeRef::Other;
        }
        self.depth += 1;
        self.eat('|');
        self.eat('&');
        let mut parts = vec![self.postfix()];
        while self.eat('|') || self.eat('&') || self.eat('+') {
            parts.push(self.postfix());
        }
        // `A extends B ? C : D`, `k in T`, `x is T`: computed types, which are not evaluated.
        self.depth -= 1;
        parts.retain(|part| !is_nothing(part));
        match parts.len() {
            0 => TypeRef::Other,
            1 => parts.remove(0),
            _ => TypeRef::Union(parts),
        }
    }

    fn postfix(&mut self) -> TypeRef<'t> {
        let mut found = self.primary();
        loop {
            match self.peek() {
                Some(Token::Sign('[')) => {
                    let end = skip_brackets(self.tokens, self.at);
                    found = if end == self.at + 2 {
                        TypeRef::List(Box::new(found))
                    } else {
                        TypeRef::Other
                    };
                    self.at = end;
                }
                Some(Token::Sign('?' | '!' | '*' | '…')) => self.at += 1,
                // A call in an annotation, `Depends(get_db)`: its arguments are no types.
                Some(Token::Sign('(')) if matches!(found, TypeRef::Named(..)) => {
                    self.at = skip_brackets(self.tokens, self.at);
                }
                // A reference in C++; in an intersection a type follows.
                Some(Token::Sign('&')) if self.at + 1 >= self.tokens.len() => self.at += 1,
                _ => return found,
            }
        }
    }

    fn primary(&mut self) -> TypeRef<'t> {
        while let Some(token) = self.peek() {
            match token {
                Token::Sign('&' | '*' | '?' | '!' | '…' | '~' | '@') | Token::Path => {
                    self.at += 1
                }
                Token::Word(word) if is_qualifier(word) && self.starts_type(self.at + 1) => {
                    self.at += 1
                }
                Token::Word("for") => {
                    // Higher-ranked lifetimes: for<'a> Fn(&'a T).
                    self.at += 1;
                    self.arguments('<', '>');
                }
                Token::Word(word) => return self.named(word),
                Token::Text(text) => {
                    self.at += 1;
                    return forward_reference(text);
                }
                Token::Sign('[') => return self.brackets(),
                Token::Sign('(') => return self.parentheses(),
                Token::Sign('{') => {
                    self.at = skip_brackets(self.tokens, self.at);
                    return TypeRef::Other;
                }
                // Type parameters of a function type, `<T>(x: T) => R`; or a qualified path, `<T as Trait>::Item`.
                Token::Sign('<') => {
                    self.arguments('<', '>');
                    if self.peek() == Some(Token::Path) {
                        self.at = self.tokens.len();
                        return TypeRef::Other;
                    }
                }
                _ => return TypeRef::Other,
            }
        }
        TypeRef::Other
    }

    fn starts_type(&self, at: usize) -> bool {
        matches!(
            self.tokens.get(at),
            Some(
                Token::Word(_)
                    | Token::Text(_)
                    | Token::Sign('[' | '(' | '{' | '&' | '*' | '<')
                    | Token::Path
            )
        )
    }

    fn named(&mut self, first: &'t str) -> TypeRef<'t> {
        self.at += 1;
        if is_function_word(first) && self.peek() == Some(Token::Sign('(')) {
            let parameters = self.parameters();
            return self.function_result(parameters);
        }
        let mut segments = vec![first];
        let mut arguments = Vec::new();
        loop {
            match self.peek() {
                Some(Token::Path | Token::Dot) => {
                    self.at += 1;
                    match self.peek() {
                        Some(Token::Word(word)) => {
                            segments.push(word);
                            self.at += 1;
                        }
                        Some(Token::Sign('<')) => arguments = self.arguments('<', '>'),
                        // Kotlin: `Receiver.(A) -> R`.
                        Some(Token::Sign('(')) if self.is_function() => {
                            let receiver = TypeRef::Named(segments, arguments);
                            let mut parameters = vec![("this", receiver)];
                            parameters.extend(self.parameters());
                            return self.function_result(parameters);
                        }
                        _ => return TypeRef::Other,
                    }
                }
                Some(Token::Sign('<')) => arguments = self.arguments('<', '>'),
                // Python's and Go's type arguments; `T[]` is a list, `T['k']` computed.
                Some(Token::Sign('[')) if arguments.is_empty() && self.has_type_arguments() => {
                    arguments = self.arguments('[', ']');
                    if first == "map" && segments.len() == 1 && self.starts_type(self.at) {
                        arguments.push(self.postfix());
                    }
                }
                _ => break,
            }
        }
        if matches!(first, "typeof" | "keyof" | "unique" | "infer") {
            return TypeRef::Other;
        }
        if first == "Callable" && arguments.len() == 2 {
            return TypeRef::Function(Vec::new(), Box::new(arguments.remove(1)));
        }
        TypeRef::Named(segments, arguments)
    }

    /// Whether the bracket here contains types rather than nothing, an index or a length.
    fn has_type_arguments(&self) -> bool {
        match self.tokens.get(self.at + 1) {
            Some(Token::Word(word)) => !word.starts_with(|c: char| c.is_ascii_digit()),
            Some(Token::Text(_)) => self.tokens.get(self.at + 2) != Some(&Token::Sign(']')),
            Some(Token::Sign('[' | '*' | '(')) => true,
            _ => false,
        }
    }

    /// A list of types between brackets; names of arguments (`Output = T`, `x: T`) are dropped.
    fn arguments(&mut self, open: char, close: char) -> Vec<TypeRef<'t>> {
        let mut list = Vec::new();
        if !self.eat(open) {
            return list;
        }
        while let Some(token) = self.peek() {
            if token == Token::Sign(close) {
                self.at += 1;
                break;
            }
            match token {
                Token::Sign(',' | ';' | '=' | ':' | '?') => self.at += 1,
                Token::Word(word) if word.starts_with('\'') => self.at += 1,
                Token::Word(_) if self.is_named_argument() => self.at += 2,
                Token::Sign(')' | '}' | ']' | '>') => break,
                _ => {
                    let before = self.at;
                    list.push(self.union());
                    if self.at == before {
                        self.at += 1;
                    }
                    if matches!(
                        self.peek(),
                        Some(Token::Word("extends" | "super" | "as" | "is" | "in"))
                    ) {
                        self.at += 1;
                    }
                }
            }
        }
        list
    }

    fn is_named_argument(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token::Sign('=' | ':')))
    }

    /// `[]T` and `[4]T` in Go, `[T]` and `[T; 4]` in Rust, `[A, B]` in TypeScript.
    fn brackets(&mut self) -> TypeRef<'t> {
        let end = skip_brackets(self.tokens, self.at);
        if self.starts_type(end)
            && !matches!(
                self.tokens.get(end),
                Some(Token::Sign('&' | '<' | '[' | '('))
            )
        {
            self.at = end;
            return TypeRef::List(Box::new(self.postfix()));
        }
        let mut elements = self.arguments('[', ']');
        self.at = end;
        match elements.len() {
            0 if self.starts_type(end) => TypeRef::List(Box::new(self.postfix())),
            1 => TypeRef::List(Box::new(elements.remove(0))),
            2 if matches!(elements[1], TypeRef::Named(ref s, _) if s[0].starts_with(|c: char| c.is_ascii_digit())) => {
                TypeRef::List(Box::new(elements.remove(0)))
            }
            _ => TypeRef::Tuple(elements),
        }
    }

    /// Returns whether an arrow follows the parentheses here.
    fn is_function(&self) -> bool {
        self.tokens.get(skip_brackets(self.tokens, self.at)) == Some(&Token::Arrow)
    }

    fn parentheses(&mut self) -> TypeRef<'t> {
        let end = skip_brackets(self.tokens, self.at);
        if self.is_function() {
            let parameters = self.parameters();
            return self.function_result(parameters);
        }
        let mut elements = self.arguments('(', ')');
        self.at = end;
        if elements.len() == 1 {
            elements.remove(0)
        } else {
            TypeRef::Tuple(elements)
        }
    }

    /// A list of parameters between parentheses, up to and including the closing one.
    fn parameters(&mut self) -> Vec<(&'t str, TypeRef<'t>)> {
        let end = skip_brackets(self.tokens, self.at);
        self.at += 1;
        let mut list = Vec::new();
        while self.at + 1 < end {
            let before = self.at;
            while self.eat(',') || self.eat('…') {}
            let name = match (
                self.peek(),
                self.tokens.get(self.at + 1),
                self.tokens.get(self.at + 2),
            ) {
                (Some(Token::Word(name)), Some(Token::Sign(':')), _) => {
                    self.at += 2;
                    name
                }
                (Some(Token::Word(name)), Some(Token::Sign('?')), Some(Token::Sign(':'))) => {
                    self.at += 3;
                    name
                }
                // Go: `func(w http.ResponseWriter)`.
                (Some(Token::Word(name)), Some(Token::Word(_)), _) if !is_qualifier(name) => {
                    self.at += 1;
                    name
                }
                _ => "",
            };
            if self.at + 1 < end {
                list.push((name, self.union()));
            }
            if self.at == before {
                self.at += 1;
            }
        }
        self.at = end;
        list
    }

    fn function_result(&mut self, parameters: Vec<(&'t str, TypeRef<'t>)>) -> TypeRef<'t> {
        let result = match self.peek() {
            Some(Token::Arrow) => {
                self.at += 1;
                self.union()
            }
            // Go: func(A) B.
            _ if self.starts_type(self.at) => self.postfix(),
            _ => TypeRef::Other,
        };
        TypeRef::Function(parameters, Box::new(result))
    }
}

/// Python writes types that are not yet defined as strings.
fn forward_reference(text: &str) -> TypeRef<'_> {
    let is_path = text.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        || text.contains('.') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_path
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "._[], |".contains(c))
    {
        parse_flat(text)
    } else {
        TypeRef::Other
    }
}

/// A dotted name without arguments, or the part before them.
fn parse_flat(text: &str) -> TypeRef<'_> {
    let head = text.split(['[', ' ', '|']).next().unwrap_or(text);
    TypeRef::Named(head.split('.').collect(), Vec::new())
}

fn is_nothing(part: &TypeRef<'_>) -> bool {
    match part {
        TypeRef::Other => true,
        TypeRef::Named(segments, _) => matches!(
            segments.as_slice(),
            ["undefined" | "null" | "None" | "void" | "never" | "nil"]
        ),
        _ => false,
    }
}

#[cfg(test)]
#[path = "type_tests.rs"]
pub(super) mod tests;
