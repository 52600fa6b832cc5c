//! How the code runs: flows of calls from entry points to the most telling code that they lead to.
//!
//! 1. Each function is weighed (`weights.rs`): how much it tells as a step, by its size, centrality and effects.
//! 2. Entry points are found and scored (`entries.rs`): functions that start the program, that frameworks call, or that
//!    are exported and called by nobody.
//! 3. From each, the likeliest entry point first, calls are followed over at most [`calls::MAX_BRANCHES`] callees of a
//!    function, those that lead to the most telling code (`calls.rs`). The best path to each end is a candidate
//!    (`trace.rs`); none ends in trivia.
//! 4. A candidate that mostly repeats flows before it is folded into them. Flows are sorted by how sure their entry
//!    point is and how much they tell.
//!
//! Nothing here is random, and no walk is recursive.

mod calls;
mod effects;
mod entries;
mod passed;
mod trace;
mod weights;
mod words;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::order::InOrder;

use crate::communities::Clustering;
use crate::frozen::{Edges, NONE};
use crate::kinds::{EntryKind, ProcessKind};
use crate::layout::Layout;
use crate::resolution::RawUse;

use calls::Calls;
use entries::Entry;
use passed::Passed;
use trace::{Tracer, Tracing};
use weights::Weights;

/// Minimum number of steps of a flow. Shorter ones tell no more than a call.
const MIN_STEPS: usize = 3;
/// Maximum number of flows from one entry point.
const MAX_FLOWS_OF_ENTRY: usize = 6;
/// Minimum share of steps, in percent, that no flow before has: of the first flow of an entry point and of its others.
const MIN_NEW_OF_FIRST: usize = 50;
const MIN_NEW_OF_OTHERS: usize = 60;
/// Share of the points of an entry point's best path, in percent, that another must have where the best is folded.
const MIN_SHARE_OF_FOLDED: u32 = 85;
/// Functions for each flow: the number of flows is theirs divided by this, within the bounds below.
const FUNCTIONS_PER_FLOW: usize = 12;
const FEWEST_FLOWS: usize = 30;
const MOST_FLOWS: usize = 150;
/// Share of the score of the first flow that one beyond the fewest must have: behind them are flows of inner parts.
const SHARE_OF_FIRST: f32 = 0.25;

/// A traced flow.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flow {
    pub label: String,
    pub kind: ProcessKind,
    pub entry_kind: EntryKind,
    pub score: f32,
    /// Nodes in order.
    pub steps: Vec<u32>,
    /// Confidence of the call that leads to each step, in percent; 100 for the first.
    pub confidences: Vec<u8>,
}

/// Signs of flows in the references of files: the only ones that edges do not have.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    /// How much each node acts on the outside.
    effects: Vec<u8>,
    passed: Passed,
}

impl Signs {
    /// The signs in files that have uses. About O(references).
    pub fn new(layout: &Layout<'_>, uses: &[Vec<RawUse>]) -> Self {
        Signs {
            effects: effects::effects(layout, uses),
            passed: Passed::new(layout, uses),
        }
    }

    /// Adds the signs in other files of the same layout.
    pub fn add(&mut self, other: Signs) {
        self.effects.resize(other.effects.len(), 0);
        for (effect, more) in self.effects.iter_mut().zip(&other.effects) {
            *effect = (*effect).max(*more);
        }
        self.passed.add(other.passed);
    }
}

/// The flows of a graph, the surest and most telling first, those of tests last.
pub(crate) fn flows(
    layout: &Layout<'_>,
    signs: &Signs,
    edges: &Edges,
    centrality: &[f32],
    clustering: &Clustering,
) -> Vec<Flow> {
    let is_aside = calls::aside(layout);
    let weights = Weights::new(layout, &signs.effects, edges, centrality, &is_aside);
    let calls = Calls::new(
        layout,
        edges,
        is_aside,
        &clustering.of_node,
        &weights.points,
    );
    let entries = entries::entries(layout, signs, edges, &calls, &weights);
    let budget = (calls.n_functions / FUNCTIONS_PER_FLOW).clamp(FEWEST_FLOWS, MOST_FLOWS);
    let (tests, product): (Vec<Entry>, Vec<Entry>) = entries
        .into_iter()
        .partition(|entry| entry.kind == EntryKind::Test);
    let mut flows = choose(&calls, &weights, &product, budget);
    // Tests are traced apart, with a smaller budget, so that they take no place from the product.
    flows.extend(choose(&calls, &weights, &tests, budget / 4));
    for flow in &mut flows {
        flow.kind = kind(clustering, &flow.steps);
    }
    label(layout, &mut flows);
    flows
}

/// At most `budget` flows, none of them part of another, the best first.
fn choose(calls: &Calls<'_>, weights: &Weights, entries: &[Entry], budget: usize) -> Vec<Flow> {
    let mut tracer = Tracer::new(calls, weights);
    let mut covered: FxHashSet<u32> = FxHashSet::default();
    let mut ends: FxHashSet<u32> = FxHashSet::default();
    let mut flows: Vec<Flow> = Vec::new();
    // Half as many again as the budget, since flows that are part of another are dropped afterwards.
    for entry in entries {
        if flows.len() >= budget + budget / 2 {
            break;
        }
        let may_share = matches!(entry.kind, EntryKind::Main | EntryKind::Route);
        // A part of a flow is told by it.
        if !may_share && covered.contains(&entry.node) {
            continue;
        }
        let mut n_taken = 0;
        let tracing = if entry.kind == EntryKind::Main {
            Tracing::Program
        } else {
            Tracing::Part
        };
        let needs_flow = may_share || entry.kind == EntryKind::Exported;
        let found = tracer.flows_from(entry.node, tracing, needs_flow);
        let best = found.first().map_or(0, |(points, _)| *points);
        for (points, steps) in found {
            // Where the best path is told already, much less telling ones are details of it.
            let is_detail = n_taken == 0
                && entry.kind != EntryKind::Main
                && points * 100 < best * MIN_SHARE_OF_FOLDED;
            if n_taken >= MAX_FLOWS_OF_ENTRY || is_detail {
                break;
            }
            let share = share_of_new(&steps, &covered, n_taken == 0);
            // Programs and routes may do the same in the end; other flows to a known end are folded into the first.
            let is_new_end = steps.last().is_some_and(|end| !ends.contains(end));
            let Some(share) = share.filter(|_| is_new_end || may_share) else {
                continue;
            };
            ends.extend(steps.last());
            n_taken += 1;
            covered.extend(&steps);
            flows.push(Flow {
                label: String::new(),
                kind: ProcessKind::IntraCommunity,
                entry_kind: entry.kind,
                score: entry.score * (points as f32 * share).sqrt() / n_taken as f32,
                confidences: calls.confidences(&steps),
                steps,
            });
        }
    }
    let mut flows = without_parts(flows);
    flows.order_by(|a, b| b.score.total_cmp(&a.score));
    flows.truncate(budget);
    let least = flows
        .first()
        .map_or(0.0, |flow| flow.score * SHARE_OF_FIRST);
    let n_telling = flows.partition_point(|flow| flow.score >= least);
    flows.truncate(n_telling.max(FEWEST_FLOWS));
    flows
}

/// Share of steps that no flow before has; none if there are too few of them for a flow of its own.
fn share_of_new(steps: &[u32], covered: &FxHashSet<u32>, is_first: bool) -> Option<f32> {
    let n_new = steps.iter().filter(|step| !covered.contains(step)).count();
    let least = if is_first {
        MIN_NEW_OF_FIRST
    } else {
        MIN_NEW_OF_OTHERS
    };
    (n_new * 100 >= steps.len() * least).then_some(n_new as f32 / steps.len() as f32)
}

/// Leaves out flows whose steps are consecutive steps of another flow.
fn without_parts(flows: Vec<Flow>) -> Vec<Flow> {
    let mut order: Vec<usize> = (0..flows.len()).collect();
    order.order_by_key(|index| std::cmp::Reverse(flows[*index].steps.len()));
    let mut known: FxHashSet<&[u32]> = FxHashSet::default();
    let mut is_kept = vec![false; flows.len()];
    for index in order {
        let steps = flows[index].steps.as_slice();
        if known.contains(steps) {
            continue;
        }
        is_kept[index] = true;
        for start in 0..steps.len() {
            known.extend((start + MIN_STEPS..=steps.len()).map(|end| &steps[start..end]));
        }
    }
    drop(known);
    flows
        .into_iter()
        .zip(is_kept)
        .filter_map(|(flow, is_kept)| is_kept.then_some(flow))
        .collect()
}

/// Whether the steps stay within one community.
fn kind(clustering: &Clustering, steps: &[u32]) -> ProcessKind {
    let mut communities = steps
        .iter()
        .map(|step| clustering.of_node.get(*step as usize).copied())
        .filter(|community| community.is_some_and(|community| community != NONE));
    let first = communities.next();
    if first.is_some_and(|first| communities.any(|other| other != first)) {
        ProcessKind::CrossCommunity
    } else {
        ProcessKind::IntraCommunity
    }
}

/// Names each flow by its first and last step; flows of the same name by the file of the first step as well.
fn label(layout: &Layout<'_>, flows: &mut [Flow]) {
    let name = |step: Option<&u32>| step.map_or_else(String::new, |step| name_of(layout, *step));
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    for flow in flows.iter_mut() {
        flow.label = format!("{} → {}", name(flow.steps.first()), name(flow.steps.last()));
        *counts.entry(flow.label.clone()).or_default() += 1;
    }
    for flow in flows.iter_mut() {
        let is_shared = counts.get(&flow.label).is_some_and(|count| *count > 1);
        let first = flow.steps.first().and_then(|step| layout.symbol(*step));
        if let Some((file, _)) = first.filter(|_| is_shared) {
            let path = layout.files[file as usize].path;
            flow.label = flow.label.replacen(" →", &format!(" ({path}) →"), 1);
        }
    }
}

/// Name of a node with that of its type; for files the path.
fn name_of(layout: &Layout<'_>, node: u32) -> String {
    let Some((file, symbol)) = layout.symbol(node) else {
        return layout
            .files
            .get(node as usize)
            .map_or_else(String::new, |file| file.path.to_owned());
    };
    let around = symbol
        .parent
        .and_then(|parent| {
            layout.files[file as usize]
                .facts
                .symbols
                .get(parent as usize)
        })
        .map(|parent| parent.name.as_str());
    let owner = if symbol.rare.owner.is_empty() {
        around
    } else {
        symbol.rare.owner.rsplit(['.', ':', '*', '&', ' ']).next()
    };
    match owner.filter(|owner| !owner.is_empty()) {
        Some(owner) => format!("{owner}.{}", symbol.name),
        None => symbol.name.clone(),
    }
}
