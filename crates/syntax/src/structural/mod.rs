//! Structural search: which pieces of a text have this form?
//!
//! Two ways to say the form: code with holes (`foo($A, $$$REST)`, as ast-grep has it), or a tree-sitter query
//! (`(call_expression function: (identifier) @f)`). Both are compiled once a language and run over each file's tree. A
//! pattern knows the words that a file must have to match ([`Structural::words`]): most files need not be parsed.
//!
//! | in a pattern | stands for |
//! |---|---|
//! | `$A` | one named piece of code; the same name twice: the same code twice |
//! | `$_` | one, not captured, whatever it is each time |
//! | `$$OP` | one piece, operators and punctuation too |
//! | `$$$` `$$$ARGS` | any number of pieces side by side, none too |
//!
//! Limits: time by the clock of [`ParseConfig`](crate::ParseConfig), and steps, so that no pattern runs away without one.

mod contexts;
mod error;
mod misfit;
mod pattern;
mod query;
mod tree;

pub use error::{StructuralError, StructuralErrorKind};

use crate::Language;
use crate::deadline::{Deadline, parse};
use crate::facts::Span;
use crate::parsers::Parsers;

/// Longer patterns are refused, in bytes.
const MAX_PATTERN: usize = 8 * 1024;
/// What an expression in a constraint or predicate may compile to, in bytes.
const MAX_REGEX: usize = 256 * 1024;
/// Steps of matching in one text: a hundred times what an ordinary pattern takes in two megabytes of code.
const MAX_STEPS: u64 = 200_000_000;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Code with metavariables.
    Code(String),
    /// A tree-sitter query.
    Query(String),
}

/// How closely code must resemble a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Every token.
    Cst,
    /// What the pattern says; commas, semicolons and keywords beyond it are passed over.
    #[default]
    Smart,
    /// Named pieces only: quotes and punctuation do not count.
    Ast,
    /// As `Ast`, comments passed over.
    Relaxed,
    /// As `Relaxed`, names and literals not compared: only their kinds.
    Signature,
}

/// What a metavariable may stand for.
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
    /// What metavariables may stand for; a query says that itself, by predicates.
    pub constraints: Vec<Constraint>,
    /// How closely code must resemble a pattern.
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

/// What was found in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructuralFound {
    /// The matches in the order of their starts.
    pub matches: Vec<StructuralMatch>,
    /// There are more than the limit.
    pub truncated: bool,
    /// Time, steps or memory were up before the end of the text.
    pub timed_out: bool,
}

/// A piece of code that has the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralMatch {
    /// Where.
    pub span: Span,
    /// What metavariables or captures stand for: by name for patterns, in the order of the text for queries.
    pub captures: Vec<StructuralCapture>,
}

/// What one name stands for: all of it where it stands for several pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuralCapture {
    /// Without `$` or `@`.
    pub name: String,
    /// Where.
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
        let Some((parser, grammar)) = self.parser_of(language) else {
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
        let timed_out = StructuralFound {
            timed_out: true,
            ..StructuralFound::default()
        };
        let Some((parser, _)) = self.parser_of(structural.language) else {
            return StructuralFound::default();
        };
        let Some(tree) = parse(parser, text, &deadline) else {
            return timed_out;
        };
        match &structural.form {
            Form::Code(code) => code.find(tree, text, limit, deadline),
            Form::Query(query) => query.find(&tree, text, limit, &deadline),
        }
    }
}
