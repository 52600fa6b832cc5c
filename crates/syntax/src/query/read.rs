//! The text of a query as expressions.

use super::QueryError;

/// One expression with its quantifier, field and captures.
#[derive(Debug)]
pub(super) struct Expression<'q> {
    pub(super) at: usize,
    pub(super) form: Form<'q>,
    pub(super) field: Option<&'q str>,
    pub(super) quantifier: Quantifier,
    pub(super) captures: Vec<&'q str>,
    /// A `.` precedes it.
    pub(super) is_anchored: bool,
}

/// Condition of an expression.
#[derive(Debug)]
pub(super) enum Form<'q> {
    /// `(kind …)`; `_` is any named node.
    Node {
        kind: &'q str,
        children: Vec<Expression<'q>>,
        negated: Vec<&'q str>,
        /// A `.` follows the last child.
        is_closed: bool,
    },
    /// `"text"`
    Token(String),
    /// `_`
    Any,
    /// `[a b]`
    OneOf(Vec<Expression<'q>>),
}

/// Quantifier of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantifier {
    One,
    /// `?`
    Optional,
    /// `*`
    Any,
    /// `+`
    Some,
}

/// `(#name? argument…)`
#[derive(Debug)]
pub(super) struct Predicate<'q> {
    pub(super) at: usize,
    pub(super) name: &'q str,
    pub(super) arguments: Vec<Argument<'q>>,
}

/// Subject of a predicate.
#[derive(Debug)]
pub(super) enum Argument<'q> {
    Capture(&'q str),
    Text(String),
}

/// A pattern at the top of the query.
pub(super) struct Pattern<'q> {
    pub(super) root: Expression<'q>,
    pub(super) predicates: Vec<Predicate<'q>>,
}

/// Nesting of brackets that is read.
const MAX_DEPTH: u32 = 64;

/// Reads all patterns of a query.
pub(super) fn patterns(text: &str) -> Result<Vec<Pattern<'_>>, QueryError> {
    let mut reader = Reader { text, at: 0 };
    let mut patterns = Vec::new();
    while reader.peek().is_some() {
        let mut predicates = Vec::new();
        let root = reader.expression(&mut predicates, 0)?;
        patterns.push(Pattern { root, predicates });
    }
    Ok(patterns)
}

struct Reader<'q> {
    text: &'q str,
    at: usize,
}

impl<'q> Reader<'q> {
    fn expression(
        &mut self,
        predicates: &mut Vec<Predicate<'q>>,
        depth: u32,
    ) -> Result<Expression<'q>, QueryError> {
        if depth > MAX_DEPTH {
            return Err(self.fault("brackets are nested too deep"));
        }
        let is_anchored = self.take('.');
        let before_field = self.at;
        let mut field = None;
        if self.peek().is_some_and(is_name) {
            let name = self.name();
            if self.take(':') {
                field = Some(name);
            } else {
                self.at = before_field;
            }
        }
        self.skip();
        let at = self.at;
        let form = match self.peek() {
            Some('(') => {
                self.at += 1;
                self.in_round_brackets(predicates, depth)?
            }
            Some('[') => {
                self.at += 1;
                let mut forms = Vec::new();
                while !self.take(']') {
                    forms.push(self.expression(predicates, depth + 1)?);
                }
                Form::OneOf(forms)
            }
            Some('"') => Form::Token(self.string()?),
            Some('_') => {
                self.name();
                Form::Any
            }
            _ => return Err(self.fault("a node is expected here: (kind), \"text\", [a b] or _")),
        };
        Ok(Expression {
            at,
            form,
            field,
            is_anchored,
            quantifier: self.quantifier(),
            captures: self.captures(),
        })
    }

    /// `kind child…)`, or a bracket around one expression and its predicates.
    fn in_round_brackets(
        &mut self,
        predicates: &mut Vec<Predicate<'q>>,
        depth: u32,
    ) -> Result<Form<'q>, QueryError> {
        let is_group = !self.peek().is_some_and(is_name);
        let kind = if is_group { "" } else { self.name() };
        let (mut children, mut negated, mut is_closed) = (Vec::new(), Vec::new(), false);
        loop {
            match self.peek() {
                Some(')') => break,
                Some('!') => {
                    self.at += 1;
                    negated.push(self.name());
                }
                Some('(') if self.rest().starts_with("(#") => predicates.push(self.predicate()?),
                Some('.') if self.is_before_bracket() => {
                    self.take('.');
                    is_closed = true;
                }
                Some(_) => children.push(self.expression(predicates, depth + 1)?),
                None => return Err(self.fault("a bracket is not closed")),
            }
        }
        self.take(')');
        if !is_group {
            return Ok(Form::Node {
                kind,
                children,
                negated,
                is_closed,
            });
        }
        if children.len() == 1 {
            return Ok(Form::OneOf(children));
        }
        Err(self.fault("a group of siblings is not supported"))
    }

    fn predicate(&mut self) -> Result<Predicate<'q>, QueryError> {
        let at = self.at;
        self.at += 2;
        let name = self.name();
        let mut arguments = Vec::new();
        loop {
            match self.peek() {
                Some(')') => break,
                Some('@') => {
                    self.at += 1;
                    arguments.push(Argument::Capture(self.name()));
                }
                Some('"') => arguments.push(Argument::Text(self.string()?)),
                Some(c) if is_name(c) => arguments.push(Argument::Text(self.name().to_owned())),
                _ => return Err(self.fault("a capture, a string or ) is expected here")),
            }
        }
        self.take(')');
        Ok(Predicate {
            at,
            name,
            arguments,
        })
    }

    fn quantifier(&mut self) -> Quantifier {
        if self.take('?') {
            Quantifier::Optional
        } else if self.take('*') {
            Quantifier::Any
        } else if self.take('+') {
            Quantifier::Some
        } else {
            Quantifier::One
        }
    }

    fn captures(&mut self) -> Vec<&'q str> {
        let mut captures = Vec::new();
        while self.take('@') {
            captures.push(self.name());
        }
        captures
    }

    fn string(&mut self) -> Result<String, QueryError> {
        self.at += 1;
        let mut out = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, c)) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err(self.fault("a string is not closed"))
    }

    fn name(&mut self) -> &'q str {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        // `.` joins the parts of a capture's name; behind a name it is an anchor.
        let name = rest.get(..end).unwrap_or_default().trim_end_matches('.');
        self.at += name.len();
        name
    }

    fn is_before_bracket(&self) -> bool {
        let mut ahead = Reader {
            text: self.text,
            at: self.at,
        };
        ahead.take('.') && ahead.peek() == Some(')')
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    /// The next character behind blanks and comments.
    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn rest(&self) -> &'q str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fault(&self, message: &str) -> QueryError {
        QueryError::new(self.text, self.at, message)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '?' | '/')
}
