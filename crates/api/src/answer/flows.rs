//! Execution flows and functional areas.

use engine::{Community, EntryKind, Error, ErrorKind, NodeKind, Process, ProcessKind, Reader};

use super::budget::Paging;
use super::{share, symbol_ref};
use crate::{
    CommunitiesRequest, CommunitiesResponse, CommunityRequest, CommunityResponse, CommunitySummary,
    ErrorBody, FlowStep, ProcessRequest, ProcessResponse, ProcessSummary, ProcessesRequest,
    ProcessesResponse,
};

const MAX_ITEMS: u32 = 10_000;
/// Number of members that represent a community in a list.
const N_CENTRAL: usize = 5;

/// The execution flows.
///
/// # Errors
///
/// `query.invalid`, `query.empty`, `symbol.not-found`, `file.not-found`.
pub fn processes(
    reader: &Reader,
    request: &ProcessesRequest,
) -> Result<ProcessesResponse, ErrorBody> {
    let mut paging = Paging::new(request, 50, MAX_ITEMS)?;
    let graph = reader.graph();
    let entries = request
        .entry_kinds
        .iter()
        .map(|name| {
            known(
                EntryKind::from_name(name),
                "entry kind",
                name,
                EntryKind::ALL,
            )
        })
        .collect::<Result<Vec<_>, _>>()?;
    let kind = request
        .process_type
        .as_ref()
        .map(|name| {
            let kind = ProcessKind::from_name(name);
            known(kind, "process type", name, ProcessKind::ALL)
        })
        .transpose()?;
    let through = match &request.symbol {
        Some(symbol) => Some(reader.select_nodes(symbol)?),
        None => None,
    };
    let goes_through = |process: &Process<'_>| {
        through.as_ref().is_none_or(|nodes| {
            let mut steps = graph.steps_of(process.id);
            steps.any(|step| nodes.contains(&step.node))
        })
    };
    let found: Vec<Process<'_>> = graph
        .processes()
        .filter(|process| match entries.as_slice() {
            [] => process.entry_kind != EntryKind::Test,
            entries => entries.contains(&process.entry_kind),
        })
        .filter(|process| kind.is_none_or(|kind| kind == process.kind))
        .filter(goes_through)
        .collect();
    let (processes, page) = paging.list(found.iter(), |process| process_summary(reader, process));
    Ok(ProcessesResponse { processes, page })
}

/// One execution flow, step by step.
///
/// # Errors
///
/// `query.empty`, `query.invalid`.
pub fn process(reader: &Reader, request: &ProcessRequest) -> Result<ProcessResponse, ErrorBody> {
    let graph = reader.graph();
    let id = reader.select_group(NodeKind::Process, &request.process)?;
    let found = graph
        .process(id)
        .ok_or_else(|| gone("process", &request.process))?;
    let step = |step: engine::ProcessStep| FlowStep {
        step: step.step,
        symbol: symbol_ref(reader, step.node),
        confidence: share(step.confidence),
        community: graph
            .community_of(step.node)
            .map(|id| graph.name(id).to_owned()),
    };
    Ok(ProcessResponse {
        process: process_summary(reader, &found),
        steps: graph.steps_of(id).map(step).collect(),
    })
}

/// The functional areas.
///
/// # Errors
///
/// `query.invalid`.
pub fn communities(
    reader: &Reader,
    request: &CommunitiesRequest,
) -> Result<CommunitiesResponse, ErrorBody> {
    let mut paging = Paging::new(request, 50, MAX_ITEMS)?;
    let found = reader.graph().communities();
    let (communities, page) = paging.list(found, |community| community_summary(reader, &community));
    Ok(CommunitiesResponse { communities, page })
}

/// One functional area with its members.
///
/// # Errors
///
/// `query.empty`, `query.invalid`.
pub fn community(
    reader: &Reader,
    request: &CommunityRequest,
) -> Result<CommunityResponse, ErrorBody> {
    let mut paging = Paging::new(request, 200, MAX_ITEMS)?;
    let graph = reader.graph();
    let id = reader.select_group(NodeKind::Community, &request.community)?;
    let found = graph
        .community(id)
        .ok_or_else(|| gone("community", &request.community))?;
    let members: Vec<_> = graph.members_of(id).collect();
    let (members, page) = paging.list(members.into_iter(), |member| symbol_ref(reader, member));
    Ok(CommunityResponse {
        community: community_summary(reader, &found),
        members,
        page,
    })
}

fn process_summary(reader: &Reader, process: &Process<'_>) -> ProcessSummary {
    ProcessSummary {
        id: process.id.0,
        label: process.label.to_owned(),
        process_type: process.kind.name().to_owned(),
        entry_kind: process.entry_kind.name().to_owned(),
        n_steps: process.n_steps,
        entry: symbol_ref(reader, process.entry),
        terminal: symbol_ref(reader, process.terminal),
    }
}

fn community_summary(reader: &Reader, community: &Community<'_>) -> CommunitySummary {
    let graph = reader.graph();
    let mut members: Vec<_> = graph.members_of(community.id).collect();
    members.sort_by(|a, b| {
        let by_rank = graph.centrality(*b).total_cmp(&graph.centrality(*a));
        by_rank.then_with(|| a.cmp(b))
    });
    CommunitySummary {
        id: community.id.0,
        label: community.label.to_owned(),
        n_members: community.n_members,
        central: members
            .into_iter()
            .take(N_CENTRAL)
            .map(|member| symbol_ref(reader, member))
            .collect(),
    }
}

/// A value by its name, or an error that lists the names there are.
fn known<T: std::fmt::Display>(
    value: Option<T>,
    what: &str,
    name: &str,
    all: &[T],
) -> Result<T, Error> {
    value.ok_or_else(|| {
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        Error::new(
            ErrorKind::QueryInvalid,
            format!("there is no {what} {name:?}"),
        )
        .with_help(format!("one of {}", names.join(", ")))
    })
}

fn gone(what: &str, name: &str) -> Error {
    Error::new(
        ErrorKind::QueryInvalid,
        format!("the index has no {what} {name:?}"),
    )
}
