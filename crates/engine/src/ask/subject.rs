//! The definitions that a query is about by its words: those of the name in "class Context", the callers of the name in
//! "who calls make_context". They come first, whatever their score.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;

use graph::{Direction, NodeId};
use rustc_hash::FxHashMap;
use search::{ChunkId, GlobalPlan, Intent, Plan, Raise};
use source::FileId;
use syntax::facts::SymbolKind;

use crate::Reader;
use crate::ask::calls::CallsConfig;
use crate::ask::select::kind_rank;
use syntax::order::InOrder;

/// Maximum number of definitions of one name, and of its uses, that are considered.
const MAX_NAMED: usize = 64;
/// Calls below this confidence may be of another definition of that name.
const SURE: u8 = 50;
/// The distance of test code from product code.
const FAR: u8 = 2;

/// The subject of a query, found in the index.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// Its definitions, the most likely first.
    pub(crate) nodes: Vec<NodeId>,
    /// Chunks that come first: those of its definitions, or those of its uses, in order.
    pub(crate) chunks: Vec<ChunkId>,
    /// The definition in each of these chunks that uses it.
    pub(crate) users: FxHashMap<ChunkId, NodeId>,
    /// Whether uses were asked for.
    pub(crate) are_uses: bool,
    /// Whether another shard has a definition of it.
    pub(crate) is_elsewhere: bool,
}

impl Subject {
    /// As the ranking takes it.
    pub(crate) fn raise(&self) -> Raise<'_> {
        if self.users.is_empty() {
            Raise::Best(&self.chunks)
        } else {
            Raise::InOrder(&self.chunks)
        }
    }

    /// Names written nearly like the one that the query is about, best first, if nothing has that name.
    pub(crate) fn similar<'g>(&self, global: &'g GlobalPlan) -> impl Iterator<Item = &'g str> {
        let is_unknown = self.nodes.is_empty() && !self.is_elsewhere;
        let near = global.near.iter().filter(move |_| is_unknown);
        near.map(|near| near.name.as_str())
    }
}

/// A definition that has the name that a query is about, by what tells whether it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<T> {
    /// The definition; of equally likely ones the first is meant.
    pub(crate) of: T,
    pub(crate) kind: Option<SymbolKind>,
    /// Whether its name is the whole name that was asked for.
    pub(crate) has_name: bool,
    /// As [`Reader::distance_from_product`].
    pub(crate) distance: u8,
    /// Bits of its centrality, which sort as the number.
    pub(crate) centrality: u32,
    pub(crate) n_lines: u32,
}

impl<T> Named<T> {
    /// The same definition, known by another id.
    pub(crate) fn at<U>(self, of: U) -> Named<U> {
        Named {
            of,
            kind: self.kind,
            has_name: self.has_name,
            distance: self.distance,
            centrality: self.centrality,
            n_lines: self.n_lines,
        }
    }
}

impl<T: Ord> Named<T> {
    fn is(&self, kind: SymbolKind) -> bool {
        self.kind == Some(kind)
    }

    /// Types and modules that several files may add to.
    fn is_opened_often(&self) -> bool {
        use SymbolKind::{Class, Interface, Module, Struct};
        matches!(self.kind, Some(Class | Struct | Interface | Module))
    }

    /// Leaves the definitions that a person means, where there are such, the most likely first: those called exactly so
    /// (`#items`), code before headings, the asked kinds before others, types before their constructors, code before
    /// tests.
    pub(crate) fn meant(mut all: Vec<Self>, asked: &search::Subject, intent: Intent) -> Vec<Self> {
        let likelihood = |named: &Self| {
            (
                kind_rank(named.kind),
                named.distance,
                Reverse(named.centrality),
            )
        };
        all.order_by(|one, other| {
            let by_place = || one.of.cmp(&other.of);
            likelihood(one).cmp(&likelihood(other)).then_with(by_place)
        });
        let mut keep = |is_meant: &dyn Fn(&Self) -> bool| {
            if all.iter().any(is_meant) {
                all.retain(is_meant);
            }
        };
        let is_asked = |kind: SymbolKind| asked.kinds & (1 << kind as u32) != 0;
        keep(&|named| named.has_name);
        keep(&|named| !named.is(SymbolKind::Section));
        keep(&|named| !named.is(SymbolKind::Impl));
        keep(&|named| named.kind.is_some_and(is_asked));
        keep(&|named| !named.is(SymbolKind::Constructor));
        if intent != Intent::Test {
            keep(&|named| named.distance < FAR);
        }
        // Forward declarations, and the small parts of a type or module that several files add to.
        let opened = all.iter().filter(|named| named.is_opened_often());
        let most = opened.map(|named| named.n_lines).max().unwrap_or(0);
        all.retain(|named| !named.is_opened_often() || named.n_lines.saturating_mul(2) >= most);
        all.truncate(MAX_NAMED);
        all
    }
}

/// A use of the subject of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubjectUse<N, C> {
    /// The definition that uses it, or its file.
    pub user: N,
    /// The chunk with the use, if there is one.
    pub chunk: C,
    /// Confidence, in percent.
    pub confidence: u8,
    /// Whether the user is test code.
    pub is_test: bool,
}

/// Puts uses in order: sure ones first, code before tests.
pub(crate) fn sort_uses<N, C>(uses: &mut [SubjectUse<N, C>]) {
    uses.order_by_key(|used| {
        (
            used.is_test,
            used.confidence < SURE,
            Reverse(used.confidence),
        )
    });
}

impl Reader {
    /// Finds the subject of a query. Empty if it is about no name, or where several definitions have a name that may
    /// as well be a word.
    pub(crate) fn subject(&self, plan: &Plan) -> Subject {
        let Some(asked) = &plan.subject else {
            return Subject::default();
        };
        let named = Named::meant(self.named_as(&asked.name).0, asked, plan.intent);
        let nodes: Vec<NodeId> = named.iter().map(|named| named.of).collect();
        let mut subject = Subject {
            are_uses: plan.intent == Intent::Callers,
            ..Subject::default()
        };
        if subject.are_uses {
            let mut uses = self.uses_of_subject(&nodes, asked.any_use);
            sort_uses(&mut uses);
            for used in uses {
                if let (Some(chunk), user) = (used.chunk, used.user) {
                    subject.add_use(chunk, user);
                }
            }
        }
        if subject.users.is_empty() && (asked.is_sure || nodes.len() == 1) {
            let starts = nodes.iter().filter_map(|node| self.chunk_of_head(*node));
            subject.chunks = starts.collect();
        }
        subject.nodes = nodes;
        subject
    }

    /// The definitions that have a name, in no order, and whether they were selected by the whole path of their file.
    pub(crate) fn named_as(&self, name: &str) -> (Vec<Named<NodeId>>, bool) {
        let graph = self.graph();
        let (nodes, is_whole_path) = self.matching(name).unwrap_or_default();
        let named = nodes.into_iter().map(|node| {
            let span = graph.node(node).span;
            Named {
                of: node,
                kind: graph.symbol_kind(node),
                has_name: graph.name(node) == name,
                distance: self.distance_from_product(node),
                centrality: self.centrality(node).to_bits(),
                n_lines: span.end_line.saturating_sub(span.start_line) + 1,
            }
        });
        (named.collect(), is_whole_path)
    }

    /// The chunk in which a definition begins.
    pub(crate) fn chunk_of_head(&self, node: NodeId) -> Option<ChunkId> {
        let node = self.graph().node(node);
        self.chunk_on_line(node.file?, node.span.start_line)
    }

    /// The uses of some definitions: calls, or uses of any kind.
    pub(crate) fn uses_of_subject(
        &self,
        nodes: &[NodeId],
        any_use: bool,
    ) -> Vec<SubjectUse<NodeId, Option<ChunkId>>> {
        let graph = self.graph();
        let config = CallsConfig {
            kind: None,
            offset: 0,
            direction: Direction::In,
            depth: 1,
            min_confidence: 0,
            limit: MAX_NAMED,
        };
        let found = |user: NodeId, file: Option<FileId>, line: u32, confidence: u8| SubjectUse {
            user,
            chunk: file.and_then(|file| self.chunk_on_line(file, line)),
            confidence,
            is_test: self.is_test(user),
        };
        let calls = self.calls_from(nodes, &config).calls;
        let mut all: Vec<_> = calls
            .iter()
            .map(|call| {
                let file = graph.file_of(call.site);
                found(call.node, file, call.line, call.confidence)
            })
            .collect();
        if any_use {
            let uses = nodes.iter().flat_map(|node| graph.uses_of(*node));
            all.extend(
                uses.take(MAX_NAMED)
                    .map(|used| found(used.enclosing, Some(used.file), used.line, used.confidence)),
            );
        }
        all
    }
}

impl Subject {
    /// Adds a chunk with a use, unless one is known in it.
    pub(crate) fn add_use(&mut self, chunk: ChunkId, user: NodeId) {
        if let Entry::Vacant(free) = self.users.entry(chunk) {
            free.insert(user);
            self.chunks.push(chunk);
        }
    }
}
