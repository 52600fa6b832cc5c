//! Which symbols belong together: groups that call, use and extend one another more than others (Leiden), with a label.
//!
//! Tests are left out: a test that touches two areas is no reason to merge them. Groups with fewer than [`MIN_MEMBERS`]
//! members join the group that they are bound to most, or are dropped where they are bound to none; large groups are split
//! into the groups within them; groups with the same label are one community.

mod absorb;
mod identifier;
mod label;
mod leiden;
mod network;
mod split;
mod words;

use syntax::facts::{Modifiers, Symbol, SymbolKind};
use syntax::order::InOrder;

use crate::frozen::{Edges, NONE};
use crate::kinds::EdgeKind;
use crate::layout::Layout;

use absorb::absorbed;
use label::Labels;
use leiden::{leiden, mixed};
use network::Network;
use split::split_large;

/// Minimum number of symbols of a community. Smaller ones tell no more than the calls in them.
const MIN_MEMBERS: usize = 5;
/// Plain modularity (1) puts a tenth of a large repository into one group; at 2 a community there is about a module.
/// Small repositories would fall to pieces at 2, so the resolution grows with the number of members up to
/// [`MEMBERS_OF_A_LARGE_REPOSITORY`].
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

/// Groups that have no labels yet: these need the centrality of members, which may be measured meanwhile.
pub(crate) struct Unlabelled {
    bound: Bound,
    members: Vec<Vec<u32>>,
}

impl Unlabelled {
    /// Finds the groups. About O(edges) a level of Leiden, over symbols that an edge binds.
    pub fn new(layout: &Layout<'_>, edges: &Edges) -> Self {
        let bound = Bound::new(layout, edges);
        let keys = bound.keys(layout);
        let groups = leiden(&bound.network, &keys, bound.resolution);
        let groups = split_large(&bound.network, &keys, groups);
        let groups = absorbed(&bound.network, groups, MIN_MEMBERS);
        let n_groups = groups.iter().max().map_or(0, |most| *most as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_groups];
        for (symbol, group) in bound.symbols.iter().zip(&groups) {
            members[*group as usize].push(*symbol);
        }
        members.retain(|members| members.len() > 1);
        Self { bound, members }
    }

    /// The communities: groups with the same label are one.
    pub fn labelled(self, layout: &Layout<'_>, edges: &Edges, centrality: &[f32]) -> Clustering {
        let labels = Labels::new(layout, centrality, &self.members);
        let labelled = labels.merge(self.members);
        Clustering::of_members(&self.bound, layout.first_symbol(), edges, labelled)
    }
}

impl Clustering {
    fn of_members(
        bound: &Bound,
        first: u32,
        edges: &Edges,
        mut labelled: Vec<(String, Vec<u32>)>,
    ) -> Self {
        labelled.retain(|(_, members)| members.len() >= MIN_MEMBERS);
        labelled.order_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let n_nodes = edges.out_offsets.len().saturating_sub(1);
        let mut clustering = Clustering {
            of_node: vec![NONE; n_nodes],
            ..Clustering::default()
        };
        for (number, (label, members)) in (0..).zip(labelled) {
            for symbol in &members {
                clustering.of_node[(first + symbol) as usize] = number;
            }
            let is_inside = |symbol: u32| clustering.of_node[(first + symbol) as usize] == number;
            clustering
                .cohesion
                .push(bound.cohesion(&members, is_inside));
            clustering.labels.push(label);
        }
        clustering
    }
}

/// The symbols that can be members and that an edge binds to another, as a network. All others belong to no community.
struct Bound {
    /// Numbers of the symbols, in ascending order: the nodes of the network.
    symbols: Vec<u32>,
    /// Node of each symbol, or none.
    node_of: Vec<u32>,
    network: Network,
    resolution: f64,
}

impl Bound {
    fn new(layout: &Layout<'_>, edges: &Edges) -> Self {
        let first = layout.first_symbol();
        let eligible: Vec<bool> = layout
            .symbols()
            .map(|(file, symbol)| !layout.is_aside[file as usize] && is_eligible(symbol))
            .collect();
        let n_eligible = eligible.iter().filter(|is_eligible| **is_eligible).count();
        let mut is_bound = vec![false; eligible.len()];
        for (source, target, _) in links(edges, first, &eligible) {
            is_bound[source as usize] = true;
            is_bound[target as usize] = true;
        }
        let symbols: Vec<u32> = (0..eligible.len() as u32)
            .filter(|symbol| is_bound[*symbol as usize])
            .collect();
        let mut node_of = vec![NONE; eligible.len()];
        for (node, symbol) in (0..).zip(&symbols) {
            node_of[*symbol as usize] = node;
        }
        let node = |symbol: u32| node_of[symbol as usize];
        let links = links(edges, first, &eligible)
            .map(|(source, target, weight)| (node(source), node(target), weight));
        Bound {
            network: Network::new(symbols.len(), links),
            symbols,
            node_of,
            resolution: resolution(n_eligible),
        }
    }

    /// A number for each node from its path and name, independent of its position in the index.
    fn keys(&self, layout: &Layout<'_>) -> Vec<u64> {
        let mut path = (NONE, 0);
        let mut key = |symbol: &u32| {
            let (file, symbol) = layout.symbol(layout.first_symbol() + symbol)?;
            if path.0 != file {
                path = (file, hash(0, layout.files[file as usize].path));
            }
            Some(hash(path.1, &symbol.name))
        };
        self.symbols
            .iter()
            .map(|symbol| key(symbol).unwrap_or_default())
            .collect()
    }

    /// Share of the weight of the members' edges that stays among them.
    fn cohesion(&self, members: &[u32], is_inside: impl Fn(u32) -> bool) -> f32 {
        let (mut inside, mut all) = (0u64, 0u64);
        let nodes = members.iter().map(|symbol| self.node_of[*symbol as usize]);
        for (other, weight) in nodes.flat_map(|node| self.network.neighbors(node)) {
            all += weight;
            if is_inside(self.symbols[other as usize]) {
                inside += weight;
            }
        }
        (inside as f64 / all.max(1) as f64) as f32
    }
}

/// Hashes a text eight bytes at a time; the result is the same on every machine.
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
) -> impl Iterator<Item = (u32, u32, u64)> + Clone + 'a {
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
