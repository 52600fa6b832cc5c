//! Matching: each node against the patterns that begin with its kind.

use tree_sitter::Node;

use super::compile::{Element, Matcher, NodeTest, Pattern, Predicate, Test};
use super::flat::{Flat, FlatTree};
use super::read::Quantifier;
use crate::deadline::Deadline;
use crate::node::text_of;

/// A pattern may match one node in this many ways; patterns with several captured siblings could match in millions.
pub(super) const MAX_MATCHES_OF_NODE: u32 = 10_000;

/// Siblings that are tried for the elements of patterns in one step: each takes a fraction of what the parser does in one.
const TRIED_PER_STEP: u32 = 16;

/// Steps that are charged at once.
const STEPS_AT_ONCE: u32 = 64;

/// A repeated element takes at most about this many siblings: each costs some stack.
const MAX_REPEATS: u32 = 500;

/// A match: which pattern, and the captured nodes by number of capture.
pub(crate) struct Found<'a, 't> {
    pub(crate) pattern: usize,
    pub(crate) captures: &'a [(u16, Node<'t>)],
}

impl Matcher {
    /// Calls `take` with every match, by the place of its first node. Linear in the nodes; in the ways that a pattern
    /// matches a node, which are bounded; in the siblings that are tried for it, which `deadline` counts. Returns false
    /// where that ends it.
    pub(crate) fn run<'t>(
        &self,
        tree: &FlatTree<'t>,
        source: &str,
        deadline: &Deadline,
        mut take: impl FnMut(Found<'_, 't>),
    ) -> bool {
        let mut run = Run {
            nodes: &tree.nodes,
            source,
            captures: Vec::new(),
            pattern: None,
            n_matches: 0,
            n_open: 0,
            n_tried: 0,
            is_over: false,
            deadline,
            take: &mut take,
        };
        for (at, flat) in tree.nodes.iter().enumerate() {
            let own = self.by_kind.get(flat.kind as usize);
            for &number in own.into_iter().flatten().chain(&self.by_any) {
                if let Some(pattern) = self.patterns.get(number as usize) {
                    run.pattern = Some((number as usize, pattern));
                    run.n_matches = 0;
                    run.element(&pattern.root, at as u32, None);
                }
            }
            if run.is_over {
                return false;
            }
        }
        true
    }
}

struct Run<'a, 't> {
    nodes: &'a [Flat<'t>],
    source: &'a str,
    captures: Vec<(u16, Node<'t>)>,
    pattern: Option<(usize, &'a Pattern)>,
    n_matches: u32,
    /// Elements that are matched and wait for the rest of the pattern.
    n_open: u32,
    /// Siblings that were tried since the deadline was last asked.
    n_tried: u32,
    /// The budget is used up: nothing more is tried.
    is_over: bool,
    deadline: &'a Deadline,
    take: &'a mut dyn FnMut(Found<'_, 't>),
}

/// The rest to match: elements from `element` on, among the siblings `[next, end)`, then the rest of `above`.
#[derive(Clone, Copy)]
struct Rest<'a, 'r> {
    test: &'a NodeTest,
    element: usize,
    next: u32,
    end: u32,
    /// The present element, which may repeat, has matched before.
    is_repeated: bool,
    above: Option<&'r Rest<'a, 'r>>,
}

impl<'a, 't> Run<'a, 't> {
    /// Matches one node; true if a whole match came of it.
    fn element(&mut self, element: &'a Element, at: u32, rest: Option<&Rest<'a, '_>>) -> bool {
        let Some(flat) = self.nodes.get(at as usize) else {
            return false;
        };
        if element.field != 0 && element.field != flat.field {
            return false;
        }
        let before = self.captures.len();
        match &element.test {
            Test::OneOf(elements) => {
                self.capture(element, flat);
                let mut any = false;
                for one in elements {
                    any |= self.element(one, at, rest);
                }
                self.captures.truncate(before);
                any
            }
            Test::Node(test) => {
                if !test.kinds.contains(flat.kind, flat.is_named) || !self.lacks(test, at, flat) {
                    return false;
                }
                self.capture(element, flat);
                self.n_open += 1;
                let any = if test.children.is_empty() {
                    self.rest(rest)
                } else {
                    self.rest(Some(&Rest {
                        test,
                        element: 0,
                        next: at + 1,
                        end: flat.end,
                        is_repeated: false,
                        above: rest,
                    }))
                };
                self.n_open -= 1;
                self.captures.truncate(before);
                any
            }
        }
    }

    fn capture(&mut self, element: &Element, flat: &Flat<'t>) {
        for &number in &element.captures {
            self.captures.push((number, flat.node));
        }
    }

    /// Matches what is left; with nothing left the match is whole.
    fn rest(&mut self, rest: Option<&Rest<'a, '_>>) -> bool {
        let Some(rest) = rest else {
            return self.emit();
        };
        let Some(element) = rest.test.children.get(rest.element) else {
            let is_open = !rest.test.is_closed || !self.has_named(rest.next, rest.end);
            return is_open && self.rest(rest.above);
        };
        let repeats = matches!(element.quantifier, Quantifier::Any | Quantifier::Some);
        let next = rest.test.children.get(rest.element + 1);
        let is_free = captures_nothing(element) && next.is_none_or(|next| !next.is_anchored);
        let is_full = repeats && self.n_open > MAX_REPEATS;
        let (mut at, mut any) = (if is_full { rest.end } else { rest.next }, false);
        while at < rest.end && self.n_matches < MAX_MATCHES_OF_NODE && self.has_more() {
            let Some(flat) = self.nodes.get(at as usize) else {
                break;
            };
            let (end, is_named) = (flat.end, flat.is_named);
            let behind = Rest {
                element: rest.element + usize::from(!repeats),
                next: end,
                is_repeated: repeats,
                ..*rest
            };
            any |= self.element(element, at, Some(&behind));
            // A repeated element takes all it can; one that captures nothing need not be tried in other places, unless
            // its place decides about that of the next.
            if (any && (repeats || is_free)) || (element.is_anchored && is_named) {
                break;
            }
            at = end;
        }
        let may_lack = match element.quantifier {
            Quantifier::One => false,
            Quantifier::Optional | Quantifier::Any => true,
            Quantifier::Some => rest.is_repeated,
        };
        if !any && may_lack {
            any = self.rest(Some(&Rest {
                element: rest.element + 1,
                is_repeated: false,
                ..*rest
            }));
        }
        any
    }

    /// Counts a sibling that is tried; false once the budget is used up.
    fn has_more(&mut self) -> bool {
        self.n_tried += 1;
        if self.n_tried >= TRIED_PER_STEP * STEPS_AT_ONCE {
            self.n_tried = 0;
            self.is_over |= self.deadline.is_over_after(u64::from(STEPS_AT_ONCE));
        }
        !self.is_over
    }

    fn emit(&mut self) -> bool {
        let Some((number, pattern)) = self.pattern else {
            return false;
        };
        if !pattern
            .predicates
            .iter()
            .all(|predicate| self.holds(predicate))
        {
            return false;
        }
        self.n_matches += 1;
        (self.take)(Found {
            pattern: number,
            captures: &self.captures,
        });
        true
    }

    /// Returns true if all fields that must be absent are absent.
    fn lacks(&self, test: &NodeTest, at: u32, flat: &Flat) -> bool {
        test.negated.is_empty() || {
            let mut children = self.children(at + 1, flat.end);
            !children.any(|child| test.negated.contains(&child.field))
        }
    }

    fn has_named(&self, next: u32, end: u32) -> bool {
        self.children(next, end).any(|child| child.is_named)
    }

    fn children(&self, next: u32, end: u32) -> impl Iterator<Item = &'a Flat<'t>> {
        let (nodes, mut at) = (self.nodes, next);
        std::iter::from_fn(move || {
            let flat = nodes.get(at as usize).filter(|_| at < end)?;
            at = flat.end;
            Some(flat)
        })
    }

    fn holds(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Text {
                capture,
                texts,
                is_wanted,
            } => self
                .texts(*capture)
                .all(|text| texts.iter().any(|one| one == text) == *is_wanted),
            Predicate::Same {
                captures,
                is_wanted,
            } => (self.texts(captures.0).next() == self.texts(captures.1).next()) == *is_wanted,
            Predicate::Regex {
                capture,
                regex,
                is_wanted,
            } => self
                .texts(*capture)
                .all(|text| regex.is_match(text) == *is_wanted),
        }
    }

    fn texts(&self, capture: u16) -> impl Iterator<Item = &'a str> {
        let source = self.source;
        self.captures
            .iter()
            .filter(move |(number, _)| *number == capture)
            .map(move |(_, node)| text_of(*node, source))
    }
}

fn captures_nothing(element: &Element) -> bool {
    element.captures.is_empty()
        && match &element.test {
            Test::Node(test) => test.children.iter().all(captures_nothing),
            Test::OneOf(elements) => elements.iter().all(captures_nothing),
        }
}
