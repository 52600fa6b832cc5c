//! Reading one text: parse, extract, read parts once more, cut chunks.

use crate::order::InOrder;
use tree_sitter::{Range, Tree};

use super::Parsers;
use crate::chunk;
use crate::deadline::{Deadline, parse};
use crate::facts::{FileFacts, Problem, ProblemKind};
use crate::languages;
use crate::lower::lower_facts;
use crate::regions::{self, Region};
use crate::rules::Rules;
use crate::text::Lines;
use crate::{Language, documents, extract};

/// More parts than this of one file are not read once more: joining them is not free.
pub(super) const MAX_REGIONS: usize = 5_000;

/// Parts within parts are read to this depth; behind an error there may be another.
const MAX_ROUNDS: usize = 32;

impl Parsers {
    /// Reads the facts of a text. Never fails: [`FileFacts::problems`] lists the parts that could not be parsed, and
    /// chunks cover the text in any case.
    pub fn read(&mut self, language: Language, text: &str) -> FileFacts {
        let lines = Lines::new(text);
        let mut facts = FileFacts {
            language,
            n_lines: lines.count(),
            ..FileFacts::default()
        };
        let rules = language.grammar().zip(self.rules(language));
        match rules {
            Some((name, rules)) => self.read_code(name, rules, text, &lines, &mut facts),
            None => self.read_document(text, &lines, &mut facts),
        }
        lower_facts(&mut facts, text);
        facts
    }

    /// A document, and the scripts in it by the parser of their language.
    fn read_document(&mut self, text: &str, lines: &Lines, facts: &mut FileFacts) {
        let mut rest = documents::read(facts, text, lines);
        let name = facts.language.grammar_for(text);
        let deadline = Deadline::start(&self.config, name.unwrap_or_default(), text.len());
        let rules = name
            .and_then(Language::from_name)
            .and_then(languages::rules);
        let mut parts = Vec::new();
        for script in rest.scripts.into_iter().take(MAX_REGIONS) {
            let (Some(name), Some(rules)) = (name, rules) else {
                break;
            };
            let region = script.region();
            let mut part = FileFacts {
                language: facts.language,
                ..FileFacts::default()
            };
            let range = Some(region.range(lines));
            match self.parse_and_extract(name, rules, text, range, &mut part, &deadline) {
                Ok((tree, _)) => {
                    problems(&tree, facts);
                    rest.cuts.extend(outermost_lines(&part));
                    parts.push((region, part));
                }
                Err(problem) => {
                    let span = lines.whole(0, lines.count());
                    facts.problems.push(Problem { span, ..problem });
                    break;
                }
            }
        }
        if !parts.is_empty() {
            regions::merge(facts, parts);
        }
        rest.cuts.order_by(Ord::cmp);
        documents::chunk(facts, &rest.cuts, text, lines, &self.config.chunk);
    }

    fn read_code(
        &mut self,
        name: &'static str,
        rules: &Rules,
        text: &str,
        lines: &Lines,
        facts: &mut FileFacts,
    ) {
        let deadline = Deadline::start(&self.config, name, text.len());
        match self.parse_and_extract(name, rules, text, None, facts, &deadline) {
            Ok((tree, regions)) => {
                problems(&tree, facts);
                let behind = regions::behind_errors(&tree, facts, text, lines);
                self.read_regions(
                    name,
                    rules,
                    text,
                    lines,
                    facts,
                    regions.into_iter().chain(behind).collect(),
                    &deadline,
                );
                chunk::by_tree(facts, tree.root_node(), lines, text, &self.config.chunk);
            }
            Err(problem) => {
                facts.problems.push(Problem {
                    span: lines.whole(0, lines.count()),
                    ..problem
                });
                chunk::by_lines(facts, lines, text, &self.config.chunk);
            }
        }
    }

    /// Reads parts once more on their own, those within them after them. All together cost at most a few times the file.
    #[expect(clippy::too_many_arguments, reason = "the state of one file")]
    fn read_regions(
        &mut self,
        name: &'static str,
        rules: &Rules,
        text: &str,
        lines: &Lines,
        facts: &mut FileFacts,
        first: Vec<Region>,
        deadline: &Deadline,
    ) {
        let mut budget = text.len() * 3 + 65_536;
        let mut pending = regions::disjoint(first);
        for _ in 0..MAX_ROUNDS {
            let mut parts = Vec::new();
            let mut inside = Vec::new();
            for region in std::mem::take(&mut pending).into_iter().take(MAX_REGIONS) {
                let size = region.end.saturating_sub(region.start);
                if size > budget || deadline.is_over() {
                    break;
                }
                budget -= size;
                let mut part = FileFacts {
                    language: facts.language,
                    ..FileFacts::default()
                };
                let range = Some(region.range(lines));
                let Ok((tree, inner)) =
                    self.parse_and_extract(name, rules, text, range, &mut part, deadline)
                else {
                    break;
                };
                let is_kept = if region.is_repair {
                    inside.extend(regions::behind_errors(&tree, &part, text, lines));
                    regions::is_better(facts, &part, region)
                } else {
                    !tree.root_node().has_error()
                };
                if is_kept && !(part.symbols.is_empty() && part.imports.is_empty()) {
                    inside.extend(inner);
                    parts.push((region, part));
                }
            }
            if !parts.is_empty() {
                regions::merge(facts, parts);
            }
            pending = regions::disjoint(inside);
            if pending.is_empty() {
                return;
            }
        }
    }

    fn parse_and_extract(
        &mut self,
        name: &'static str,
        rules: &Rules,
        text: &str,
        range: Option<Range>,
        facts: &mut FileFacts,
        deadline: &Deadline,
    ) -> Result<(Tree, Vec<Region>), Problem> {
        let Parsers {
            config,
            parser,
            grammars,
            ..
        } = self;
        let Some(grammar) = grammars.get_mut(name) else {
            return Err(no_grammar(&format!(
                "no grammar for {name} is loaded; the file is searched as text"
            )));
        };
        parser
            .set_language(&grammar.language)
            .map_err(|error| no_grammar(&error.to_string()))?;
        // One range is in order; an empty list means the whole text.
        let _ = parser.set_included_ranges(range.as_slice());
        let readable = languages::readable(name, text);
        let tree = parse(parser, name, &readable, deadline);
        let _ = parser.set_included_ranges(&[]);
        let tree = tree.ok_or_else(|| timeout(deadline))?;
        let query = grammar
            .facts(name, rules)
            .map_err(|error| no_grammar(&error.to_string()))?;
        let rest = extract::extract(
            facts,
            rules,
            query,
            tree.root_node(),
            text,
            config.max_depth,
            deadline,
        );
        if rest.timed_out {
            facts.problems.push(timeout(deadline));
        }
        Ok((tree, rest.regions))
    }
}

/// Lines on which the outermost definitions start.
fn outermost_lines(facts: &FileFacts) -> impl Iterator<Item = u32> + '_ {
    let outermost = facts
        .symbols
        .iter()
        .filter(|symbol| symbol.parent.is_none());
    outermost.map(|symbol| symbol.span.start_line)
}

fn no_grammar(message: &str) -> Problem {
    Problem {
        kind: ProblemKind::NoGrammar,
        span: Default::default(),
        message: message.to_owned(),
    }
}

fn timeout(deadline: &Deadline) -> Problem {
    let limit = deadline.reached();
    Problem {
        kind: ProblemKind::Timeout,
        span: Default::default(),
        message: format!(
            "reading took {limit}; what was found until then is kept, the text is searched"
        ),
    }
}

/// The places that do not fit the grammar, at most 20. Only subtrees with errors are entered.
fn problems(tree: &Tree, facts: &mut FileFacts) {
    let root = tree.root_node();
    if !root.has_error() {
        return;
    }
    let mut cursor = tree.walk();
    let mut n_found = 0;
    let mut budget = 200_000_u32;
    loop {
        let node = cursor.node();
        budget = budget.saturating_sub(1);
        let is_problem = node.is_error() || node.is_missing();
        if is_problem {
            let message = if node.is_missing() {
                format!("{} is missing", node.kind())
            } else {
                "text does not fit the grammar".to_owned()
            };
            facts.problems.push(Problem {
                kind: ProblemKind::Syntax,
                span: crate::node::span_of(node),
                message,
            });
            n_found += 1;
        }
        if n_found >= 20 || budget == 0 {
            return;
        }
        if !is_problem && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
