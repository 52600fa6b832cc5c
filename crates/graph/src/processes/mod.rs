//! How the code runs: flows of calls from entry points to where they end.
//!
//! 1. Entry points are found and scored (`entries.rs`): functions that start the program, that frameworks call, or that
//!    are exported and called by nobody.
//! 2. From each, the likeliest entry point first, calls are followed over at most [`calls::MAX_BRANCHES`] callees of a
//!    function (`calls.rs`), and the longest path to each end is a flow (`trace.rs`).
//! 3. A flow that is part of another is dropped, and one that adds too little to those before is not taken.
//!
//! Nothing here is random, and no walk is recursive.

mod calls;
mod entries;
mod trace;
mod words;

use rustc_hash::FxHashSet;

use crate::communities::Clustering;
use crate::frozen::{Edges, NONE};
use crate::kinds::{EntryKind, ProcessKind};
use crate::layout::Layout;
use crate::resolution::RawUse;

use calls::Calls;
use entries::Entry;
use trace::Tracer;

/// Minimum number of steps of a flow. Shorter ones tell no more than a call.
const MIN_STEPS: usize = 3;
/// Maximum number of flows from one entry point.
const MAX_FLOWS_OF_ENTRY: usize = 6;
/// Minimum number of new nodes that a further flow of an entry point must add.
const MIN_NEW_STEPS: usize = 2;
/// Functions for each flow: the number of flows is theirs divided by this, within the bounds below.
const FUNCTIONS_PER_FLOW: usize = 8;
const FEWEST_FLOWS: usize = 40;
const MOST_FLOWS: usize = 300;

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

/// The flows of a graph, those of the likeliest entry points first, those of tests last.
pub(crate) fn flows(
    layout: &Layout<'_>,
    uses: &[Vec<RawUse>],
    edges: &Edges,
    clustering: &Clustering,
) -> Vec<Flow> {
    let calls = Calls::new(layout, edges);
    let entries = entries::entries(layout, uses, edges, &calls);
    let budget = (calls.n_functions / FUNCTIONS_PER_FLOW).clamp(FEWEST_FLOWS, MOST_FLOWS);
    let (tests, product): (Vec<Entry>, Vec<Entry>) = entries
        .into_iter()
        .partition(|entry| entry.kind == EntryKind::Test);
    let mut flows = choose(&calls, &product, budget);
    // Tests are traced apart, with a smaller budget, so that they take no place from the product.
    flows.extend(choose(&calls, &tests, budget / 4));
    for flow in &mut flows {
        flow.label = label(layout, &flow.steps);
        flow.kind = kind(clustering, &flow.steps);
    }
    flows
}

/// At most `budget` flows, none of them part of another.
fn choose(calls: &Calls, entries: &[Entry], budget: usize) -> Vec<Flow> {
    let mut tracer = Tracer::new(calls);
    let mut covered: FxHashSet<u32> = FxHashSet::default();
    let mut flows: Vec<Flow> = Vec::new();
    // Half as many again as the budget, since flows that are part of another are dropped afterwards.
    for entry in entries {
        if flows.len() >= budget + budget / 2 {
            break;
        }
        let mut found = tracer.flows_from(entry.node);
        found.retain(|steps| steps.len() >= MIN_STEPS);
        for n_taken in 0..MAX_FLOWS_OF_ENTRY {
            let least = if n_taken == 0 { 1 } else { MIN_NEW_STEPS };
            let Some(steps) = take_newest(&mut found, &covered, least) else {
                break;
            };
            covered.extend(&steps);
            flows.push(Flow {
                label: String::new(),
                kind: ProcessKind::IntraCommunity,
                entry_kind: entry.kind,
                score: entry.score,
                confidences: calls.confidences(&steps),
                steps,
            });
        }
    }
    let mut flows = without_parts(flows);
    flows.truncate(budget);
    flows
}

/// Takes the flow that adds most new nodes, if it adds enough. Of equals it is the first and so the longest.
fn take_newest(
    found: &mut Vec<Vec<u32>>,
    covered: &FxHashSet<u32>,
    least: usize,
) -> Option<Vec<u32>> {
    let n_new = |steps: &[u32]| steps.iter().filter(|step| !covered.contains(step)).count();
    let (most, index) = found
        .iter()
        .enumerate()
        .map(|(index, steps)| (n_new(steps), index))
        .max_by_key(|(n_new, index)| (*n_new, std::cmp::Reverse(*index)))?;
    (most >= least).then(|| found.remove(index))
}

/// Leaves out flows whose steps are consecutive steps of another flow.
fn without_parts(flows: Vec<Flow>) -> Vec<Flow> {
    let mut order: Vec<usize> = (0..flows.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(flows[*index].steps.len()));
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

/// The names of the first and the last step.
fn label(layout: &Layout<'_>, steps: &[u32]) -> String {
    let name = |step: Option<&u32>| step.map_or_else(String::new, |step| name_of(layout, *step));
    format!("{} → {}", name(steps.first()), name(steps.last()))
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
    let owner = if symbol.owner.is_empty() {
        around
    } else {
        symbol.owner.rsplit(['.', ':', '*', '&', ' ']).next()
    };
    match owner.filter(|owner| !owner.is_empty()) {
        Some(owner) => format!("{owner}.{}", symbol.name),
        None => symbol.name.clone(),
    }
}
