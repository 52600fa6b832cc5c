//! Code patterns: `foo($A)` finds every call of `foo` with one argument, for any `$A`.
//!
//! The language's own grammar parses a pattern, inside one of its [`contexts`](super::contexts); ast-grep's matcher
//! looks for the node that spans it.

use crate::order::InOrder;
use std::borrow::Cow;
use std::rc::Rc;

use ast_grep_core::matcher::PatternNode;
use ast_grep_core::meta_var::{MetaVarEnv, MetaVariable};
use ast_grep_core::{AstGrep, MatchStrictness, Matcher, Pattern};
use tree_sitter::{Parser, Tree};

use super::contexts::{Context, EXPANDOS, Fillers, Spelt, contexts};
use super::error::{StructuralError, StructuralErrorKind as Kind};
use super::expression::Expression;
use super::misfit::{first_error, second_piece, unbalanced};
use super::tree::{Document, Fuel, PatternLanguage};
use super::{MAX_STEPS, StructuralCapture, StructuralFound, StructuralMatch};
use super::{Strictness, StructuralSpec};
use crate::deadline::{Deadline, parse};
use crate::node::span_of;

/// A pattern that was read in one language.
pub(super) struct CodePattern {
    pattern: Pattern,
    language: PatternLanguage,
    /// Names of metavariables, sorted.
    names: Vec<String>,
    constraints: Vec<Checked>,
}

/// A constraint with its expression compiled and its kinds looked up.
struct Checked {
    name: String,
    regex: Option<Expression>,
    not_regex: Option<Expression>,
    kinds: Vec<u16>,
}

impl CodePattern {
    /// Reads a pattern. A few parses of a short text.
    pub(super) fn new(
        parser: &mut Parser,
        grammar: tree_sitter::Language,
        language: &str,
        code: &str,
        spec: &StructuralSpec,
        clock: Option<fn() -> f64>,
    ) -> Result<CodePattern, StructuralError> {
        let pattern = code.trim();
        if pattern.is_empty() {
            return Err(StructuralError::new(Kind::Empty, "the pattern is empty"));
        }
        let read = Reading {
            parser,
            grammar: &grammar,
            language,
            code,
            pattern,
            deadline: Deadline::within(clock, MAX_READING_MILLIS, MAX_READING_STEPS),
        };
        let (mut pattern, expando) = read.best()?;
        pattern.strictness = strictness(spec.strictness);
        if let PatternNode::MetaVar {
            meta_var: MetaVariable::Multiple | MetaVariable::MultiCapture(_),
        } = &pattern.node
        {
            let message = "`$$$` stands for several pieces of code: write what is around them";
            return Err(StructuralError::new(Kind::Syntax, message).at(code, 0));
        }
        let mut names: Vec<String> = pattern
            .defined_vars()
            .into_iter()
            .map(str::to_owned)
            .collect();
        names.order_by(Ord::cmp);
        let constraints = check_constraints(spec, &names, &grammar, language)?;
        Ok(CodePattern {
            pattern,
            language: PatternLanguage { grammar, expando },
            names,
            constraints,
        })
    }

    /// Texts that every file with a match has.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !matches!(self.pattern.strictness, MatchStrictness::Signature) {
            collect_words(&self.pattern.node, &mut words);
        }
        words.order_by(Ord::cmp);
        words.dedup();
        words
    }

    /// Up to `limit` matches in a parsed text, in the order of their starts.
    pub(super) fn find(
        &self,
        tree: Tree,
        text: &str,
        limit: usize,
        deadline: Deadline,
    ) -> StructuralFound {
        let fuel = Rc::new(Fuel::new(deadline));
        let root = AstGrep::doc(Document {
            language: self.language.clone(),
            text: text.to_owned(),
            tree,
            fuel: Rc::clone(&fuel),
        });
        let kinds = self.pattern.potential_kinds();
        let mut found = StructuralFound::default();
        for node in root.root().dfs() {
            if kinds
                .as_ref()
                .is_some_and(|kinds| !kinds.contains(node.kind_id().into()))
            {
                continue;
            }
            let mut env = Cow::Owned(MetaVarEnv::new());
            let is_match = self
                .pattern
                .match_node_with_env(node.clone(), &mut env)
                .is_some();
            // The last piece may have spent what was left: whether it holds is not known then.
            if !is_match || !self.holds(&env, &fuel) || fuel.is_spent() {
                continue;
            }
            if found.matches.len() == limit {
                found.truncated = true;
                break;
            }
            found.matches.push(StructuralMatch {
                span: span_of(node.get_inner_node().node),
                captures: self.captures(&env),
            });
        }
        found.timed_out = fuel.is_spent();
        found.n_steps = fuel.budget().n_steps();
        found
    }

    fn holds(&self, env: &MetaVarEnv<'_, Document>, fuel: &Fuel) -> bool {
        self.constraints.iter().all(|constraint| {
            let nodes = nodes_of(env, &constraint.name);
            // Of several pieces, the commas between them are nobody's concern.
            let is_single = nodes.len() == 1;
            let nodes = nodes.iter().filter(|node| is_single || node.is_named());
            nodes.into_iter().all(|node| {
                let text = node.text();
                let kind_fits =
                    constraint.kinds.is_empty() || constraint.kinds.contains(&node.kind_id());
                let fits = |expression: &Expression| expression.is_match(&text, fuel.budget());
                kind_fits
                    && constraint.regex.as_ref().is_none_or(fits)
                    && !constraint.not_regex.as_ref().is_some_and(fits)
            })
        })
    }

    /// Returns the captures of the metavariables, except those that match nothing.
    fn captures(&self, env: &MetaVarEnv<'_, Document>) -> Vec<StructuralCapture> {
        let capture = |name: &String| {
            let nodes = nodes_of(env, name);
            let (first, last) = (nodes.first()?, nodes.last()?);
            let (mut span, end) = (
                span_of(first.get_inner_node().node),
                span_of(last.get_inner_node().node),
            );
            (span.end, span.end_line) = (end.end, end.end_line);
            Some(StructuralCapture {
                name: name.clone(),
                span,
            })
        };
        self.names.iter().filter_map(capture).collect()
    }
}

type Found<'t> = Vec<ast_grep_core::Node<'t, Document>>;

fn nodes_of<'t>(env: &MetaVarEnv<'t, Document>, name: &str) -> Found<'t> {
    match env.get_match(name) {
        Some(node) => vec![node.clone()],
        None => env.get_multiple_matches(name),
    }
}

/// Time limit for parsing a pattern in one language.
const MAX_READING_MILLIS: f64 = 10_000.0;
/// Operations of the parser for it.
const MAX_READING_STEPS: u64 = 20_000_000;

fn strictness(strictness: Strictness) -> MatchStrictness {
    match strictness {
        Strictness::Cst => MatchStrictness::Cst,
        Strictness::Smart => MatchStrictness::Smart,
        Strictness::Ast => MatchStrictness::Ast,
        Strictness::Relaxed => MatchStrictness::Relaxed,
        Strictness::Signature => MatchStrictness::Signature,
    }
}

/// Names and literals of the pattern: the matcher compares them letter by letter.
fn collect_words(node: &PatternNode, words: &mut Vec<String>) {
    match node {
        PatternNode::Terminal {
            text,
            is_named: true,
            ..
        } if text.len() > 1 => words.push(text.clone()),
        PatternNode::Internal { children, .. } => {
            for child in children {
                collect_words(child, words);
            }
        }
        _ => {}
    }
}

fn check_constraints(
    spec: &StructuralSpec,
    names: &[String],
    grammar: &tree_sitter::Language,
    language: &str,
) -> Result<Vec<Checked>, StructuralError> {
    let refused = |message| StructuralError::new(Kind::Constraint, message);
    let check = |constraint: &super::Constraint| {
        let name = constraint.name.trim_start_matches('$').to_owned();
        if names.binary_search(&name).is_err() {
            return Err(refused(format!("the pattern has no metavariable ${name}")));
        }
        let regex = |pattern: &Option<String>| pattern.as_deref().map(Expression::new).transpose();
        let kind = |kind: &String| match grammar.id_for_node_kind(kind, true) {
            0 => Err(refused(format!("{language} has no node named {kind:?}"))),
            id => Ok(id),
        };
        Ok(Checked {
            regex: regex(&constraint.regex)?,
            not_regex: regex(&constraint.not_regex)?,
            kinds: constraint
                .kinds
                .iter()
                .map(kind)
                .collect::<Result<_, _>>()?,
            name,
        })
    };
    spec.constraints.iter().map(check).collect()
}

/// A pattern being read.
struct Reading<'a> {
    parser: &'a mut Parser,
    grammar: &'a tree_sitter::Language,
    language: &'a str,
    /// As it was given, for places in messages.
    code: &'a str,
    /// Without the blanks around it.
    pattern: &'a str,
    deadline: Deadline,
}

/// Result of parsing a pattern in one context.
enum Fit {
    Whole(Pattern),
    /// The end of a statement is missing.
    Incomplete(Pattern),
    /// Place and reason.
    Unfit(usize, &'static str),
}

impl Reading<'_> {
    /// The pattern in the first context in which it is whole, else in the first in which only a semicolon is missing.
    fn best(mut self) -> Result<(Pattern, char), StructuralError> {
        let mut incomplete = None;
        let mut furthest = (0, "it does not fit the grammar");
        let fillers = Fillers::of(self.pattern, self.language);
        let ways = contexts(self.language).iter().flat_map(|context| {
            let letters = EXPANDOS.into_iter().map(move |letter| (context, letter));
            letters.flat_map(|(context, letter)| fillers.iter().map(move |f| (context, letter, *f)))
        });
        for (context, letter, fillers) in ways {
            let spelt = Spelt::new(self.pattern, letter, fillers);
            if spelt.text == self.pattern && letter != '$' {
                continue; // nothing to spell: one letter is enough
            }
            match self.fit(context, &spelt, letter)? {
                Fit::Whole(pattern) => return Ok((pattern, letter)),
                Fit::Incomplete(pattern) => incomplete = incomplete.or(Some((pattern, letter))),
                Fit::Unfit(place, reason) if place > furthest.0 || furthest.0 == 0 => {
                    furthest = (place, reason);
                }
                Fit::Unfit(..) => {}
            }
        }
        let message =
            |reason: &str| format!("the pattern cannot be read as {}: {reason}", self.language);
        incomplete.ok_or_else(|| {
            let blanks = self.code.len() - self.code.trim_start().len();
            let (place, reason) = match unbalanced(self.pattern) {
                Some(place) => (place, "this bracket has no partner"),
                None => furthest,
            };
            StructuralError::new(Kind::Syntax, message(reason)).at(self.code, blanks + place)
        })
    }

    fn fit(
        &mut self,
        context: &Context,
        spelt: &Spelt,
        letter: char,
    ) -> Result<Fit, StructuralError> {
        let &(before, after) = context;
        let text = [before, &spelt.text, after].concat();
        let (start, end) = (before.len(), before.len() + spelt.text.len());
        let tree = parse(self.parser, self.language, &text, &self.deadline).ok_or_else(|| {
            let message = format!("the pattern takes too long to read as {}", self.language);
            StructuralError::new(Kind::Size, message)
        })?;
        let root = tree.root_node();
        let place = |offset: usize| {
            let place = spelt.place(offset.clamp(start, end) - start);
            place.min(self.pattern.len())
        };
        let Some(node) = root.named_descendant_for_byte_range(start, end) else {
            return Ok(Fit::Unfit(0, "it does not fit the grammar"));
        };
        if let Some(error) = first_error(root)? {
            let place = place(error);
            return Ok(Fit::Unfit(
                place,
                "it does not fit the grammar from here on",
            ));
        }
        let rest = text.get(end..node.end_byte()).unwrap_or_default();
        if node == root || node.start_byte() != start || !matches!(rest.trim(), "" | ";") {
            let second = second_piece(node, start);
            return Ok(Fit::Unfit(
                place(second),
                "one piece of code is looked for, and here a second begins",
            ));
        }
        let whole = !root.has_error();
        let document = Document {
            language: PatternLanguage {
                grammar: self.grammar.clone(),
                expando: letter,
            },
            fuel: Rc::new(Fuel::new(Deadline::within(None, f64::INFINITY, MAX_STEPS))),
            tree: tree.clone(),
            text,
        };
        let root = AstGrep::doc(document);
        let inner = root.root().get_doc().spanning(start, end);
        let pattern = inner.map(|inner| Pattern::from(root.adopt(inner)));
        Ok(match pattern {
            Some(pattern) if whole => Fit::Whole(pattern),
            Some(pattern) => Fit::Incomplete(pattern),
            None => Fit::Unfit(0, "it does not fit the grammar"),
        })
    }
}
