//! Which symbols belong together: groups that call, use and extend one another more than others (Leiden), with a label.
//!
//! Tests are left out: a test that touches two areas is no reason to take them for one. Groups with the same label are
//! one community, and what has fewer than [`MIN_MEMBERS`] members is none.

mod label;
mod leiden;
mod network;

use syntax::facts::{Modifiers, Symbol, SymbolKind};

use crate::frozen::{Edges, NONE};
use crate::kinds::EdgeKind;
use crate::layout::Layout;
use crate::resolve::is_test_path;

use label::Labels;
use leiden::{leiden, mixed};
use network::Network;

/// Communities with fewer symbols are dropped: they say no more than the call itself.
const MIN_MEMBERS: usize = 5;
/// Plain modularity (1) puts a tenth of a large repository into one group; at 2 a community there is about a module. Small
/// repositories would fall to pieces at 2: it is reached at so many members.
const MAX_RESOLUTION: f64 = 2.0;
const MEMBERS_OF_A_LARGE_REPOSITORY: f64 = 1_000.0;

/// The communities of a graph, the largest first.
#[derive(Debug, Default)]
pub(crate) struct Clustering {
    pub labels: Vec<String>,
    /// Share of the weight of members' edges that stays inside.
    pub cohesion: Vec<f32>,
    /// Number of the community of each node before communities, or none.
    pub of_node: Vec<u32>,
}

impl Clustering {
    /// About O(edges) a level of Leiden.
    pub fn new(layout: &Layout<'_>, edges: &Edges, centrality: &[f32]) -> Self {
        let first = layout.first_symbol();
        let is_test: Vec<bool> = layout
            .files
            .iter()
            .map(|file| is_test_path(file.path))
            .collect();
        let eligible: Vec<bool> = layout
            .symbols()
            .map(|(file, symbol)| !is_test[file as usize] && is_eligible(symbol))
            .collect();
        let network = Network::new(eligible.len(), links(edges, first, &eligible));
        let n_eligible = eligible.iter().filter(|is_eligible| **is_eligible).count();
        let groups = leiden(&network, &keys(layout), resolution(n_eligible));
        let n_groups = groups.iter().max().map_or(0, |most| *most as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_groups];
        for (symbol, group) in groups.iter().enumerate() {
            if eligible[symbol] {
                members[*group as usize].push(symbol as u32);
            }
        }
        members.retain(|members| members.len() > 1);
        let labelled = Labels::new(layout, centrality, &members).merge(members);
        Clustering::of_members(&network, first, edges, labelled)
    }

    fn of_members(
        network: &Network,
        first: u32,
        edges: &Edges,
        mut labelled: Vec<(String, Vec<u32>)>,
    ) -> Self {
        labelled.retain(|(_, members)| members.len() >= MIN_MEMBERS);
        labelled.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let n_nodes = edges.out_offsets.len().saturating_sub(1);
        let mut clustering = Clustering {
            of_node: vec![NONE; n_nodes],
            ..Clustering::default()
        };
        for (number, (label, members)) in labelled.into_iter().enumerate() {
            for symbol in &members {
                clustering.of_node[(first + symbol) as usize] = number as u32;
            }
            let is_inside =
                |symbol: u32| clustering.of_node[(first + symbol) as usize] == number as u32;
            clustering
                .cohesion
                .push(cohesion(network, &members, is_inside));
            clustering.labels.push(label);
        }
        clustering
    }
}

/// A number for each symbol from its path and name, whatever stands before it in the index.
fn keys(layout: &Layout<'_>) -> Vec<u64> {
    let files: Vec<u64> = layout.files.iter().map(|file| hash(0, file.path)).collect();
    layout
        .symbols()
        .map(|(file, symbol)| hash(files[file as usize], &symbol.name))
        .collect()
}

/// Eight bytes at a time; the same on every machine.
fn hash(start: u64, text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(start, |hash, bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        mixed(hash ^ u64::from_le_bytes(word))
    })
}

fn resolution(n_members: usize) -> f64 {
    (MAX_RESOLUTION * n_members as f64 / MEMBERS_OF_A_LARGE_REPOSITORY).clamp(1.0, MAX_RESOLUTION)
}

/// Share of the weight of the members' edges that stays among them.
fn cohesion(network: &Network, members: &[u32], is_inside: impl Fn(u32) -> bool) -> f32 {
    let (mut inside, mut all) = (0u64, 0u64);
    for (other, weight) in members.iter().flat_map(|symbol| network.neighbors(*symbol)) {
        all += weight;
        if is_inside(other) {
            inside += weight;
        }
    }
    (inside as f64 / all.max(1) as f64) as f32
}

/// Whether a symbol can be a member: code that runs, types and named values of the product.
fn is_eligible(symbol: &Symbol) -> bool {
    use SymbolKind::{Class, Constant, Constructor, Enum, Function, Interface, Macro, Method};
    use SymbolKind::{Struct, Trait, TypeAlias, Variable};
    let is_kind = matches!(
        symbol.kind,
        Function
            | Method
            | Constructor
            | Class
            | Struct
            | Enum
            | Trait
            | Interface
            | TypeAlias
            | Macro
            | Constant
            | Variable
    );
    is_kind && !symbol.is(Modifiers::ANONYMOUS) && !symbol.is(Modifiers::TEST)
}

/// The edges that bind symbols, as numbers of symbols and weights; a call counts by how sure it is.
fn links<'a>(
    edges: &'a Edges,
    first: u32,
    eligible: &'a [bool],
) -> impl Iterator<Item = (u32, u32, u64)> + 'a {
    let is_eligible = |symbol: u32| eligible.get(symbol as usize).copied().unwrap_or(false);
    let sources = (0..eligible.len() as u32).filter(move |symbol| is_eligible(*symbol));
    sources.flat_map(move |source| {
        let node = (first + source) as usize;
        let row = edges.out_offsets[node] as usize..edges.out_offsets[node + 1] as usize;
        row.filter_map(move |index| {
            let target = edges.targets[index].checked_sub(first)?;
            let weight = weight(edges.kinds[index], edges.confidences[index]);
            (is_eligible(target) && weight > 0 && target != source)
                .then_some((source, target, weight))
        })
    })
}

/// How strongly an edge binds, in percent of a sure call.
fn weight(kind: u8, confidence: u8) -> u64 {
    let Some(kind) = EdgeKind::from_byte(kind) else {
        return 0;
    };
    match kind {
        EdgeKind::Calls => u64::from(confidence),
        EdgeKind::Extends | EdgeKind::Implements | EdgeKind::HasMethod | EdgeKind::Aliases => 100,
        EdgeKind::Defines | EdgeKind::Dispatch => 50,
        EdgeKind::References => u64::from(confidence) / 2,
        _ => 0,
    }
}
