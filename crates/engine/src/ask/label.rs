//! Labels of hits: the definition in a chunk that matched the query, else the one that the chunk mainly consists of.

use graph::NodeId;
use rustc_hash::FxHashSet;
use search::{ChunkId, GlobalPlan, QueryKind, folded_name_hash, term_hash};
use syntax::facts::SymbolKind;

use crate::Reader;
use crate::ask::select::kind_rank;
use crate::ask::subject::Subject;

/// The definition that a hit is labelled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Label {
    /// The definition.
    pub(crate) symbol: Option<NodeId>,
    /// Whether it has a name of the query: its head is shown.
    pub(crate) is_named: bool,
}

/// How well a definition's name matches: the first that differs decides.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Match {
    class: Class,
    /// Share of the query's words in the name, by their rarity.
    share: f32,
    /// Types and functions before fields and constructors.
    kind: i16,
    is_main: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Shares words with the query.
    Words,
    /// Has a name of the query except for case and underscores, or one with a similar spelling.
    Similar,
    /// Has a name of the query.
    Exact,
    /// Is what the query is about.
    Subject,
}

/// Labels the hits of one query.
pub(crate) struct Labels<'a> {
    reader: &'a Reader,
    subject: &'a Subject,
    named: FxHashSet<NodeId>,
    names: Vec<(&'a str, u64)>,
    /// Names written nearly like that of the query, if nothing has it.
    near: Vec<&'a str>,
    /// Words of the query with their rarity.
    words: Vec<(u64, f32)>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(
        reader: &'a Reader,
        global: &'a GlobalPlan,
        subject: &'a Subject,
    ) -> Labels<'a> {
        let plan = &global.plan;
        let single = plan.terms.iter().enumerate();
        let single = single.filter(|(_, term)| term.joins.is_none());
        let names = plan.identifiers.iter();
        Labels {
            reader,
            subject,
            named: subject.nodes.iter().copied().collect(),
            names: names
                .map(|name| (name.as_str(), folded_name_hash(name)))
                .collect(),
            near: subject.similar(global).collect(),
            words: match plan.kind {
                QueryKind::Symbol => Vec::new(),
                QueryKind::Conceptual => single
                    .map(|(idx, term)| (term.hash, global.idf_of(idx) * term.importance))
                    .collect(),
            },
        }
    }

    /// Labels a chunk. `by_words` if one of its definitions has a word of the query in its name. Linear in the
    /// definitions of its file.
    pub(crate) fn of(&self, chunk: ChunkId, by_words: bool) -> Label {
        let main = self.reader.symbol_of(chunk);
        if let Some(user) = self.subject.users.get(&chunk) {
            let is_symbol = self.reader.is_symbol(*user);
            return Label {
                symbol: is_symbol.then_some(*user).or(main),
                is_named: false,
            };
        }
        let can_match = !self.named.is_empty() || !self.names.is_empty() || !self.near.is_empty();
        if !can_match && !by_words {
            return Label {
                symbol: main,
                is_named: false,
            };
        }
        let Some(meta) = self.reader.chunk(chunk) else {
            return Label::default();
        };
        let graph = self.reader.graph();
        let lines = meta.start_line..=meta.end_line;
        // A chunk of constants consists of none of them; the one with a word of the query tells most.
        let worst = if main.is_some() {
            0
        } else {
            kind_rank(Some(SymbolKind::Constant))
        };
        let mut best: Option<(Match, NodeId)> = None;
        for node in graph.symbols_of(meta.file) {
            if !lines.contains(&graph.node(node).span.start_line) {
                continue;
            }
            let Some(found) = self.matched(node, main == Some(node), by_words.then_some(worst))
            else {
                continue;
            };
            if best.is_none_or(|(known, _)| found > known) {
                best = Some((found, node));
            }
        }
        let own = main.map_or(0.0, |main| self.share(main));
        match best {
            Some((found, _)) if found.class == Class::Words && found.share <= own => Label {
                symbol: main,
                is_named: false,
            },
            Some((found, node)) => Label {
                symbol: Some(node),
                is_named: found.class > Class::Words,
            },
            None => Label {
                symbol: main,
                is_named: false,
            },
        }
    }

    /// `by_words` is the worst rank of kinds whose names may share only words with the query.
    fn matched(&self, node: NodeId, is_main: bool, by_words: Option<u8>) -> Option<Match> {
        let graph = self.reader.graph();
        let name = graph.name(node);
        let rank = kind_rank(graph.symbol_kind(node));
        let folded = || {
            let hash = folded_name_hash(name);
            self.names.iter().any(|(_, folded)| *folded == hash) || self.near.contains(&name)
        };
        let (class, share) = if self.named.contains(&node) {
            (Class::Subject, 1.0)
        } else if self.names.iter().any(|(known, _)| *known == name) {
            (Class::Exact, 1.0)
        } else if !(self.names.is_empty() && self.near.is_empty()) && folded() {
            (Class::Similar, 1.0)
        } else {
            let may_share = by_words.is_some_and(|worst| rank <= worst);
            (Class::Words, if may_share { self.share(node) } else { 0.0 })
        };
        (share > 0.0).then_some(Match {
            class,
            share,
            kind: -i16::from(rank),
            is_main,
        })
    }

    /// Share of the query's words, by their rarity, that are in the name of a definition.
    fn share(&self, node: NodeId) -> f32 {
        let total: f32 = self.words.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            return 0.0;
        }
        let mut held = 0.0;
        let tokens = search::tokenize(self.reader.graph().name(node));
        for (word, weight) in &self.words {
            if tokens.iter().any(|token| term_hash(token) == *word) {
                held += weight;
            }
        }
        held / total
    }
}
