//! Plans a search: the terms and names of its query, its subject, the layers that answer. Then finds the candidates, in one
//! index or in all shards.

use std::sync::Arc;

use graph::NodeId;
use search::{
    Candidates, ChunkId, GlobalPlan, Intent, MatchKind, Plan, Query, SearchConfig, Signal, Signals,
    Survey, ValueOf,
};
use syntax::Language;

use super::SearchQuery;
use crate::ask::search::layers::{LayerChoice, SearchPlan};
use crate::ask::subject::Subject;
use crate::{Error, Reader};
use snapshot::SectionKind;

/// Maximum number of similarly written names considered.
const MAX_NEAR: usize = 8;

/// A search that is planned.
pub(crate) struct Planned<'q> {
    /// The query, with nothing but its layers.
    pub(crate) query: SearchQuery<'q>,
    pub(crate) global: Arc<GlobalPlan>,
    pub(crate) subject: Subject,
    /// Chunks that the graph adds.
    pub(crate) related: Vec<ChunkId>,
    pub(crate) layers: SearchPlan,
    /// Whether the index has vectors.
    pub(crate) has_vectors: bool,
    /// Whether the index has the name that the query is about, as a definition or as a word.
    pub(crate) has_word: bool,
}

impl Reader {
    pub(crate) fn plan_search<'q>(&self, query: &SearchQuery<'q>) -> Result<Planned<'q>, Error> {
        let plan = search::plan(query.text);
        let subject = self.subject(&plan);
        let survey = self.survey(query.text, &plan)?;
        let (has_vectors, has_word) = (survey.has_vectors, survey.has_word);
        let is_unknown = subject.nodes.is_empty();
        let global = self.global_plan(plan, survey, is_unknown, &query.config);
        let choice = LayerChoice {
            query,
            global: &global,
            has_vectors,
            has_nodes: !subject.nodes.is_empty(),
            has_users: !subject.users.is_empty(),
        };
        let layers = choice.plan();
        let mut query = query.clone();
        layers.layers.limit(&mut query.config);
        let related = if layers.layers.has_graph() {
            self.related_chunks(&subject)
        } else {
            Vec::new()
        };
        Ok(Planned {
            query,
            global,
            subject,
            related,
            layers,
            has_vectors,
            has_word,
        })
    }

    /// The first round: how often the index has the terms of a plan, and whether it has its names.
    fn survey(&self, text: &str, plan: &Plan) -> Result<Survey, Error> {
        match self.index().shards() {
            None => Ok(self.own_survey(plan)),
            Some(_) => self.survey_shards(text, plan),
        }
    }

    /// The survey of the snapshot itself.
    pub(super) fn own_survey(&self, plan: &Plan) -> Survey {
        Survey {
            has_vectors: self.snapshot().has(SectionKind::Vectors),
            ..Survey::of(self.view().words(), plan)
        }
    }

    /// The plan of a query with what the index, or all shards, have of it.
    pub(crate) fn global_plan(
        &self,
        plan: Plan,
        survey: Survey,
        is_unknown: bool,
        config: &SearchConfig,
    ) -> Arc<GlobalPlan> {
        let near = |name: &str| -> Vec<(&str, MatchKind)> {
            self.view().names().near_names(name, MAX_NEAR)
        };
        let near = (Some(&near as &_), is_unknown);
        let project = self.view().info().name.as_str();
        Arc::new(GlobalPlan::new(plan, project, survey, near, config))
    }

    /// The second round: the candidates of the index, or those of all shards, merged.
    pub(crate) fn candidates_of(&self, planned: &Planned<'_>) -> Result<Candidates, Error> {
        if self.index().shards().is_some() {
            return self.candidates_in_shards(planned);
        }
        let (query, subject) = (&planned.query, &planned.subject);
        let (global, related) = (&planned.global, &planned.related);
        let keep = self.chunk_filter(query);
        Ok(self.candidates_where(query, global, subject, related, &keep))
    }

    /// The candidates of a query among the chunks that `keep` lets pass.
    pub(crate) fn candidates_where(
        &self,
        query: &SearchQuery<'_>,
        global: &Arc<GlobalPlan>,
        subject: &Subject,
        related: &[ChunkId],
        keep: &dyn Fn(ChunkId) -> bool,
    ) -> Candidates {
        let asked = Query {
            text: query.text,
            global: Some(global),
            vector: query.vector,
            signs: Some(self.sign_codes()),
            raise: subject.raise(),
            related,
            keep,
        };
        let vectors = query.vector.and_then(|_| self.view().vectors());
        let view = self.view();
        let intent = self.definition_intent(&global.plan);
        let main = |chunk| self.main_symbol(chunk);
        self.with_measures(&main, |centrality, cohesion| {
            let signals = Signals {
                values: &[
                    (Signal::Centrality, centrality),
                    (Signal::Cohesion, cohesion),
                    (Signal::DefinitionIntent, &intent),
                ],
            };
            Candidates::gather(view.words(), vectors, &asked, &signals, &query.config)
        })
    }

    /// Calls `then` with centrality and cohesion of chunks: those of the definition that a chunk mainly consists of, which
    /// `main` tells.
    pub(super) fn with_measures<T>(
        &self,
        main: &dyn Fn(ChunkId) -> Option<NodeId>,
        then: impl FnOnce(&ValueOf<'_>, &ValueOf<'_>) -> T,
    ) -> T {
        let main = |chunk| main(chunk).unwrap_or(NodeId(u32::MAX));
        // Centrality falls off steeply (a power law); its square root spreads the middle over the range that weights
        // act on.
        let centrality = |chunk| self.graph().centrality(main(chunk)).max(0.0).sqrt();
        let cohesion = |chunk| {
            let graph = self.graph();
            let community = graph.community_of(main(chunk));
            let community = community.and_then(|community| graph.community(community));
            community.map_or(0.0, |community| community.cohesion.clamp(0.0, 1.0))
        };
        then(&centrality, &cohesion)
    }

    /// Whether a chunk defines something of the kind that a plan asks for.
    pub(super) fn definition_intent(&self, plan: &Plan) -> impl Fn(ChunkId) -> f32 + use<'_> {
        let is_asked = plan.intent == Intent::Definition;
        let asked_kinds = plan.subject.as_ref().map_or(0, |subject| subject.kinds);
        let wanted = if asked_kinds == 0 {
            search::TYPES
        } else {
            asked_kinds
        };
        move |chunk: ChunkId| {
            let kinds = self.view().chunks().kinds.get(chunk.index());
            let is_wanted = kinds.is_some_and(|kinds| kinds.to_native() & wanted != 0);
            f32::from(u8::from(is_asked && is_wanted))
        }
    }

    /// The definition that a chunk mainly consists of, or no node.
    pub(super) fn main_symbol(&self, chunk: ChunkId) -> Option<NodeId> {
        if self.index().shards().is_some() {
            return self.main_in_shard(chunk);
        }
        let main = self.view().chunks().symbols.get(chunk.index())?;
        Some(NodeId(main.to_native()))
    }

    /// Whether the index has the name that a query is about: as a file, or else `has_word` of its survey.
    pub(super) fn has_name(&self, plan: &Plan, has_word: bool) -> bool {
        if plan.only_name().is_none() {
            return true;
        }
        let is_file = plan.subject.as_ref().is_some_and(|asked| {
            let name = asked.name.as_str();
            name.contains('/') || Language::from_path(name, "") != Language::Text
        });
        is_file || has_word
    }
}
