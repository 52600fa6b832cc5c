//! The blast radius of a change.

use engine::{
    Direction, EdgeKind, Error, ErrorKind, IMPACT_KINDS, ImpactConfig, Reached, Reader, Tests,
};

use super::budget::Paging;
use super::context::candidates;
use super::{percent, share, symbol_ref};
use crate::{
    AffectedArea, AffectedProcess, DepthGroup, ErrorBody, ImpactDirection, ImpactRequest,
    ImpactResponse, Impacted, Page, Risk, TestScope,
};

/// Most symbols of one answer.
const MAX_SYMBOLS: u32 = 100_000;
/// Most flows of one answer.
pub(super) const MAX_PROCESSES: usize = 50;
/// Most areas of one answer.
const MAX_AREAS: usize = 10;

/// Lists the symbols that a change affects.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn impact(reader: &Reader, request: &ImpactRequest) -> Result<ImpactResponse, ErrorBody> {
    let config = ImpactConfig {
        direction: match request.direction {
            ImpactDirection::Upstream => Direction::In,
            ImpactDirection::Downstream => Direction::Out,
        },
        depth: request.depth.unwrap_or(3),
        min_confidence: percent(request.min_confidence)?,
        kinds: edge_kinds(&request.kinds, &IMPACT_KINDS)?,
        tests: match request.tests {
            TestScope::Include => Tests::Include,
            TestScope::Exclude => Tests::Exclude,
            TestScope::Only => Tests::Only,
        },
    };
    let mut paging = Paging::new(request, 200, MAX_SYMBOLS)?;
    let found = reader.impact(&request.symbol, &config)?;
    let (status, candidates) = candidates(reader, &found.chosen, &mut paging.budget);
    let (affected_processes, processes_page) =
        paging
            .budget
            .page(found.processes.iter(), 0, MAX_PROCESSES, |process| {
                affected_process(reader, process)
            });
    let (by_depth, page) = grouped(reader, &found.reached, &mut paging);
    let area = |(community, n_symbols): &(engine::NodeId, u32)| AffectedArea {
        label: reader.graph().name(*community).to_owned(),
        n_symbols: *n_symbols,
    };
    Ok(ImpactResponse {
        status,
        target: symbol_ref(reader, found.chosen.symbol),
        candidates,
        direction: request.direction,
        risk: risk(found.risk),
        by_depth,
        page,
        n_files: found.n_files as u32,
        affected_processes,
        processes_page,
        areas: found.communities.iter().take(MAX_AREAS).map(area).collect(),
        changes_with: Vec::new(),
    })
}

/// Groups the reached symbols of one page by depth. The counts cover all pages.
pub(super) fn grouped(
    reader: &Reader,
    reached: &[Reached],
    paging: &mut Paging,
) -> (Vec<DepthGroup>, Page) {
    let mut groups = depths(reached);
    let (symbols, page) = paging.list(reached.iter(), |reached| {
        (reached.depth, impacted(reader, reached))
    });
    for (depth, symbol) in symbols {
        if let Some(group) = groups.iter_mut().find(|group| group.depth == depth) {
            group.symbols.push(symbol);
        }
    }
    (groups, page)
}

/// The groups with their counts and without their symbols.
fn depths(reached: &[Reached]) -> Vec<DepthGroup> {
    let mut groups: Vec<DepthGroup> = Vec::new();
    for reached in reached {
        match groups
            .last_mut()
            .filter(|group| group.depth == reached.depth)
        {
            Some(group) => group.total += 1,
            None => groups.push(DepthGroup {
                depth: reached.depth,
                meaning: match reached.depth {
                    1 => "will break",
                    2 => "likely affected",
                    _ => "may need testing",
                }
                .to_owned(),
                total: 1,
                symbols: Vec::new(),
            }),
        }
    }
    groups
}

fn impacted(reader: &Reader, reached: &Reached) -> Impacted {
    let edge = &reached.edge;
    let via = if reached.node == edge.source {
        edge.target
    } else {
        edge.source
    };
    Impacted {
        symbol: symbol_ref(reader, reached.node),
        relation: edge.kind.name().to_owned(),
        via: via.0,
        use_line: edge.line.saturating_add(1),
        confidence: share(edge.confidence),
        certainty: (reached.certainty * 1000.0).round() / 1000.0,
        reason: edge.reason.name().to_owned(),
        is_test: reached.is_test,
    }
}

pub(super) fn affected_process(
    reader: &Reader,
    affected: &engine::AffectedProcess,
) -> AffectedProcess {
    let graph = reader.graph();
    let process = graph.process(affected.process);
    AffectedProcess {
        id: affected.process.0,
        label: graph.name(affected.process).to_owned(),
        process_type: process.map_or("", |process| process.kind.name()).to_owned(),
        n_steps: process.map_or(0, |process| process.n_steps),
        n_affected: affected.n_steps,
        first_affected: affected.first_step,
    }
}

pub(super) fn risk(risk: engine::Risk) -> Risk {
    Risk {
        level: risk.level.name().to_owned(),
        reasons: risk.reasons,
    }
}

/// Kinds of relations by name, in any case, each once; `otherwise` where none are named.
pub(super) fn edge_kinds(names: &[String], otherwise: &[EdgeKind]) -> Result<Vec<EdgeKind>, Error> {
    if names.is_empty() {
        return Ok(otherwise.to_vec());
    }
    let kind = |name: &String| {
        EdgeKind::from_name(&name.to_ascii_uppercase()).ok_or_else(|| {
            let known: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.name()).collect();
            let message = format!("there is no kind of relation {name:?}");
            Error::new(ErrorKind::QueryInvalid, message)
                .with_help(format!("one of {}", known.join(", ")))
        })
    };
    let mut kinds = Vec::new();
    for name in names {
        let kind = kind(name)?;
        // Each relation is compared with the list.
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}
