//! Structural search: finds the nodes of a text that match a pattern.
//!
//! A search is a pattern with metavariables (`foo($A, $$$REST)`, as in ast-grep), or a tree-sitter query
//! (`(call_expression function: (identifier) @f)`). Both are compiled once per language and run over each file's tree.
//! A pattern knows the words that a file must have to match ([`Structural::words`]): most files need not be parsed.
//!
//! | in a pattern | matches |
//! |---|---|
//! | `$A` | one named node; the same name twice matches the same code twice |
//! | `$_` | one named node, without a capture |
//! | `$$OP` | one node, operators and punctuation included |
//! | `$$$` `$$$ARGS` | any number of neighbouring nodes, zero included |
//!
//! Limits: time by the clock of [`ParseConfig`](crate::ParseConfig), and steps, so that no pattern runs away without one.

mod contexts;
mod error;
mod expression;
mod misfit;
mod pattern;
mod predicates;
mod query;
mod tree;

pub use error::{StructuralError, StructuralErrorKind};

use crate::Language;
use crate::deadline::{Deadline, parse};
use crate::facts::Span;
use crate::parsers::Parsers;

/// Longer patterns are refused, in bytes.
const MAX_PATTERN: usize = 8 * 1024;
/// Maximum compiled size of an expression in a constraint or predicate, in bytes.
const MAX_REGEX: usize = 256 * 1024;
/// Steps of matching in one text: a hundred times what an ordinary pattern takes in two megabytes of code.
const MAX_STEPS: u64 = 200_000_000;

/// A pattern or query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Code with metavariables.
    Code(String),
    /// A tree-sitter query.
    Query(String),
}

/// How strictly code must match a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Every token.
    Cst,
    /// The pattern's own tokens must match; extra commas, semicolons and keywords are ignored.
    #[default]
    Smart,
    /// Named pieces only: quotes and punctuation do not count.
    Ast,
    /// As `Ast`, comments passed over.
    Relaxed,
    /// As `Relaxed`, names and literals not compared: only their kinds.
    Signature,
}

/// A restriction on a metavariable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constraint {
    /// The metavariable, with or without its `$`.
    pub name: String,
    /// Its text has a match of this expression.
    pub regex: Option<String>,
    /// Its text has no match of this expression.
    pub not_regex: Option<String>,
    /// It is a node of one of these kinds; any if empty.
    pub kinds: Vec<String>,
}

/// A structural search in any language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralSpec {
    /// The form.
    pub wanted: Wanted,
    /// Restrictions on metavariables; a query expresses them by predicates.
    pub constraints: Vec<Constraint>,
    /// How strictly code must match a pattern.
    pub strictness: Strictness,
}

impl StructuralSpec {
    /// Code or query without further conditions.
    #[must_use]
    pub fn new(wanted: Wanted) -> StructuralSpec {
        StructuralSpec {
            wanted,
            constraints: Vec::new(),
            strictness: Strictness::default(),
        }
    }
}

/// A structural search that was read in one language.
pub struct Structural {
    language: Language,
    form: Form,
}

enum Form {
    Code(Box<pattern::CodePattern>),
    Query(query::TreeQuery),
}

/// The matches in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructuralFound {
    /// The matches in the order of their starts.
    pub matches: Vec<StructuralMatch>,
    /// There are more than the limit.
    pub truncated: bool,
    /// Time, steps or memory were up before the end of the text.
    pub timed_out: bool,
    /// Steps that it took: operations of the parser, pieces of the tree that were looked at, texts matched with expressions.
    pub n_steps: u64,
}

/// A piece of code that has the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralMatch {
    /// Its place.
    pub span: Span,
    /// Captures: by name for patterns, in the order of the text for queries.
    pub captures: Vec<StructuralCapture>,
}

/// The capture of one name: all of it if it matches several nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralCapture {
    /// Without `$` or `@`.
    pub name: String,
    /// Its place.
    pub span: Span,
}

impl Structural {
    /// The language that it was read in.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Texts that every file with a match has, sorted. Queries have none.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match &self.form {
            Form::Code(code) => code.words(),
            Form::Query(_) => Vec::new(),
        }
    }
}

impl Parsers {
    /// Reads a structural search in a language.
    ///
    /// # Errors
    ///
    /// Where the language has no grammar here or cannot read it; the message draws the place in the pattern.
    pub fn structural(
        &mut self,
        language: Language,
        spec: &StructuralSpec,
    ) -> Result<Structural, StructuralError> {
        let (Wanted::Code(source) | Wanted::Query(source)) = &spec.wanted;
        if source.len() > MAX_PATTERN {
            let message = format!("the pattern is longer than {MAX_PATTERN} bytes");
            return Err(StructuralError::new(StructuralErrorKind::Size, message));
        }
        let name = self.user_languages().name(language).to_owned();
        let clock = self.clock();
        let Some((parser, grammar)) = self.tree_parser_of(language) else {
            let message = format!("there is no grammar for {name}");
            return Err(StructuralError::new(
                StructuralErrorKind::NoGrammar,
                message,
            ));
        };
        let form = match &spec.wanted {
            Wanted::Code(code) => Form::Code(Box::new(pattern::CodePattern::new(
                parser, grammar, &name, code, spec, clock,
            )?)),
            Wanted::Query(_) if !spec.constraints.is_empty() => {
                let message =
                    "constraints are for patterns; a query has predicates: (#match? @a \"…\")";
                return Err(StructuralError::new(
                    StructuralErrorKind::Constraint,
                    message,
                ));
            }
            Wanted::Query(query) => Form::Query(query::TreeQuery::new(&grammar, &name, query)?),
        };
        Ok(Structural { language, form })
    }

    /// Up to `limit` matches in a text within `max_millis` of the clock. One parse and one walk.
    pub fn find_structural(
        &mut self,
        structural: &Structural,
        text: &str,
        limit: usize,
        max_millis: f64,
    ) -> StructuralFound {
        let deadline = Deadline::within(self.clock(), max_millis, MAX_STEPS);
        let Some((parser, _)) = self.tree_parser_of(structural.language) else {
            return StructuralFound::default();
        };
        let name = structural.language.tree_grammar().unwrap_or_default();
        let Some(tree) = parse(parser, name, text, &deadline) else {
            return StructuralFound {
                timed_out: true,
                n_steps: deadline.budget().n_steps(),
                ..StructuralFound::default()
            };
        };
        match &structural.form {
            Form::Code(code) => code.find(tree, text, limit, deadline),
            Form::Query(query) => query.find(&tree, text, limit, &deadline),
        }
    }
}
