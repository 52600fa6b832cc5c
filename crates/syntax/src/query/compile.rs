//! Patterns with the ids of a grammar in place of names.

use tree_sitter::Language;

use super::read::{self, Argument, Expression, Form, Quantifier};

/// An error in a query, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryError {
    /// 1-based.
    pub(crate) line: usize,
    /// 1-based, in characters.
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl QueryError {
    pub(super) fn new(text: &str, at: usize, message: &str) -> QueryError {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        QueryError {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            message: message.to_owned(),
        }
    }
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

/// The kind of nodes that do not fit the grammar.
pub(super) const ERROR: u16 = u16::MAX;

/// A compiled query.
pub(crate) struct Matcher {
    pub(super) patterns: Vec<Pattern>,
    /// Kind → the patterns that may begin with it.
    pub(super) by_kind: Vec<Vec<u16>>,
    /// The patterns that may begin with any node.
    pub(super) by_any: Vec<u16>,
    pub(super) wanted: Wanted,
    captures: Vec<String>,
}

/// The parts of a tree that the patterns need.
pub(super) struct Wanted {
    /// Anonymous kinds that are kept.
    pub(super) tokens: Vec<bool>,
    /// Kinds whose children's fields are looked up.
    pub(super) fields: Vec<bool>,
}

/// A pattern at the top.
pub(super) struct Pattern {
    pub(super) root: Element,
    pub(super) predicates: Vec<Predicate>,
}

/// One node of a pattern.
pub(super) struct Element {
    pub(super) test: Test,
    /// 0: any.
    pub(super) field: u16,
    pub(super) quantifier: Quantifier,
    pub(super) captures: Vec<u16>,
    /// Must directly follow the element before it.
    pub(super) is_anchored: bool,
}

/// Condition of an element.
pub(super) enum Test {
    Node(NodeTest),
    OneOf(Vec<Element>),
}

/// A node with its children.
pub(super) struct NodeTest {
    pub(super) kinds: Kinds,
    pub(super) children: Vec<Element>,
    /// Fields that must not be there.
    pub(super) negated: Vec<u16>,
    /// The last child must be the last of its siblings.
    pub(super) is_closed: bool,
}

/// Kinds of nodes.
pub(super) enum Kinds {
    One(u16),
    /// The subtypes of a supertype.
    Several(Vec<u16>),
    /// `(_)`
    Named,
    /// `_`
    Any,
}

impl Kinds {
    pub(super) fn contains(&self, kind: u16, is_named: bool) -> bool {
        match self {
            Kinds::One(one) => *one == kind,
            Kinds::Several(several) => several.contains(&kind),
            Kinds::Named => is_named && kind != ERROR,
            Kinds::Any => kind != ERROR,
        }
    }
}

/// A condition on captured texts.
pub(super) enum Predicate {
    /// The text is (or is not) one of these.
    Text {
        capture: u16,
        texts: Vec<String>,
        is_wanted: bool,
    },
    /// Two texts are the same (or are not).
    Same {
        captures: (u16, u16),
        is_wanted: bool,
    },
    /// The text matches (or does not).
    Regex {
        capture: u16,
        regex: regex::Regex,
        is_wanted: bool,
    },
}

impl Matcher {
    /// Reads a query for a grammar. Cost: that of reading the text.
    pub(crate) fn new(language: &Language, text: &str) -> Result<Matcher, QueryError> {
        let n_kinds = language.node_kind_count();
        let mut matcher = Matcher {
            patterns: Vec::new(),
            by_kind: vec![Vec::new(); n_kinds],
            by_any: Vec::new(),
            wanted: Wanted {
                tokens: vec![false; n_kinds],
                fields: vec![false; n_kinds],
            },
            captures: Vec::new(),
        };
        let mut compiler = Compiler {
            language,
            text,
            matcher: &mut matcher,
        };
        for pattern in read::patterns(text)? {
            compiler.pattern(&pattern)?;
        }
        Ok(matcher)
    }

    /// Names of captures in the order of their numbers.
    pub(crate) fn capture_names(&self) -> &[String] {
        &self.captures
    }

    fn capture(&mut self, name: &str) -> u16 {
        let known = self.captures.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        });
        at as u16
    }
}

struct Compiler<'a> {
    language: &'a Language,
    text: &'a str,
    matcher: &'a mut Matcher,
}

impl Compiler<'_> {
    fn pattern(&mut self, pattern: &read::Pattern) -> Result<(), QueryError> {
        let root = self.element(&pattern.root)?;
        let predicates = pattern
            .predicates
            .iter()
            .map(|predicate| self.predicate(predicate))
            .collect::<Result<_, _>>()?;
        let number = self.matcher.patterns.len() as u16;
        self.begin(number, &root);
        self.matcher.patterns.push(Pattern { root, predicates });
        Ok(())
    }

    /// Notes which nodes a pattern can begin with.
    fn begin(&mut self, number: u16, element: &Element) {
        let node = match &element.test {
            Test::OneOf(elements) => {
                elements.iter().for_each(|one| self.begin(number, one));
                return;
            }
            Test::Node(node) => node,
        };
        let kinds: &[u16] = match &node.kinds {
            Kinds::One(kind) => std::slice::from_ref(kind),
            Kinds::Several(kinds) => kinds,
            Kinds::Named | Kinds::Any => &[],
        };
        if kinds.is_empty() && !self.matcher.by_any.contains(&number) {
            self.matcher.by_any.push(number);
        }
        for kind in kinds {
            match self.matcher.by_kind.get_mut(*kind as usize) {
                Some(list) if !list.contains(&number) => list.push(number),
                Some(_) => {}
                // Errors have no place in the table.
                None => self.matcher.by_any.push(number),
            }
        }
    }

    fn element(&mut self, expression: &Expression) -> Result<Element, QueryError> {
        let test = match &expression.form {
            Form::OneOf(forms) => {
                if let Some(form) = forms.iter().find(|form| form.quantifier != Quantifier::One) {
                    return Err(self.fault(form.at, "inside [ ] or ( ) nothing can be repeated"));
                }
                let elements: Result<_, _> = forms.iter().map(|form| self.element(form)).collect();
                Test::OneOf(elements?)
            }
            Form::Node {
                kind,
                children,
                negated,
                is_closed,
            } => Test::Node(self.node(expression.at, kind, children, negated, *is_closed)?),
            Form::Token(text) => Test::Node(leaf(Kinds::One(self.token(expression.at, text)?))),
            Form::Any => {
                self.matcher.wanted.tokens.fill(true);
                Test::Node(leaf(Kinds::Any))
            }
        };
        let field = match expression.field {
            Some(name) => self.field(expression.at, name)?,
            None => 0,
        };
        Ok(Element {
            test,
            field,
            quantifier: expression.quantifier,
            captures: expression
                .captures
                .iter()
                .map(|name| self.matcher.capture(name))
                .collect(),
            is_anchored: expression.is_anchored,
        })
    }

    fn node(
        &mut self,
        at: usize,
        kind: &str,
        children: &[Expression],
        negated: &[&str],
        is_closed: bool,
    ) -> Result<NodeTest, QueryError> {
        let node = NodeTest {
            kinds: self.kinds(at, kind)?,
            children: children
                .iter()
                .map(|child| self.element(child))
                .collect::<Result<_, _>>()?,
            negated: negated
                .iter()
                .map(|name| self.field(at, name))
                .collect::<Result<_, _>>()?,
            is_closed,
        };
        if !node.negated.is_empty() || node.children.iter().any(has_field) {
            let fields = &mut self.matcher.wanted.fields;
            match &node.kinds {
                Kinds::One(kind) => fields
                    .iter_mut()
                    .skip(*kind as usize)
                    .take(1)
                    .for_each(|wanted| *wanted = true),
                Kinds::Several(_) | Kinds::Named | Kinds::Any => fields.fill(true),
            }
        }
        Ok(node)
    }

    fn kinds(&self, at: usize, name: &str) -> Result<Kinds, QueryError> {
        if name == "_" {
            return Ok(Kinds::Named);
        }
        if name == "ERROR" {
            return Ok(Kinds::One(ERROR));
        }
        let kind = self.language.id_for_node_kind(name, true);
        if kind == 0 {
            return Err(self.fault(at, &format!("the grammar has no node {name:?}")));
        }
        if !self.language.node_kind_is_supertype(kind) {
            return Ok(Kinds::One(kind));
        }
        let mut all = Vec::new();
        let mut pending = vec![kind];
        while let Some(kind) = pending.pop() {
            if self.language.node_kind_is_supertype(kind) && all.len() < 10_000 {
                pending.extend_from_slice(self.language.subtypes_for_supertype(kind));
            } else if !all.contains(&kind) {
                all.push(kind);
            }
        }
        if all.is_empty() {
            return Err(self.fault(
                at,
                &format!(
                    "{name:?} stands for several kinds, which this grammar does not list: name them"
                ),
            ));
        }
        Ok(Kinds::Several(all))
    }

    fn token(&mut self, at: usize, text: &str) -> Result<u16, QueryError> {
        let kind = self.language.id_for_node_kind(text, false);
        match self.matcher.wanted.tokens.get_mut(kind as usize) {
            Some(wanted) if kind != 0 => {
                *wanted = true;
                Ok(kind)
            }
            _ => Err(self.fault(at, &format!("the grammar has no token {text:?}"))),
        }
    }

    fn field(&self, at: usize, name: &str) -> Result<u16, QueryError> {
        let field = self.language.field_id_for_name(name);
        field
            .map(std::num::NonZero::get)
            .ok_or_else(|| self.fault(at, &format!("the grammar has no field {name:?}")))
    }

    fn predicate(&mut self, predicate: &read::Predicate) -> Result<Predicate, QueryError> {
        let (is_wanted, base) = match predicate.name.strip_prefix("not-") {
            Some(base) => (false, base),
            None => (true, predicate.name),
        };
        let Some((Argument::Capture(subject), rest)) = predicate.arguments.split_first() else {
            return Err(self.fault(predicate.at, "a predicate begins with a capture"));
        };
        let capture = self.matcher.capture(subject);
        match (base, rest) {
            ("eq?", [Argument::Capture(other)]) => Ok(Predicate::Same {
                captures: (capture, self.matcher.capture(other)),
                is_wanted,
            }),
            ("eq?", [Argument::Text(_)]) | ("any-of?", [_, ..]) => Ok(Predicate::Text {
                capture,
                texts: rest.iter().filter_map(text_of).collect(),
                is_wanted,
            }),
            ("match?", [Argument::Text(pattern)]) => match regex::Regex::new(pattern) {
                Ok(regex) => Ok(Predicate::Regex {
                    capture,
                    regex,
                    is_wanted,
                }),
                Err(error) => Err(self.fault(predicate.at, &error.to_string())),
            },
            _ => Err(self.fault(
                predicate.at,
                &format!(
                    "the predicate #{} is not known or has other arguments",
                    predicate.name
                ),
            )),
        }
    }

    fn fault(&self, at: usize, message: &str) -> QueryError {
        QueryError::new(self.text, at, message)
    }
}

fn leaf(kinds: Kinds) -> NodeTest {
    NodeTest {
        kinds,
        children: Vec::new(),
        negated: Vec::new(),
        is_closed: false,
    }
}

fn has_field(element: &Element) -> bool {
    element.field != 0
        || matches!(&element.test, Test::OneOf(elements) if elements.iter().any(has_field))
}

fn text_of(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Text(text) => Some(text.clone()),
        Argument::Capture(_) => None,
    }
}
