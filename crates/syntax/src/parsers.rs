//! Grammars and the one entry to reading: [`Parsers::read`].

use std::collections::BTreeMap;

use tree_sitter::{Parser, Range, Tree};

use crate::chunk::{self, ChunkConfig};
use crate::deadline::{Deadline, parse};
use crate::facts::{FileFacts, Problem, ProblemKind};
use crate::grammar::{Grammar, GrammarError};
use crate::languages::{self, Rules, UserRules};
use crate::regions::{self, Region};
use crate::text::Lines;
use crate::{Highlight, Language, documents, extract};

/// Limits of reading.
#[derive(Debug, Clone)]
pub struct ParseConfig {
    /// Sizes of chunks.
    pub chunk: ChunkConfig,
    /// Milliseconds that parsing and reading one file may take, measured by `clock`. A file that takes longer is searched
    /// as text only. Higher: slow files (minified code, data in code) get symbols too; lower: they hold others up less.
    pub max_parse_millis: f64,
    /// Gives milliseconds from any fixed moment. Without it there is no time limit.
    pub clock: Option<fn() -> f64>,
    /// Definitions and uses nested deeper than this many tree levels are left out.
    pub max_depth: u32,
}

impl Default for ParseConfig {
    fn default() -> ParseConfig {
        ParseConfig {
            chunk: ChunkConfig::default(),
            max_parse_millis: 5_000.0,
            clock: None,
            max_depth: 2_000,
        }
    }
}

/// More parts than this of one file are not read once more: joining them is not free.
const MAX_REGIONS: usize = 5_000;

/// Parts within parts are read to this depth; behind an error there may be another.
const MAX_ROUNDS: usize = 32;

/// Reads texts. Holds the parser, the grammars and their compiled queries; one a worker, used for many files.
pub struct Parsers {
    config: ParseConfig,
    parser: Parser,
    grammars: BTreeMap<&'static str, Grammar>,
    pub(crate) user: UserRules,
}

impl Parsers {
    /// Natively every linked grammar is there; in wasm they come by [`Parsers::add_grammar`].
    #[must_use]
    pub fn new(config: ParseConfig) -> Parsers {
        let mut parsers = Parsers {
            config,
            parser: Parser::new(),
            grammars: BTreeMap::new(),
            user: UserRules::default(),
        };
        parsers.link();
        parsers
    }

    #[cfg(feature = "all-languages")]
    fn link(&mut self) {
        let linked: [(&str, tree_sitter::Language); 21] = [
            ("rust", tree_sitter_rust::LANGUAGE.into()),
            ("python", tree_sitter_python::LANGUAGE.into()),
            ("javascript", tree_sitter_javascript::LANGUAGE.into()),
            (
                "typescript",
                tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            ),
            ("tsx", tree_sitter_typescript::LANGUAGE_TSX.into()),
            ("go", tree_sitter_go::LANGUAGE.into()),
            ("java", tree_sitter_java::LANGUAGE.into()),
            ("c", tree_sitter_c::LANGUAGE.into()),
            ("cpp", tree_sitter_cpp::LANGUAGE.into()),
            ("csharp", tree_sitter_c_sharp::LANGUAGE.into()),
            ("php", tree_sitter_php::LANGUAGE_PHP.into()),
            ("kotlin", tree_sitter_kotlin_ng::LANGUAGE.into()),
            ("swift", tree_sitter_swift::LANGUAGE.into()),
            ("scala", tree_sitter_scala::LANGUAGE.into()),
            ("dart", tree_sitter_dart::LANGUAGE.into()),
            ("ruby", tree_sitter_ruby::LANGUAGE.into()),
            ("lua", tree_sitter_lua::LANGUAGE.into()),
            ("bash", tree_sitter_bash::LANGUAGE.into()),
            ("elixir", tree_sitter_elixir::LANGUAGE.into()),
            ("haskell", tree_sitter_haskell::LANGUAGE.into()),
            ("zig", tree_sitter_zig::LANGUAGE.into()),
        ];
        for (name, language) in linked {
            // A linked grammar of the wrong version is found by the tests; here the language stays without grammar.
            let _ = self.add_grammar(name, language);
        }
    }

    #[cfg(not(feature = "all-languages"))]
    fn link(&mut self) {}

    /// Adds or replaces a grammar by the name that [`Language::grammar`] gives. Its queries are compiled at the first
    /// file; [`Parsers::compile`] does it at once and tells whether they fit.
    pub fn add_grammar(
        &mut self,
        name: &str,
        language: tree_sitter::Language,
    ) -> Result<(), GrammarError> {
        let known = Language::ALL
            .into_iter()
            .chain(Language::USER)
            .find_map(|known| Some((known, known.grammar()?)).filter(|(_, known)| *known == name));
        let (known, slot) = known.ok_or_else(|| GrammarError::UnknownName(name.to_owned()))?;
        let grammar = Grammar::new(self.user.languages().name(known), language)?;
        self.grammars.insert(slot, grammar);
        Ok(())
    }

    /// Compiles the queries of a language now rather than at its first file.
    pub fn compile(&mut self, language: Language) -> Result<(), GrammarError> {
        let (Some(name), Some(rules)) = (language.grammar(), self.rules(language)) else {
            return Ok(());
        };
        match self.grammars.get_mut(name) {
            Some(grammar) => {
                let shown = self.user.languages().name(language);
                grammar.facts(shown, rules)?;
                grammar.highlights(shown, rules).map(|_| ())
            }
            None => Err(GrammarError::UnknownName(name.to_owned())),
        }
    }

    /// Whether a language can be read: it needs no grammar, or its grammar is there.
    #[must_use]
    pub fn has_grammar(&self, language: Language) -> bool {
        language
            .grammar()
            .is_none_or(|name| self.grammars.contains_key(name))
    }

    /// What is particular to a language, a user's included.
    fn rules(&self, language: Language) -> Option<&'static Rules> {
        languages::rules(language).or_else(|| self.user.rules(language))
    }

    /// The parser, set to the grammar of a language; none where there is no grammar for it.
    pub(crate) fn parser_of(
        &mut self,
        language: Language,
    ) -> Option<(&mut Parser, tree_sitter::Language)> {
        let grammar = self.grammars.get(language.grammar()?)?;
        self.parser.set_language(&grammar.language).ok()?;
        Some((&mut self.parser, grammar.language.clone()))
    }

    /// The clock of the limits.
    pub(crate) fn clock(&self) -> Option<fn() -> f64> {
        self.config.clock
    }

    /// What the text says. Never fails: what could not be read stands in [`FileFacts::problems`], and chunks cover the
    /// text in any case.
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
        facts
    }

    /// The coloured pieces of a text: sorted, none overlapping, byte offsets. Empty where there is no grammar for the
    /// language or the time is up.
    pub fn highlights(&mut self, language: Language, text: &str) -> Vec<Highlight> {
        let deadline = Deadline::start(&self.config);
        let Some((name, rules)) = language.grammar().zip(self.rules(language)) else {
            return documents::highlights(language, text);
        };
        let Parsers {
            config,
            parser,
            grammars,
            ..
        } = self;
        let Some(grammar) = grammars.get_mut(name) else {
            return Vec::new();
        };
        if parser.set_language(&grammar.language).is_err() {
            return Vec::new();
        }
        let Some(tree) = parse(parser, text, &deadline) else {
            return Vec::new();
        };
        match grammar.highlights(name, rules) {
            Ok(query) => query.run(tree.root_node(), text, config.max_depth, &deadline),
            Err(_) => Vec::new(),
        }
    }

    /// A document, and the scripts in it by the parser of their language.
    fn read_document(&mut self, text: &str, lines: &Lines, facts: &mut FileFacts) {
        let deadline = Deadline::start(&self.config);
        let mut rest = documents::read(facts, text, lines);
        let name = facts.language.grammar_for(text);
        let rules = name
            .and_then(Language::from_name)
            .and_then(languages::rules);
        let mut parts = Vec::new();
        for script in rest.scripts.into_iter().take(MAX_REGIONS) {
            let (Some(name), Some(rules)) = (name, rules) else {
                break;
            };
            let region = Region {
                start: script.start,
                end: script.end,
                is_repair: true,
            };
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
        rest.cuts.sort_unstable();
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
        let deadline = Deadline::start(&self.config);
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
        // One range is in order; an empty list stands for the whole text.
        let _ = parser.set_included_ranges(range.as_slice());
        let readable = if matches!(name, "c" | "cpp") {
            languages::without_class_macros(text)
        } else {
            text.into()
        };
        let tree = parse(parser, &readable, deadline);
        let _ = parser.set_included_ranges(&[]);
        let tree = tree.ok_or_else(|| timeout(config))?;
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
            facts.problems.push(timeout(config));
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

fn timeout(config: &ParseConfig) -> Problem {
    let message = format!(
        "reading took longer than {} ms; what was found until then is kept, the text is searched",
        config.max_parse_millis
    );
    Problem {
        kind: ProblemKind::Timeout,
        span: Default::default(),
        message,
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
                span: languages::span_of(node),
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
