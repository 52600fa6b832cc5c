//! Plans a search over one index: the terms and names of its query, its subject, the layers that answer; then the candidates.

use std::sync::Arc;

use graph::NodeId;
use search::{
    Candidates, ChunkId, GlobalPlan, Intent, MatchKind, Plan, Query, SearchConfig, Signal, Signals,
    Survey,
};
use syntax::Language;

use super::SearchQuery;
use crate::Reader;
use crate::ask::layers::{LayerChoice, SearchPlan};
use crate::ask::subject::Subject;
use snapshot::SectionKind;

/// Maximum number of similarly written names considered.
pub(super) const MAX_NEAR: usize = 8;

/// A search that is planned.
pub(crate) struct Planned<'q> {
    /// The query, with nothing but its layers.
    pub(crate) query: SearchQuery<'q>,
    pub(crate) global: Arc<GlobalPlan>,
    pub(crate) subject: Subject,
    /// Chunks that the graph adds.
    pub(crate) related: Vec<ChunkId>,
    pub(crate) layers: SearchPlan,
}

impl Reader {
    pub(super) fn plan_search<'q>(&self, query: &SearchQuery<'q>) -> Planned<'q> {
        let plan = search::plan(query.text);
        let subject = self.subject(&plan);
        let global = self.global_plan(plan, subject.nodes.is_empty(), &query.config);
        let choice = LayerChoice {
            query,
            global: &global,
            has_vectors: self.snapshot().has(SectionKind::Vectors),
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
        Planned {
            query,
            global,
            subject,
            related,
            layers,
        }
    }

    /// The plan of a query with what this index has of it, as the only one.
    pub(crate) fn global_plan(
        &self,
        plan: Plan,
        is_unknown: bool,
        config: &SearchConfig,
    ) -> Arc<GlobalPlan> {
        let survey = self.survey_words(&plan, is_unknown, config);
        let project = self.view().info().name.as_str();
        Arc::new(GlobalPlan::new(plan, project, survey, config))
    }

    /// What the index has of the terms and names of a plan; `is_unknown` if it has no definition of its subject.
    pub(super) fn survey_words(
        &self,
        plan: &Plan,
        is_unknown: bool,
        config: &SearchConfig,
    ) -> Survey {
        let near = |name: &str| -> Vec<(&str, MatchKind)> {
            self.view().names().near_names(name, MAX_NEAR)
        };
        Survey::of(self.view().words(), plan, Some(&near), is_unknown, config)
    }

    pub(super) fn candidates_of(&self, planned: &Planned<'_>) -> Candidates {
        let Planned {
            query,
            global,
            subject,
            related,
            ..
        } = planned;
        self.candidates_where(query, global, subject, related, &self.chunk_filter(query))
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
        let asked = self.asked(query, global, subject, related, keep);
        let vectors = query.vector.and_then(|_| self.view().vectors());
        let view = self.view();
        let words = view.words();
        self.with_signals(&global.plan, |signals| {
            Candidates::gather(words, vectors, &asked, signals, &query.config)
        })
    }

    pub(super) fn asked<'a>(
        &'a self,
        query: &SearchQuery<'a>,
        global: &'a Arc<GlobalPlan>,
        subject: &'a Subject,
        related: &'a [ChunkId],
        keep: &'a dyn Fn(ChunkId) -> bool,
    ) -> Query<'a> {
        Query {
            text: query.text,
            global: Some(global),
            vector: query.vector,
            signs: Some(self.sign_codes()),
            raise: subject.raise(),
            related,
            keep,
        }
    }

    /// Calls `then` with the signals that the graph gives.
    pub(super) fn with_signals<T>(&self, plan: &Plan, then: impl FnOnce(&Signals<'_>) -> T) -> T {
        let main = |chunk: ChunkId| self.view().chunks().symbols.get(chunk.index());
        let main = |chunk| main(chunk).map_or(NodeId(u32::MAX), |node| NodeId(node.to_native()));
        // Centrality falls off steeply (a power law); its square root spreads the middle over the range that weights
        // act on.
        let centrality = |chunk| self.centrality(main(chunk)).sqrt();
        let cohesion = |chunk| self.cohesion(main(chunk));
        let asked_kinds = plan.subject.as_ref().map_or(0, |subject| subject.kinds);
        let wanted = if asked_kinds == 0 {
            search::TYPES
        } else {
            asked_kinds
        };
        let kinds = |chunk: ChunkId| self.view().chunks().kinds.get(chunk.index());
        let definition_intent = |chunk| {
            let is_wanted = kinds(chunk).is_some_and(|kinds| kinds.to_native() & wanted != 0);
            f32::from(u8::from(plan.intent == Intent::Definition && is_wanted))
        };
        then(&Signals {
            values: &[
                (Signal::Centrality, &centrality),
                (Signal::Cohesion, &cohesion),
                (Signal::DefinitionIntent, &definition_intent),
            ],
        })
    }

    /// Whether the index has the name that a query is about, as a definition, as a file or as a word.
    pub(super) fn has_name(&self, plan: &Plan) -> bool {
        let Some(name) = plan.only_name() else {
            return true;
        };
        let is_file = plan.subject.as_ref().is_some_and(|asked| {
            let name = asked.name.as_str();
            name.contains('/') || Language::from_path(name, "") != Language::Text
        });
        let view = self.view();
        let words = view.words();
        let is_absent = |token: &String| words.document_frequency(search::term_hash(token)) == 0;
        let folded = search::folded_name_hash(name);
        is_file
            || !words.columns.defining(folded).is_empty()
            || !search::tokenize(name).first().is_some_and(is_absent)
    }
}
