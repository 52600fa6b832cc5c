//! The definitions that a query is about by its words: those of the name in "class Context", the callers of the name in
//! "who calls make_context". They come first, whatever their score.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;

use graph::{Direction, NodeId};
use rustc_hash::FxHashMap;
use search::{ChunkId, GlobalPlan, Intent, Plan, Raise};
use syntax::facts::SymbolKind;

use crate::Reader;
use crate::ask::calls::CallsConfig;
use syntax::order::InOrder;

/// Maximum number of definitions of one name, and of its uses, that are considered.
const MAX_NAMED: usize = 64;
/// Calls below this confidence may be of another definition of that name.
const SURE: u8 = 50;

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
    pub(crate) fn similar<'g>(
        &self,
        global: &'g GlobalPlan,
    ) -> impl Iterator<Item = &'g str> + use<'g> {
        let is_unknown = self.nodes.is_empty();
        let near = global.near.iter().filter(move |_| is_unknown);
        near.map(String::as_str)
    }
}

impl Reader {
    /// Finds the subject of a query. Empty if it is about no name, or where several definitions have a name that may
    /// as well be a word.
    pub(crate) fn subject(&self, plan: &Plan) -> Subject {
        let Some(asked) = &plan.subject else {
            return Subject::default();
        };
        let mut nodes = self.select_exact(&asked.name).unwrap_or_default();
        self.keep_meant(&mut nodes, asked, plan.intent == Intent::Test);
        nodes.truncate(MAX_NAMED);
        let are_uses = plan.intent == Intent::Callers;
        let mut subject = Subject {
            are_uses,
            ..Subject::default()
        };
        if are_uses {
            self.add_users(&mut subject, &nodes, asked.any_use);
        }
        if subject.users.is_empty() && (asked.is_sure || nodes.len() == 1) {
            let starts = nodes.iter().filter_map(|node| self.chunk_of_head(*node));
            subject.chunks = starts.collect();
        }
        subject.nodes = nodes;
        subject
    }

    /// Leaves the definitions that a person means first, where there are such: those called exactly so (`#items`), code
    /// before headings, the asked kinds before others, types before their constructors, code before tests.
    fn keep_meant(&self, nodes: &mut Vec<NodeId>, asked: &search::Subject, wants_tests: bool) {
        let (graph, name, kinds) = (self.graph(), asked.name.as_str(), asked.kinds);
        let kind = |node: &NodeId| graph.symbol_kind(*node);
        let mut keep = |is_meant: &dyn Fn(&NodeId) -> bool| {
            if nodes.iter().any(is_meant) {
                nodes.retain(is_meant);
            }
        };
        keep(&|node| graph.name(*node) == name);
        keep(&|node| kind(node) != Some(SymbolKind::Section));
        keep(&|node| kind(node) != Some(SymbolKind::Impl));
        keep(&|node| kind(node).is_some_and(|kind| kinds & (1 << kind as u32) != 0));
        keep(&|node| kind(node) != Some(SymbolKind::Constructor));
        if !wants_tests {
            keep(&|node| !self.is_test(*node));
        }
        // Forward declarations, and the small parts of a type or module that several files add to.
        let n_lines = |node: &NodeId| {
            let span = graph.node(*node).span;
            span.end_line.saturating_sub(span.start_line) + 1
        };
        let is_opened_often = |node: &NodeId| {
            use SymbolKind::{Class, Interface, Module, Struct};
            matches!(kind(node), Some(Class | Struct | Interface | Module))
        };
        let most = nodes
            .iter()
            .filter(|node| is_opened_often(node))
            .map(n_lines)
            .max();
        let most = most.unwrap_or(0);
        nodes.retain(|node| !is_opened_often(node) || n_lines(node) * 2 >= most);
    }

    /// The chunk in which a definition begins.
    pub(crate) fn chunk_of_head(&self, node: NodeId) -> Option<ChunkId> {
        let node = self.graph().node(node);
        self.chunk_on_line(node.file?, node.span.start_line)
    }

    /// Adds the chunks that call some definitions, or use them in any way: sure ones first, code before tests.
    fn add_users(&self, subject: &mut Subject, nodes: &[NodeId], any_use: bool) {
        let graph = self.graph();
        let config = CallsConfig {
            kind: None,
            offset: 0,
            direction: Direction::In,
            depth: 1,
            min_confidence: 0,
            limit: MAX_NAMED,
        };
        let calls = self.calls_from(nodes, &config).calls;
        let calls = calls.iter().map(|call| {
            (
                call.node,
                graph.file_of(call.site),
                call.line,
                call.confidence,
            )
        });
        let mut users: Vec<_> = calls.collect();
        if any_use {
            let uses = nodes.iter().flat_map(|node| graph.uses_of(*node));
            users.extend(
                uses.take(MAX_NAMED)
                    .map(|used| (used.enclosing, Some(used.file), used.line, used.confidence)),
            );
        }
        users.order_by_key(|(node, _, _, confidence)| {
            (
                self.is_test(*node),
                *confidence < SURE,
                Reverse(*confidence),
            )
        });
        for (node, file, line, _) in users {
            let Some(chunk) = file.and_then(|file| self.chunk_on_line(file, line)) else {
                continue;
            };
            if let Entry::Vacant(free) = subject.users.entry(chunk) {
                free.insert(node);
                subject.chunks.push(chunk);
            }
        }
    }
}
