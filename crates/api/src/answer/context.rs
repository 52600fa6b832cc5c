//! Everything about one symbol at once.

use engine::{Chosen, ContextConfig, Direction, NodeKind, Reader};

use super::budget::{Budget, Paging};
use super::{percent, process_place, share, symbol, symbol_ref};
use crate::{
    Candidate, ContextRequest, ContextResponse, ErrorBody, Match, Relation, RelationGroup,
};

/// Most items of one list.
const MAX_ITEMS: u32 = 10_000;
/// Candidates shown for a name that is not clear.
const MAX_CANDIDATES: usize = 20;

/// A symbol seen from all sides.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn context(reader: &Reader, request: &ContextRequest) -> Result<ContextResponse, ErrorBody> {
    let config = ContextConfig {
        min_confidence: percent(request.min_confidence)?,
        tests: request.tests.unwrap_or(true),
    };
    let mut paging = Paging::new(request, 25, MAX_ITEMS)?;
    let found = reader.context(&request.symbol, &config)?;
    let graph = reader.graph();
    let about = symbol(reader, found.chosen.symbol);
    paging.budget.admits(&about);
    let (status, candidates) = candidates(reader, &found.chosen, &mut paging.budget);
    let mut groups = |relations: &[engine::Relations], direction| -> Vec<RelationGroup> {
        let group = |relations: &engine::Relations| {
            let convert = |edge: &engine::Edge| relation(reader, edge, direction);
            let (items, page) = paging.list(relations.edges.iter(), convert);
            RelationGroup {
                kind: relations.kind.name().to_owned(),
                relations: items,
                page,
            }
        };
        relations.iter().map(group).collect()
    };
    let incoming = groups(&found.incoming, Direction::In);
    let outgoing = groups(&found.outgoing, Direction::Out);
    let (processes, processes_page) = paging.list(found.processes.iter(), |step| {
        process_place(reader, step.process, step.step)
    });
    let (members, members_page) =
        paging.list(found.members.iter(), |member| symbol_ref(reader, *member));
    Ok(ContextResponse {
        status,
        symbol: about,
        candidates,
        container: found
            .container
            .filter(|id| graph.kind(*id) != NodeKind::Folder)
            .map(|id| symbol_ref(reader, id)),
        members,
        members_page,
        incoming,
        outgoing,
        processes,
        processes_page,
        community: found.community.map(|id| graph.name(id).to_owned()),
        changes_with: Vec::new(),
    })
}

fn relation(reader: &Reader, edge: &engine::Edge, direction: Direction) -> Relation {
    let other = match direction {
        Direction::In => edge.source,
        Direction::Out => edge.target,
    };
    Relation {
        symbol: symbol_ref(reader, other),
        use_line: edge.line.saturating_add(1),
        confidence: share(edge.confidence),
        reason: edge.reason.name().to_owned(),
        is_test: reader.is_test(other),
    }
}

/// Lists the definitions of an ambiguous name.
pub(super) fn candidates(
    reader: &Reader,
    chosen: &Chosen,
    budget: &mut Budget,
) -> (Match, Vec<Candidate>) {
    if chosen.candidates.len() < 2 {
        return (Match::Found, Vec::new());
    }
    let candidate = |id: &engine::NodeId| Candidate {
        symbol: symbol_ref(reader, *id),
        selector: reader.selector_of(*id),
        n_references: reader.usage(*id).n_references,
    };
    let (candidates, _) = budget.page(chosen.candidates.iter(), 0, MAX_CANDIDATES, candidate);
    (Match::Ambiguous, candidates)
}
